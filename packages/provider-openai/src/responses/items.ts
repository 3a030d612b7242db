import type { Emit } from "@fullstop/core/adapter";
import type { HostRules } from "./hosts.ts";
import { createTelling, type Item, type Told } from "./item.ts";
import { matchOutput } from "./match.ts";
import { ofAdded, ofDone, ofPiece, ofText, type Place } from "./places.ts";
import { readItem } from "./readers.ts";
import { createRegister, type Entry } from "./register.ts";

/** The output items of one reply. */
export interface Items extends Told {
  added(place: Place, item: Item): void;
  /** A piece of a text; `part` tells the texts of one item apart. */
  piece(
    place: Place,
    type: Item["type"],
    said: { readonly text: string; readonly part?: number | null | undefined },
  ): void;
  /** The whole text of an input, mostly ahead of its item. */
  text(
    place: Place,
    type: Item["type"],
    said: { readonly whole: string; readonly name?: string | undefined },
  ): void;
  done(place: Place, item: Item): void;
  /** The output of the response that is whole: says what no event said. */
  settle(output: readonly Item[]): void;
  refuse(): void;
}

export function createItems(emit: Emit, host: HostRules): Items {
  const telling = createTelling(emit);
  const register = createRegister((key, type, item) =>
    readItem(telling, key, { type, item, host }),
  );
  const end = (entry: Entry, item: Item): void => {
    register.learn(entry, item);
    if (entry.done) return entry.reader.again?.(item);
    register.close(entry);
    entry.reader.end(item);
  };

  return {
    ...telling,
    added(place, item) {
      const entry = ofAdded(register, place, item);
      register.learn(entry, item);
      entry.reader.begin?.(item);
    },
    piece: (place, type, { text, part }) =>
      ofPiece(register, place, type)?.reader.delta(text, part ?? undefined),
    text: (place, type, { whole, name }) =>
      ofText(register, place, { type, whole })?.reader.text?.(whole, name),
    done: (place, item) => end(ofDone(register, place, item), item),
    settle(output) {
      const known = matchOutput(register.entries, output);
      for (const [at, item] of output.entries())
        end(known[at] ?? register.begin(item.type, undefined, item), item);
      for (const { reader } of register.entries) reader.settle?.();
    },
  };
}
