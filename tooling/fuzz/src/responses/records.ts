import { type Fields, nonBlank, numberOrNone } from "../json.ts";
import type { Notes } from "../notes.ts";

/** All that is said of one item of the output. */
export interface ItemRecord {
  readonly type: string;
  /** As it was added, and as it was done. */
  readonly items: Fields[];
  readonly deltas: string[];
  /** Its whole text, where an event says it. */
  readonly texts: string[];
  done?: Fields;
  /** As the last event has it. */
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

/** Items are told apart by their place; where none is said, by their id. */
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
