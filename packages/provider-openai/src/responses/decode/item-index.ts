import { createFilteredQueues } from "./filtered-queues.ts";
import { type Item, type ItemIdentity, type ItemReader, identityOf } from "./item.ts";

/** An output item, while it arrives. */
export interface ItemEntry {
  readonly type: Item["type"];
  readonly reader: ItemReader;
  /** Its index in the output, if an event had one. */
  readonly at: number | undefined;
  /** Known after the first event that holds the item. */
  identity?: ItemIdentity;
  done: boolean;
}
/** Creates the reader of a new item. `key` is unique in the reply. */
export type CreateReader = (key: number, type: Item["type"], item: Item | undefined) => ItemReader;

/**
 * Finds the items of a reply by everything that identifies them. The cost of a lookup does not grow
 * with the number of items.
 */
export interface ItemIndex {
  /** All items, in order of arrival. */
  readonly entries: readonly ItemEntry[];
  add(type: Item["type"], at: number | undefined, item?: Item): ItemEntry;
  /** Stores the ids of the item, if they are not known yet. */
  identify(entry: ItemEntry, item: Item): void;
  /** Adds an id under which the host refers to the item. */
  addAlias(entry: ItemEntry, id: string): void;
  /** From now on, `at` refers to this item. */
  move(entry: ItemEntry, at: number): void;
  close(entry: ItemEntry): void;
  at(index: number): ItemEntry | undefined;
  /** Finds an item by its id, its `call_id` or an alias. */
  withId(type: Item["type"], id: string | undefined): ItemEntry | undefined;
  openCount(type: Item["type"]): number;
  firstOpen(type: Item["type"]): ItemEntry | undefined;
  /** Finds the first open item without a `call_id` whose tool is this one, or not known yet. */
  firstOpenWithoutCallId(type: Item["type"], tool: string | undefined): ItemEntry | undefined;
}

const lacksCallId = ({ done, identity }: ItemEntry): boolean =>
  !done && identity?.callId === undefined;

export function createItemIndex(createReader: CreateReader): ItemIndex {
  const entries: ItemEntry[] = [];
  const byIndex = new Map<number, ItemEntry>();
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
    add(type, at, item) {
      const reader = createReader(entries.length, type, item);
      const entry: ItemEntry = { type, reader, at, done: false };
      entries.push(entry);
      if (at !== undefined) byIndex.set(at, entry);
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
    },
    move: (entry, at) => void byIndex.set(at, entry),
    close(entry) {
      if (!entry.done) changeCount(entry.type, -1);
      entry.done = true;
    },
    at: (index) => byIndex.get(index),
    withId: (type, id) => (id === undefined ? undefined : byId.get(`${type} ${id}`)),
    openCount: (type) => openCounts.get(type) ?? 0,
    firstOpen: (type) => open.first(type),
    firstOpenWithoutCallId: (type, tool) =>
      (tool === undefined ? undefined : withoutCallId.first(`${type} ${tool}`)) ??
      withoutTool.first(type),
  };
}
