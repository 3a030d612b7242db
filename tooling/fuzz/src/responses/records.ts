import { type Fields, nonBlank, numberOrNone } from "../json.ts";
import type { Notes } from "../notes.ts";

/** All statements about one output item. */
export interface ItemRecord {
  readonly type: string;
  /** The item in its `added` and `done` events. */
  readonly items: Fields[];
  readonly deltas: string[];
  /** The complete text from events. */
  readonly texts: string[];
  done?: Fields;
  /** The item in the last event. */
  last?: Fields;
  refuses: boolean;
  callId(): string | undefined;
}
export interface ItemAddress {
  readonly place: unknown;
  readonly id: unknown;
  readonly call?: unknown;
}
export interface ItemRecords {
  readonly all: readonly ItemRecord[];
  find(where: ItemAddress): ItemRecord | undefined;
  open(where: ItemAddress, type: string): ItemRecord;
}
export interface ResponsesState {
  readonly notes: Notes;
  readonly entries: ItemRecords;
  begun: number;
  ended: boolean;
}

/** Identifies items by their index, or by their id if there is no index. */
export function createItemRecords(): ItemRecords {
  const all: ItemRecord[] = [];
  const known = new Map<string, ItemRecord>();
  const placeOf = ({ place }: ItemAddress): readonly string[] =>
    numberOrNone(place) === undefined ? [] : [`place ${numberOrNone(place)}`];
  const namesOf = ({ id, call }: ItemAddress): readonly string[] =>
    [
      nonBlank(id) === undefined ? [] : [`id ${nonBlank(id)}`],
      nonBlank(call) === undefined ? [] : [`call ${nonBlank(call)}`],
    ].flat();
  return {
    all,
    find(where) {
      const place = placeOf(where);
      const keys = place.length > 0 ? place : namesOf(where);
      return keys.map((key) => known.get(key)).find((entry) => entry !== undefined);
    },
    open(where, type) {
      const items: Fields[] = [];
      const callId = (): string | undefined =>
        items.map((item) => nonBlank(item["call_id"])).find((id) => id !== undefined);
      const entry: ItemRecord = { type, items, deltas: [], texts: [], refuses: false, callId };
      all.push(entry);
      for (const key of [...placeOf(where), ...namesOf(where)]) known.set(key, entry);
      return entry;
    },
  };
}
