import { type Item, type ItemIdentity, type ItemReader, identityOf, isSameCall } from "./item.ts";
import { otherTypeOf } from "./other-type.ts";

export interface ItemEntry {
  readonly type: Item["type"];
  readonly reader: ItemReader;
  readonly at: number | undefined;
  /** Known after the first event that holds the item. */
  identity?: ItemIdentity;
  done: boolean;
}
/** Creates the reader of a new item. `key` is unique in the reply. */
type CreateReader = (key: number, type: Item["type"], item: Item | undefined) => ItemReader;

/** The cost of a lookup does not grow with the number of items. */
interface ItemIndex {
  readonly entries: readonly ItemEntry[];
  add(type: Item["type"], at: number | undefined, item?: Item): ItemEntry;
  identify(entry: ItemEntry, item: Item): void;
  /** Adds an id under which the host refers to the item. */
  addAlias(entry: ItemEntry, id: string): void;
  /** From now on, `at` refers to this item. */
  move(entry: ItemEntry, at: number): void;
  close(entry: ItemEntry): void;
  /** The last item of a type at an index; without a type that of any. */
  at(index: number, type?: Item["type"]): ItemEntry | undefined;
  /** The call that this item says under another type. */
  otherForm(item: Item): ItemEntry | undefined;
  withId(type: Item["type"], id: string | undefined): ItemEntry | undefined;
  openCount(type: Item["type"]): number;
  firstOpen(type: Item["type"]): ItemEntry | undefined;
  /** Finds the first open item without a `call_id` whose tool is this one, or not known yet. */
  firstOpenWithoutCallId(type: Item["type"], tool: string | undefined): ItemEntry | undefined;
}

const lacksCallId = ({ done, identity }: ItemEntry): boolean =>
  !done && identity?.callId === undefined;

/** `isCall`: whether the client runs what an item says. */
export function createItemIndex(
  createReader: CreateReader,
  isCall: (item: Item) => boolean,
): ItemIndex {
  const entries: ItemEntry[] = [];
  const { move, at } = createPlaces();
  const calls = createCallNames();
  const byId = new Map<string, ItemEntry>();
  const openCounts = new Map<string, number>();
  const open = createFilteredQueues<ItemEntry>(({ done }) => !done);
  const withoutCallId = createFilteredQueues<ItemEntry>(lacksCallId);
  const withoutTool = createFilteredQueues<ItemEntry>(
    (entry) => lacksCallId(entry) && entry.identity?.tool === undefined,
  );
  const changeCount = (type: string, by: number): void =>
    void openCounts.set(type, (openCounts.get(type) ?? 0) + by);
  const addAlias = (entry: ItemEntry, id: string): void =>
    void byId.set(`${entry.type} ${id}`, entry);
  return {
    entries,
    addAlias,
    add(type, place, item) {
      const reader = createReader(entries.length, type, item);
      const entry: ItemEntry = { type, reader, at: place, done: false };
      entries.push(entry);
      if (place !== undefined) move(entry, place);
      open.add(type, entry);
      withoutTool.add(type, entry);
      changeCount(type, 1);
      return entry;
    },
    identify(entry, item) {
      if (entry.identity !== undefined) return;
      const identity = identityOf(item);
      entry.identity = identity;
      for (const id of [identity.id, identity.callId]) if (id !== undefined) addAlias(entry, id);
      if (identity.tool !== undefined) withoutCallId.add(`${entry.type} ${identity.tool}`, entry);
      if (entry.reader.content !== undefined) calls.add(entry, identity);
    },
    move,
    close(entry) {
      if (!entry.done) changeCount(entry.type, -1);
      entry.done = true;
    },
    at,
    otherForm(item) {
      const known = isCall(item) ? calls.find(identityOf(item)) : undefined;
      return known?.type === item.type ? undefined : known;
    },
    withId: (type, id) => (id === undefined ? undefined : byId.get(`${type} ${id}`)),
    openCount: (type) => openCounts.get(type) ?? 0,
    firstOpen: (type) => open.first(type),
    firstOpenWithoutCallId: (type, tool) =>
      (tool === undefined ? undefined : withoutCallId.first(`${type} ${tool}`)) ??
      withoutTool.first(type),
  };
}

/** Hosts give one index to several items. */
function createPlaces(): Pick<ItemIndex, "move" | "at"> {
  const last = new Map<number, ItemEntry>();
  const byType = new Map<string, ItemEntry>();
  return {
    move(entry, at) {
      last.set(at, entry);
      byType.set(`${at} ${entry.type}`, entry);
    },
    at(index, type) {
      const there = last.get(index);
      return type === undefined || there?.type === type ? there : byType.get(`${index} ${type}`);
    },
  };
}

