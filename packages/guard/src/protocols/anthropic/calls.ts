import { type Fields, fieldsOf } from "@fullstop/core/adapter";
import { type CallReader, listOf } from "../protocol.ts";
import { areSameCalls, type OpenCall, openCall, type ReadCall, toReadCall } from "../same-calls.ts";
import { isStrictEnding } from "./content.ts";

export const isToolUse = (block: unknown): boolean => fieldsOf(block)["type"] === "tool_use";

/** Thinking, also if the API hides it. */
export const isThinking = (block: unknown): boolean =>
  ["thinking", "redacted_thinking"].includes(String(fieldsOf(block)["type"]));

export const openBlock = (block: Fields): OpenCall => openCall(block, block["input"]);
export const readBlock = (block: unknown): ReadCall | undefined =>
  isToolUse(block) ? toReadCall(openBlock(fieldsOf(block))) : undefined;
/** The calls in a message in one piece. */
export const blockCallsIn = (message: unknown): readonly ReadCall[] =>
  listOf(fieldsOf(message)["content"]).flatMap((block) => readBlock(block) ?? []);

export const endsMessage = (native: unknown): boolean =>
  ["message_delta", "message_stop"].includes(String(fieldsOf(native)["type"]));

const nameIn = (raw: string): string | undefined =>
  [...raw.matchAll(/^event: ?([^\r\n]*)/gm)].at(-1)?.[1];
/** Most events have one name, in their first line: these are not searched. */
const isNamed = (raw: string, type: unknown): boolean =>
  (raw.startsWith(`event: ${type}\n`) && !/[\r\n]event/.test(raw)) || nameIn(raw) === type;

/** Claude Code runs a call at the end of its block (BerriAI/litellm#37273). */
export function createCallReader(): CallReader {
  const calls: OpenCall[] = [];
  const open = new Map<unknown, OpenCall>();
  const ends: unknown[] = [];
  /** Vendors' SDKs leave out an event with another name. If all lack it, none of them reads any. */
  const areNamed = new Set<boolean>();
  let hasStrictEnding = false;
  const start = (index: unknown, block: Fields): void => {
    const call = openBlock(block);
    calls.push(call);
    open.set(index, call);
  };
  const noteEnd = ({ type, index }: Fields): void => {
    if (type === "content_block_stop" && open.has(index)) ends.push(index);
    if (type === "message_stop") ends.push(type);
  };
  return {
    add(native, raw = "") {
      const { type, index, content_block: block, delta } = fieldsOf(native);
      noteEnd(fieldsOf(native));
      if (type === "content_block_delta") {
        const { partial_json: piece } = fieldsOf(delta);
        if (typeof piece === "string") open.get(index)?.pieces.push(piece);
      } else if (type === "content_block_start" && isToolUse(block)) start(index, fieldsOf(block));
      else hasStrictEnding ||= isStrictEnding(fieldsOf(delta)["stop_reason"]);
      if (open.has(index)) areNamed.add(isNamed(raw, type));
    },
    says: (granted, isStrict) =>
      ends.length === new Set(ends).size &&
      areNamed.size < 2 &&
      areSameCalls(calls.map(toReadCall), granted) &&
      (!isStrict || hasStrictEnding),
  };
}
