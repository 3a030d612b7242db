import { type Fields, fieldsOf } from "@fullstop/core/adapter";
import { eventText, type ReplyFrame } from "../protocol.ts";
import { isToolUse } from "./calls.ts";

/** New indices for the held blocks that are not calls. */
export interface Numbering {
  apply(raw: string, event: Fields): string;
  next(): number;
}

export function createNumbering(held: readonly ReplyFrame[]): Numbering {
  const first = held.find(({ native }) => fieldsOf(native)["type"] === "content_block_start");
  const firstIndex = fieldsOf(first?.native)["index"];
  let next = typeof firstIndex === "number" ? firstIndex : 0;
  const indices = new Map<unknown, number | "dropped">();
  const numberOf = ({ content_block: block }: Fields): number | "dropped" =>
    isToolUse(block) ? "dropped" : next++;
  return {
    next: () => next++,
    apply(raw, event) {
      const { type, index } = event;
      if (!isBlockEvent(type)) return raw;
      if (type === "content_block_start") indices.set(index, numberOf(event));
      const number = indices.get(index) ?? index;
      if (number === "dropped") return "";
      return number === index ? raw : eventText({ ...event, index: number }, type);
    },
  };
}

const isBlockEvent = (type: unknown): type is string =>
  typeof type === "string" && type.startsWith("content_block_");
