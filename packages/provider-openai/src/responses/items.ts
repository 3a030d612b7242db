import type { Emit } from "@fullstop/core";
import { callId, createTelling, type Item, type ItemReader } from "./item.ts";
import { readItem } from "./readers.ts";

/** The output items of one reply. They are told apart by their place in the output; gateways give an item another id in every event. */
export interface Items {
  added(at: number | undefined, item: Item): void;
  /** Who reads what comes for this place; nobody where the event names none: the item says it all once more. */
  at(at: number | undefined, type: Item["type"]): ItemReader | undefined;
  /** The whole text of an input, ahead of its item: not heard once that is done. */
  text(at: number | undefined, type: Item["type"], whole: string): void;
  done(at: number | undefined, item: Item): void;
  /** The output of the response that is whole: says what no event said. */
  settle(output: readonly Item[]): void;
  refuse(): void;
  refused(): boolean;
  /** The type of an item that nobody answers. */
  waiting(): string | undefined;
}

interface Entry {
  readonly type: string;
  readonly reader: ItemReader;
  /** What tells it from others of its kind, once an event gave the item. */
  name?: string;
  done: boolean;
}

/** Calls have ids of their own; the others are told apart by their order. */
const nameOf = (item: Item): string => `${item.type} ${callId(item) ?? ""}`;

export function createItems(emit: Emit): Items {
  const telling = createTelling(emit);
  const current = new Map<number | string, Entry>();
  const named = new Map<string, Entry[]>();

  const create = (key: number | string, type: Item["type"], item?: Item): Entry => {
    const entry: Entry = { type, reader: readItem(telling, key, { type, item }), done: false };
    current.set(key, entry);
    return entry;
  };
  const open = (key: number | string, type: Item["type"], item?: Item): Entry => {
    const known = current.get(key);
    return known !== undefined && !known.done && known.type === type ? known : create(key, type, item);
  };
  const give = (entry: Entry, item: Item): void => {
    if (entry.name !== undefined) return;
    entry.name = nameOf(item);
    named.set(entry.name, [...(named.get(entry.name) ?? []), entry]);
  };
  const end = (entry: Entry, item: Item): void => {
    give(entry, item);
    if (entry.done) return entry.reader.again?.(item);
    entry.done = true;
    entry.reader.end(item);
  };

  return {
    added(at, item) {
      const entry = open(keyOf(at, item), item.type, item);
      give(entry, item);
      entry.reader.begin?.(item);
    },
    at: (at, type) => (typeof at === "number" ? open(at, type).reader : undefined),
    text(at, type, whole) {
      const known = at === undefined ? undefined : current.get(at);
      if (known?.done === false && known.type === type) known.reader.text?.(whole);
    },
    done(at, item) {
      const key = keyOf(at, item);
      const known = current.get(key);
      const twice = known?.done === true && known.name === nameOf(item);
      end(twice ? known : open(key, item.type, item), item);
    },
    settle(output) {
      const counts = new Map<string, number>();
      for (const [at, item] of output.entries()) {
        const name = nameOf(item);
        const count = counts.get(name) ?? 0;
        counts.set(name, count + 1);
        end(named.get(name)?.[count] ?? create(`output ${at}`, item.type, item), item);
      }
    },
    refuse: telling.refuse,
    refused: telling.refused,
    waiting: telling.waiting,
  };
}

const keyOf = (at: number | undefined, item: Item): number | string => at ?? callId(item) ?? item.type;
