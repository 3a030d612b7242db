import { createQueues } from "./filtered-queues.ts";
import { type Identity, type Item, identityOf } from "./item.ts";
import type { Entry } from "./item-index.ts";

/**
 * Which item of the reply each one of the final output is: by its `call_id`, else by its id, else by its tool and its order.
 * Nothing for one that no event told of.
 */
export function matchOutput(
  entries: readonly Entry[],
  output: readonly Item[],
): readonly (Entry | undefined)[] {
  const taken = new Set<Entry>();
  const free = (entry: Entry): boolean => !taken.has(entry);
  const byIds = createQueues(free);
  const byOrder = createQueues(free);
  for (const entry of entries) {
    const { call, id, tool = "" } = entry.identity ?? {};
    if (call !== undefined) byIds.add(`${entry.type} call ${call}`, entry);
    if (id !== undefined)
      byIds.add(`${entry.type} ${call === undefined ? "only " : ""}id ${id}`, entry);
    if (call === undefined) byOrder.add(`${entry.type} only ${tool}`, entry);
    byOrder.add(`${entry.type} ${tool}`, entry);
  }
  const take = (entry: Entry | undefined): Entry | undefined => {
    if (entry !== undefined) taken.add(entry);
    return entry;
  };
  /** An item with a `call_id` is not one that has another. */
  const byItsIds = ({ type, call, id = "" }: Identity): Entry | undefined => {
    const only = byIds.first(`${type} only id ${id}`);
    if (call === undefined) return only ?? byIds.first(`${type} id ${id}`);
    return byIds.first(`${type} call ${call}`) ?? only;
  };
  const byItsOrder = ({ type, call, tool = "" }: Identity): Entry | undefined =>
    byOrder.first(`${type} only ${tool}`) ??
    byOrder.first(`${type} only `) ??
    (call === undefined ? byOrder.first(`${type} ${tool}`) : undefined);

  const identities = output.map(identityOf);
  const found = identities.map((identity) => take(byItsIds(identity)));
  return identities.map((identity, n) => found[n] ?? take(byItsOrder(identity)));
}
