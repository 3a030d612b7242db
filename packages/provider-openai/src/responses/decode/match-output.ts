import { createFilteredQueues } from "./filtered-queues.ts";
import { type Item, type ItemIdentity, identityOf } from "./item.ts";
import type { ItemEntry } from "./item-index.ts";

/**
 * Finds for each item of the final output the item of the reply: by its `call_id`, else by its id,
 * else the next one of its tool. `undefined` for an item that no event mentioned.
 */
export function matchOutput(
  entries: readonly ItemEntry[],
  output: readonly Item[],
): readonly (ItemEntry | undefined)[] {
  const taken = new Set<ItemEntry>();
  const isFree = (entry: ItemEntry): boolean => !taken.has(entry);
  const byId = createFilteredQueues(isFree);
  const byOrder = createFilteredQueues(isFree);
  for (const entry of entries) {
    const { callId, id, tool = "" } = entry.identity ?? {};
    if (callId !== undefined) byId.add(`${entry.type} call ${callId}`, entry);
    if (id !== undefined)
      byId.add(`${entry.type} ${callId === undefined ? "only " : ""}id ${id}`, entry);
    if (callId === undefined) byOrder.add(`${entry.type} only ${tool}`, entry);
    byOrder.add(`${entry.type} ${tool}`, entry);
  }
  const take = (entry: ItemEntry | undefined): ItemEntry | undefined => {
    if (entry !== undefined) taken.add(entry);
    return entry;
  };
  /** Items with different `call_id`s are different. */
  const findById = ({ type, callId, id = "" }: ItemIdentity): ItemEntry | undefined => {
    const withoutCallId = byId.first(`${type} only id ${id}`);
    if (callId === undefined) return withoutCallId ?? byId.first(`${type} id ${id}`);
    return byId.first(`${type} call ${callId}`) ?? withoutCallId;
  };
  const findByOrder = ({ type, callId, tool = "" }: ItemIdentity): ItemEntry | undefined =>
    byOrder.first(`${type} only ${tool}`) ??
    byOrder.first(`${type} only `) ??
    (callId === undefined ? byOrder.first(`${type} ${tool}`) : undefined);

  const identities = output.map(identityOf);
  const found = identities.map((identity) => take(findById(identity)));
  return identities.map((identity, at) => found[at] ?? take(findByOrder(identity)));
}
