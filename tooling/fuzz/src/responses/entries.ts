import { count, type Fields, said } from "../json.ts";
import type { Notes } from "../notes.ts";

/** All that is said of one item of the output. */
export interface Entry {
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
export interface Where {
  readonly place: unknown;
  readonly id: unknown;
  readonly call?: unknown;
}
export interface Entries {
  readonly all: readonly Entry[];
  find(where: Where): Entry | undefined;
  open(where: Where, type: string): Entry;
}
export interface State {
  readonly notes: Notes;
  readonly entries: Entries;
  begun: number;
  ended: boolean;
}

/** Items are told apart by their place; where none is said, by their id. */
export function createEntries(): Entries {
  const all: Entry[] = [];
  const known = new Map<string, Entry>();
  const placeOf = ({ place }: Where): readonly string[] =>
    count(place) === undefined ? [] : [`place ${count(place)}`];
  const namesOf = ({ id, call }: Where): readonly string[] =>
    [
      said(id) === undefined ? [] : [`id ${said(id)}`],
      said(call) === undefined ? [] : [`call ${said(call)}`],
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
        items.map((item) => said(item["call_id"])).find((id) => id !== undefined);
      const entry: Entry = { type, items, deltas: [], texts: [], refuses: false, callId };
      all.push(entry);
      for (const key of [...placeOf(where), ...namesOf(where)]) known.set(key, entry);
      return entry;
    },
  };
}