/** Calls of all types. Different `call_id`s are different calls, even if they share an id. */
function createCallNames() {
  const byCallId = new Map<string, ItemEntry>();
  const byItemId = new Map<string, ItemEntry>();
  return {
    add(entry: ItemEntry, { callId, id }: ItemIdentity): void {
      if (callId !== undefined && !byCallId.has(callId)) byCallId.set(callId, entry);
      if (id !== undefined && !byItemId.has(id)) byItemId.set(id, entry);
    },
    find({ callId, id }: ItemIdentity): ItemEntry | undefined {
      const same = callId === undefined ? undefined : byCallId.get(callId);
      if (same !== undefined || id === undefined) return same;
      const withId = byItemId.get(id);
      return callId === undefined || withId?.identity?.callId === undefined ? withId : undefined;
    },
  };
}

/** The fields of an event that name its item. Hosts omit one or both, or send `null`. */
export interface EventPosition {
  readonly output_index?: number | null | undefined;
  readonly item_id?: string | null | undefined;
}
const outputIndex = ({ output_index: at }: EventPosition): number | undefined =>
  typeof at === "number" ? at : undefined;
const itemId = ({ item_id: id }: EventPosition): string | undefined => id || undefined;

/** Undefined if several are possible: their text comes again when they are done. */
export function findForDelta(
  index: ItemIndex,
  position: EventPosition,
  type: Item["type"],
): ItemEntry | undefined {
  const at = outputIndex(position);
  const id = itemId(position);
  if (at === undefined) return findWithoutIndex(index, id, type);
  const there = index.at(at, type);
  if (there?.done === false) return there;
  return findOpenOther(index, type, { at, id }) ?? index.add(type, at);
}

/**
 * The open call of the other type: a gateway names the pieces of a function's input as those of a
 * custom tool (justlovemaki/AIClient2API#472).
 */
function findOpenOther(
  index: ItemIndex,
  type: Item["type"],
  { at, id }: { readonly at?: number; readonly id: string | undefined },
): ItemEntry | undefined {
  const otherType = otherTypeOf(type);
  if (otherType === undefined) return undefined;
  const other = at === undefined ? index.withId(otherType, id) : index.at(at, otherType);
  return other?.done === false ? other : undefined;
}

function findWithoutIndex(
  index: ItemIndex,
  id: string | undefined,
  type: Item["type"],
): ItemEntry | undefined {
  const same = index.withId(type, id);
  if (same?.done === false) return same;
  const other = findOpenOther(index, type, { id });
  if (other !== undefined) return other;
  if (index.openCount(type) > 0) return onlyOpen(index, type);
  const entry = index.add(type, undefined);
  if (id !== undefined) index.addAlias(entry, id);
  return entry;
}

const onlyOpen = (index: ItemIndex, type: Item["type"]): ItemEntry | undefined =>
  index.openCount(type) === 1 ? index.firstOpen(type) : undefined;

/** The input of a done item may come again; a different one belongs to another item. */
export function findForInput(
  index: ItemIndex,
  position: EventPosition,
  { type, text }: { readonly type: Item["type"]; readonly text: string },
): ItemEntry | undefined {
  const at = outputIndex(position);
  const there = at === undefined ? index.withId(type, itemId(position)) : index.at(at, type);
  const isRepeated = there?.done && there.reader.hasInput?.(text);
  return isRepeated ? there : findForDelta(index, position, type);
}

export function findOrAddStarted(index: ItemIndex, position: EventPosition, item: Item): ItemEntry {
  const at = outputIndex(position);
  return findItem(index, at, identityOf(item)) ?? index.add(item.type, at, item);
}

export function findOrAddDone(index: ItemIndex, position: EventPosition, item: Item): ItemEntry {
  const at = outputIndex(position);
  const identity = identityOf(item);
  const there = at === undefined ? undefined : index.at(at, item.type);
  const isNamed = identity.callId !== undefined || (at !== undefined && index.at(at) === there);
  const isRepeated =
    there?.done &&
    ((isNamed && there.identity?.callId === identity.callId) || isSameCall(there.reader, item));
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
  const there = at === undefined ? undefined : index.at(at, identity.type);
  if (there?.done === false) return there;
  const same = findByIds(index, identity);
  if (at === undefined || same === undefined) return same;
  const isReused = same.at !== undefined && same.at !== at && identity.callId === undefined;
  if (same.done || isReused) return undefined;
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

/** Queues by key. A member that no longer fits is skipped, and not checked again. */
interface FilteredQueues<Member> {
  add(key: string, member: Member): void;
  /** Returns the first member that still fits, without removing it. */
  first(key: string): Member | undefined;
}

/** @param fits once `false` for a member, it must stay `false`. */
export function createFilteredQueues<Member>(
  fits: (member: Member) => boolean,
): FilteredQueues<Member> {
  const queues = new Map<string, { readonly members: Member[]; head: number }>();
  return {
    add(key, member) {
      const queue = queues.get(key);
      if (queue === undefined) queues.set(key, { members: [member], head: 0 });
      else queue.members.push(member);
    },
    first(key) {
      const queue = queues.get(key);
      if (queue === undefined) return undefined;
      for (; queue.head < queue.members.length; queue.head++) {
        const member = queue.members[queue.head];
        if (member !== undefined && fits(member)) return member;
      }
      return undefined;
    },
  };
}
