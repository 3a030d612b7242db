import { createQueues } from "./filtered-queues.ts";
import { type Identity, type Item, type ItemReader, identityOf } from "./item.ts";

/** An output item while it arrives. */
export interface Entry {
  readonly type: Item["type"];
  readonly reader: ItemReader;
  /** Its place in the output, where an event said it. */
  readonly at: number | undefined;
  /** Once an event gave the item. */
  identity?: Identity;
  done: boolean;
}
/** Makes the reader of an item that begins here. `key` is its own in the reply. */
export type Open = (key: number, type: Item["type"], item: Item | undefined) => ItemReader;

/** The items of a reply, by all that may tell one from another. No lookup costs more where there are many. */
export interface Register {
  /** All, in order of arrival. */
  readonly entries: readonly Entry[];
  begin(type: Item["type"], at: number | undefined, item?: Item): Entry;
  /** The item is given: from now on its ids tell it too. */
  learn(entry: Entry, item: Item): void;
  /** A name that the host has for it beside its ids. */
  call(entry: Entry, name: string): void;
  /** From now on `at` means this one. */
  move(entry: Entry, at: number): void;
  close(entry: Entry): void;
  at(index: number): Entry | undefined;
  named(type: Item["type"], name: string | undefined): Entry | undefined;
  /** How many of a type are open. */
  open(type: Item["type"]): number;
  firstOpen(type: Item["type"]): Entry | undefined;
  /** The first one open that has no `call_id`, of this tool or of one that is not known yet. */
  firstLoose(type: Item["type"], tool: string | undefined): Entry | undefined;
}

const isLoose = ({ done, identity }: Entry): boolean => !done && identity?.call === undefined;

export function createRegister(open: Open): Register {
  const entries: Entry[] = [];
  const byIndex = new Map<number, Entry>();
  const byName = new Map<string, Entry>();
  const counts = new Map<string, number>();
  const openOf = createQueues<Entry>(({ done }) => !done);
  const looseOf = createQueues<Entry>(isLoose);
  const namelessOf = createQueues<Entry>(
    (entry) => isLoose(entry) && entry.identity?.tool === undefined,
  );
  const count = (type: string, by: number): void =>
    void counts.set(type, (counts.get(type) ?? 0) + by);
  const call = (entry: Entry, name: string): void =>
    void byName.set(`${entry.type} ${name}`, entry);
  return {
    entries,
    call,
    begin(type, at, item) {
      const entry: Entry = { type, reader: open(entries.length, type, item), at, done: false };
      entries.push(entry);
      if (at !== undefined) byIndex.set(at, entry);
      openOf.add(type, entry);
      namelessOf.add(type, entry);
      count(type, 1);
      return entry;
    },
    learn(entry, item) {
      if (entry.identity !== undefined) return;
      const identity = identityOf(item);
      entry.identity = identity;
      for (const name of [identity.id, identity.call]) if (name !== undefined) call(entry, name);
      if (identity.tool !== undefined) looseOf.add(`${entry.type} ${identity.tool}`, entry);
    },
    move: (entry, at) => void byIndex.set(at, entry),
    close(entry) {
      if (!entry.done) count(entry.type, -1);
      entry.done = true;
    },
    at: (index) => byIndex.get(index),
    named: (type, name) => (name === undefined ? undefined : byName.get(`${type} ${name}`)),
    open: (type) => counts.get(type) ?? 0,
    firstOpen: (type) => openOf.first(type),
    firstLoose: (type, tool) =>
      (tool === undefined ? undefined : looseOf.first(`${type} ${tool}`)) ?? namelessOf.first(type),
  };
}
