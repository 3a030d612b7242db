import { type Fields, fieldsOf } from "@fullstop/core/adapter";
import { type BlockKinds, createPlacer, type Placer } from "./placed-calls.ts";
import { type Edit, eventText, type ReplyFrame } from "./protocol.ts";
import { type OpenCall, type ReadCall, toReadCall } from "./same-calls.ts";

/** How a protocol names the events of blocks, and numbers the blocks of a reply by their `index`. */
export interface NumberedEvents extends BlockKinds {
  /** The member that holds the name of an event. */
  readonly nameKey: string;
  /** What the names of the events of blocks begin with. `start`, `delta` or `stop` follows. */
  readonly prefix: string;
  /** The member that holds the block which begins. */
  readonly blockKey: string;
  readonly openCall: (block: Fields) => OpenCall;
  /** The piece of an input that a delta holds. */
  readonly pieceIn: (delta: Fields) => unknown;
  /** The note and the calls as blocks. */
  readonly newBlocks: (edit: Pick<Edit, "calls" | "note">) => readonly NewBlock[];
}

/** A block that stands in place of a call. */
export interface NewBlock {
  readonly start: Fields;
  readonly delta: Fields;
  /** The same in a reply in one piece. */
  readonly whole: Fields;
}

export interface NumberedEdit {
  /** The indices of the blocks that went out and have not ended. */
  readonly open: Iterable<unknown>;
  readonly edit: Edit;
  /** Whether an event is a part of the end of the reply. New blocks stand before the first one. */
  readonly isEnd: (event: Fields) => boolean;
  /** Edits an event that is not one of a block. All others keep `text`. */
  readonly change: (text: string, event: Fields) => string;
}

/** Replaces calls, numbers the other blocks anew, ends open blocks, and adds the note. */
export function editNumbered(
  held: readonly ReplyFrame[],
  events: NumberedEvents,
  { open, edit, isEnd, change }: NumberedEdit,
): string {
  const frames = held.map(({ raw, native }) => ({ raw, event: fieldsOf(native) }));
  const indicesOf = (part: string): readonly unknown[] =>
    frames
      .filter(({ event }) => event[events.nameKey] === events.prefix + part)
      .map(({ event }) => event["index"]);
  const calls = readCalls(
    frames.map(({ event }) => event),
    events,
  );
  const placer = createPlacer(edit.calls, events);
  const numbering = createNumbering(indicesOf("start")[0], events, { placer, calls });
  const textOf = (some: typeof frames): string =>
    some.map(({ raw, event }) => change(numbering.apply(raw, event), event)).join("");
  const ended = new Set(indicesOf("stop"));
  const partText = partTextOf(events);
  const stops = [...open].filter((index) => !ended.has(index)).map((at) => partText("stop", at));
  const end = frames.findIndex(({ event }) => isEnd(event));
  const content = end < 0 ? frames : frames.slice(0, end);
  const text = textOf(content);
  const added = events.newBlocks({ calls: placer.left(), note: edit.note });
  return [
    text,
    ...stops,
    ...added.map((block) => blockText(block, numbering.next(), events)),
    textOf(frames.slice(content.length)),
  ].join("");
}

/** The calls by the events that start them. */
function readCalls(
  events: readonly Fields[],
  { nameKey, prefix, blockKey, isCall, openCall, pieceIn }: NumberedEvents,
): ReadonlyMap<Fields, ReadCall> {
  const started = new Map<Fields, OpenCall>();
  const open = new Map<unknown, OpenCall | undefined>();
  for (const event of events) {
    const { [nameKey]: name, [blockKey]: block, index, delta } = event;
    if (name === `${prefix}start`) {
      const call = isCall(block) ? openCall(fieldsOf(block)) : undefined;
      open.set(index, call);
      if (call !== undefined) started.set(event, call);
    }
    const piece = pieceIn(fieldsOf(delta));
    if (name === `${prefix}delta` && typeof piece === "string") open.get(index)?.pieces.push(piece);
  }
  return new Map([...started].map(([event, call]) => [event, toReadCall(call)]));
}

const partTextOf =
  ({ nameKey, prefix }: NumberedEvents) =>
  (part: "start" | "delta" | "stop", index: unknown, members: Fields = {}): string =>
    eventText({ [nameKey]: prefix + part, index, ...members }, prefix + part);

function blockText({ start, delta }: NewBlock, index: number, events: NumberedEvents): string {
  const partText = partTextOf(events);
  return (
    partText("start", index, { [events.blockKey]: start }) +
    partText("delta", index, { delta }) +
    partText("stop", index)
  );
}

interface PlacedCalls {
  readonly placer: Placer;
  readonly calls: ReadonlyMap<Fields, ReadCall>;
}

/** New indices for the held blocks that stay. A call that may run stands where it began. */
function createNumbering(
  first: unknown,
  events: NumberedEvents,
  { placer, calls }: PlacedCalls,
): { readonly next: () => number; readonly apply: (raw: string, event: Fields) => string } {
  const { nameKey, prefix, blockKey, newBlocks } = events;
  let number = typeof first === "number" ? first : 0;
  const next = (): number => number++;
  const indices = new Map<unknown, number | "gone">();
  /** Gives a block its index. Returns the events of the call that stands in its place. */
  const start = (event: Fields): string => {
    const { [blockKey]: block, index } = event;
    const fate = placer.fateOf(block, calls.get(event));
    indices.set(index, fate === "kept" ? next() : "gone");
    if (fate === "kept" || fate === "dropped") return "";
    return newBlocks({ calls: [fate] })
      .map((one) => blockText(one, next(), events))
      .join("");
  };
  return {
    next,
    apply(raw, event) {
      const { [nameKey]: name, index } = event;
      if (typeof name !== "string" || !name.startsWith(prefix)) return raw;
      const placed = name === `${prefix}start` ? start(event) : "";
      const changed = indices.get(index) ?? index;
      if (changed === "gone") return placed;
      return changed === index ? raw : eventText({ ...event, index: changed }, name);
    },
  };
}
