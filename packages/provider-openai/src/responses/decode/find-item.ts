import { type Item, type ItemIdentity, identityOf } from "./item.ts";
import type { ItemEntry, ItemIndex } from "./item-index.ts";

/** The fields of an event that name its item. Hosts omit one or both, or send `null`. */
export interface EventPosition {
  readonly output_index?: number | null | undefined;
  readonly item_id?: string | null | undefined;
}
const outputIndex = ({ output_index: at }: EventPosition): number | undefined =>
  typeof at === "number" ? at : undefined;
const itemId = ({ item_id: id }: EventPosition): string | undefined => id || undefined;

/**
 * Finds or adds the item of a delta. Returns `undefined` if several items are possible: their text
 * comes again when they are done.
 */
export function findForDelta(
  index: ItemIndex,
  position: EventPosition,
  type: Item["type"],
): ItemEntry | undefined {
  const at = outputIndex(position);
  if (at === undefined) return findWithoutIndex(index, itemId(position), type);
  const there = index.at(at);
  return there?.type === type && !there.done ? there : index.add(type, at);
}

function findWithoutIndex(
  index: ItemIndex,
  id: string | undefined,
  type: Item["type"],
): ItemEntry | undefined {
  const same = index.withId(type, id);
  if (same?.done === false) return same;
  if (index.openCount(type) > 0) return onlyOpen(index, type);
  const entry = index.add(type, undefined);
  if (id !== undefined) index.addAlias(entry, id);
  return entry;
}

const onlyOpen = (index: ItemIndex, type: Item["type"]): ItemEntry | undefined =>
  index.openCount(type) === 1 ? index.firstOpen(type) : undefined;

/**
 * Finds the item of a complete input. The input of an item that is done may come again; a different
 * input there belongs to another item.
 */
export function findForInput(
  index: ItemIndex,
  position: EventPosition,
  { type, text }: { readonly type: Item["type"]; readonly text: string },
): ItemEntry | undefined {
  const at = outputIndex(position);
  const there = at === undefined ? index.withId(type, itemId(position)) : index.at(at);
  const isRepeated = there?.type === type && there.done && there.reader.hasInput?.(text);
  return isRepeated ? there : findForDelta(index, position, type);
}

export function findOrAddStarted(index: ItemIndex, position: EventPosition, item: Item): ItemEntry {
  const at = outputIndex(position);
  return findItem(index, at, identityOf(item)) ?? index.add(item.type, at, item);
}

export function findOrAddDone(index: ItemIndex, position: EventPosition, item: Item): ItemEntry {
  const at = outputIndex(position);
  const identity = identityOf(item);
  const there = at === undefined ? undefined : index.at(at);
  const isRepeated =
    there?.done &&
    there.type === item.type &&
    (there.identity?.callId === identity.callId || there.reader.isSameCall?.(item));
  if (isRepeated) return there;
  const same = findItem(index, at, identity);
  const open =
    same !== undefined || at !== undefined
      ? same
      : index.firstOpenWithoutCallId(item.type, identity.tool);
  return open ?? index.add(item.type, at, item);
}

function findItem(
  index: ItemIndex,
  at: number | undefined,
  identity: ItemIdentity,
): ItemEntry | undefined {
  const there = at === undefined ? undefined : index.at(at);
  if (there?.type === identity.type && !there.done) return there;
  const same = findByIds(index, identity);
  if (at === undefined || same === undefined) return same;
  if (same.done || (same.at !== undefined && identity.callId === undefined)) return undefined;
  index.move(same, at);
  return same;
}

/** Items with different `call_id`s are different, even if they share an id. */
function findByIds(index: ItemIndex, { type, callId, id }: ItemIdentity): ItemEntry | undefined {
  const withId = index.withId(type, id);
  return (
    index.withId(type, callId) ??
    (callId === undefined || withId?.identity?.callId === undefined ? withId : undefined)
  );
}
