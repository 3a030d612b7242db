import type { Emit } from "@fullstop/core/adapter";
import type { HostRules } from "../host-rules.ts";
import {
  type EventPosition,
  findForDelta,
  findForInput,
  findOrAddDone,
  findOrAddStarted,
} from "./find-item.ts";
import type { Item } from "./item.ts";
import { createItemIndex, type ItemEntry } from "./item-index.ts";
import { createItemReader } from "./item-readers.ts";
import { matchOutput } from "./match-output.ts";
import { createReplyWriter, type ReplyFindings, type ReplyWriter } from "./reply-writer.ts";

/** The output items of one reply. */
export interface Items extends ReplyFindings {
  added(position: EventPosition, item: Item): void;
  /** A piece of a text. `part`: the index of this text in the item. */
  delta(
    position: EventPosition,
    type: Item["type"],
    content: { readonly text: string; readonly part?: number | null | undefined },
  ): void;
  /** The complete text of an input, usually before its item is done. */
  inputDone(
    position: EventPosition,
    type: Item["type"],
    input: { readonly text: string; readonly name?: string | undefined },
  ): void;
  done(position: EventPosition, item: Item): void;
  /**
   * Reads the output of the complete response: repeats all items, and may hold new ones.
   * `isOther`: the response has another id than the one that began.
   */
  settle(output: readonly Item[], isOther: boolean): void;
  markRefused(): void;
}

export function createItems(emit: Emit, rules: HostRules): Items {
  const writer = createReplyWriter(emit);
  const index = createItemIndex((key, type, item) =>
    createItemReader(writer, key, { type, item, rules }),
  );
  const readDone = (entry: ItemEntry, item: Item): void => {
    index.identify(entry, item);
    if (entry.done) return entry.reader.repeat?.(item);
    index.close(entry);
    entry.reader.done(item);
  };

  return {
    ...writer,
    ...(rules.unknownItems === "pass" && { unansweredType: () => undefined }),
    added(position, item) {
      const entry = findOrAddStarted(index, position, item);
      index.identify(entry, item);
      entry.reader.start?.(item);
    },
    delta: (position, type, { text, part }) =>
      findForDelta(index, position, type)?.reader.delta(text, part ?? undefined),
    inputDone: (position, type, { text, name }) =>
      findForInput(index, position, { type, text })?.reader.inputDone?.(text, name),
    done: (position, item) => readDone(findOrAddDone(index, position, item), item),
    settle(output, isOther) {
      const { known, unlisted } = matchOutput(index.entries, output);
      const items = output.map((item, at) => known[at] ?? index.add(item.type, undefined, item));
      for (const [at, entry] of items.entries()) readDone(entry, output[at] as Item);
      const listsCalls = items.some(({ reader }) => reader.isSameCall !== undefined);
      if (listsCalls || (isOther && items.length > 0)) reportMissing(writer, unlisted, isOther);
      for (const { reader } of index.entries) reader.settle?.();
    },
  };
}

/** Reports a call of the events that the final output does not list. */
function reportMissing(
  { addContradiction }: ReplyWriter,
  [missing]: readonly ItemEntry[],
  isOther: boolean,
): void {
  if (missing === undefined) return;
  const name = missing.identity?.tool ?? missing.type;
  const origin = isOther ? "is of another response, and " : "";
  addContradiction(`its final output ${origin}lacks the call of "${name}" that its events have`);
}
