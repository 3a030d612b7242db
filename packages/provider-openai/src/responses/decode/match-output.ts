import { createFilteredQueues } from "./filtered-queues.ts";
import { type Item, type ItemIdentity, identityOf } from "./item.ts";
import type { ItemEntry } from "./item-index.ts";

/** What the final output says about the items that the events had. */
export interface MatchedOutput {
  /** The item of each item of the output. `undefined` for one that no event mentioned. */
  readonly known: readonly (ItemEntry | undefined)[];
  /** The calls that the output does not list. */
  readonly unlisted: readonly ItemEntry[];
}

/**
 * Finds for each item of the final output the item of the reply: by its `call_id`, else by its id,
 * else the next one of its tool. A call under a new `call_id` is a call that the output does not
 * list otherwise, if tool and input are the same (vllm-project/vllm#47916).
 */
export function matchOutput(entries: readonly ItemEntry[], output: readonly Item[]): MatchedOutput {
  const taken = new Set<ItemEntry>();
  const take = (entry: ItemEntry | undefined): ItemEntry | undefined => {
    if (entry !== undefined) taken.add(entry);
    return entry;
  };
  const { findById, findByOrder } = createFinders(entries, (entry) => !taken.has(entry));
  const identities = output.map(identityOf);
  const byId = identities.map((identity) => take(findById(identity)));
  const byOrder = identities.map((identity, at) => byId[at] ?? take(findByOrder(identity)));
  const listed = new Set(identities.flatMap(({ callId }) => callId ?? []));
  const unlisted = new Set(
    entries.filter(
      (entry) =>
        entry.reader.isSameCall !== undefined &&
        !taken.has(entry) &&
        !listed.has(entry.identity?.callId ?? ""),
    ),
  );
  const takeSame = (item: Item): ItemEntry | undefined => {
    for (const entry of unlisted) {
      if (entry.type !== item.type || entry.reader.isSameCall?.(item) !== true) continue;
      unlisted.delete(entry);
      return entry;
    }
    return undefined;
  };
  const known = output.map((item, at) => byOrder[at] ?? takeSame(item));
  return { known, unlisted: [...unlisted] };
}

interface Finders {
  findById(identity: ItemIdentity): ItemEntry | undefined;
  findByOrder(identity: ItemIdentity): ItemEntry | undefined;
}

function createFinders(
  entries: readonly ItemEntry[],
  isFree: (entry: ItemEntry) => boolean,
): Finders {
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
  return {
    findById({ type, callId, id = "" }) {
      const withoutCallId = byId.first(`${type} only id ${id}`);
      if (callId === undefined) return withoutCallId ?? byId.first(`${type} id ${id}`);
      return byId.first(`${type} call ${callId}`) ?? withoutCallId;
    },
    findByOrder: ({ type, callId, tool = "" }) =>
      byOrder.first(`${type} only ${tool}`) ??
      byOrder.first(`${type} only `) ??
      (callId === undefined ? byOrder.first(`${type} ${tool}`) : undefined),
  };
}
