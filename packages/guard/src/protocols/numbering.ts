import { type Fields, fieldsOf } from "@fullstop/core/adapter";
import { eventText, type ReplyFrame } from "./protocol.ts";

/** How a protocol names the events of blocks, and numbers the blocks of a reply by their `index`. */
export interface NumberedEvents {
  /** The member that holds the name of an event. */
  readonly nameKey: string;
  /** What the names of the events of blocks begin with. `start`, `delta` or `stop` follows. */
  readonly prefix: string;
  /** The member that holds the block which begins. */
  readonly blockKey: string;
  readonly isCall: (block: unknown) => boolean;
}

/** A block that stands in place of calls. */
export interface NewBlock {
  readonly start: Fields;
  readonly delta: Fields;
  /** The same in a reply in one piece. */
  readonly whole: Fields;
}

export interface NumberedEdit {
  /** The indices of the blocks that went out and have not ended. */
  readonly open: Iterable<unknown>;
  readonly added: readonly NewBlock[];
  /** Whether an event is a part of the end of the reply. New blocks stand before the first one. */
  readonly isEnd: (event: Fields) => boolean;
  /** Edits an event that is not one of a block. All others keep `text`. */
  readonly change: (text: string, event: Fields) => string;
}

/** Drops calls, numbers the other blocks anew, ends open blocks, and adds the new ones. */
export function editNumbered(
  held: readonly ReplyFrame[],
  events: NumberedEvents,
  { open, added, isEnd, change }: NumberedEdit,
): string {
  const frames = held.map(({ raw, native }) => ({ raw, event: fieldsOf(native) }));
  const indicesOf = (part: string): readonly unknown[] =>
    frames
      .filter(({ event }) => event[events.nameKey] === events.prefix + part)
      .map(({ event }) => event["index"]);
  const numbering = createNumbering(indicesOf("start")[0], events);
  const textOf = (some: typeof frames): string =>
    some.map(({ raw, event }) => change(numbering.apply(raw, event), event)).join("");
  const ended = new Set(indicesOf("stop"));
  const partText = partTextOf(events);
  const stops = [...open].filter((index) => !ended.has(index)).map((at) => partText("stop", at));
  const blockText = ({ start, delta }: NewBlock, index: number): string =>
    partText("start", index, { [events.blockKey]: start }) +
    partText("delta", index, { delta }) +
    partText("stop", index);
  const end = frames.findIndex(({ event }) => isEnd(event));
  const content = end < 0 ? frames : frames.slice(0, end);
  return [
    textOf(content),
    ...stops,
    ...added.map((block) => blockText(block, numbering.next())),
    textOf(frames.slice(content.length)),
  ].join("");
}

const partTextOf =
  ({ nameKey, prefix }: NumberedEvents) =>
  (part: "start" | "delta" | "stop", index: unknown, members: Fields = {}): string =>
    eventText({ [nameKey]: prefix + part, index, ...members }, prefix + part);

/** New indices for the held blocks that are not calls. */
function createNumbering(first: unknown, { nameKey, prefix, blockKey, isCall }: NumberedEvents) {
  let number = typeof first === "number" ? first : 0;
  const next = (): number => number++;
  const indices = new Map<unknown, number | "dropped">();
  const numberOf = (block: unknown): number | "dropped" => (isCall(block) ? "dropped" : next());
  return {
    next,
    apply(raw: string, event: Fields): string {
      const { [nameKey]: name, [blockKey]: block, index } = event;
      if (typeof name !== "string" || !name.startsWith(prefix)) return raw;
      if (name === `${prefix}start`) indices.set(index, numberOf(block));
      const changed = indices.get(index) ?? index;
      if (changed === "dropped") return "";
      return changed === index ? raw : eventText({ ...event, index: changed }, name);
    },
  };
}
