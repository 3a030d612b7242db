import { type Fields, fieldsOf } from "@fullstop/core/adapter";
import { eventText, type ReplyFrame } from "./protocol.ts";

/** New indices for the held blocks that are not calls. */
export interface Numbering {
  apply(raw: string, event: Fields): string;
  next(): number;
}

/** The events of a protocol that numbers the blocks of a reply by their `index`. */
export interface NumberedEvents {
  /** The name of an event. */
  nameOf(event: Fields): unknown;
  /** What the names of all events of blocks begin with. */
  readonly prefix: string;
  /** The name of the event that begins a block. */
  readonly start: string;
  /** Whether an event that begins a block begins a call. */
  isCall(event: Fields): boolean;
}

export function createNumbering(
  held: readonly ReplyFrame[],
  { nameOf, prefix, start, isCall }: NumberedEvents,
): Numbering {
  const first = held.find(({ native }) => nameOf(fieldsOf(native)) === start);
  const firstIndex = fieldsOf(first?.native)["index"];
  let next = typeof firstIndex === "number" ? firstIndex : 0;
  const indices = new Map<unknown, number | "dropped">();
  const numberOf = (event: Fields): number | "dropped" => (isCall(event) ? "dropped" : next++);
  return {
    next: () => next++,
    apply(raw, event) {
      const name = nameOf(event);
      const { index } = event;
      if (typeof name !== "string" || !name.startsWith(prefix)) return raw;
      if (name === start) indices.set(index, numberOf(event));
      const number = indices.get(index) ?? index;
      if (number === "dropped") return "";
      return number === index ? raw : eventText({ ...event, index: number }, name);
    },
  };
}
