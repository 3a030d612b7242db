import { type Message, validateHistory } from "@fullstop/core";
import { checkGiven, describeInvalidMessages, type NativeBlock } from "@fullstop/core/adapter";
import type { Compact } from "../contract/ports.ts";
import { aborted, unlessAborted } from "../util/abort.ts";

/** Rejects if the result is not a smaller conversation. After an abort it is the old one. */
export async function callCompact(
  compact: Compact,
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<readonly Message[]> {
  const smaller = await unlessAborted((async () => compact([...messages], signal))(), signal);
  if (smaller === aborted) return messages;
  const invalid = describeInvalidMessages(smaller);
  if (invalid !== undefined) throw new TypeError(`its result is not valid: ${invalid}.`);
  const [flaw] = validateHistory(smaller);
  if (flaw !== undefined)
    throw new TypeError(`its result is not valid: message ${flaw.at}: ${flaw.rule}.`);
  if (smaller.length === 0) throw new TypeError("its result is empty.");
  if (sizeOf(smaller) >= sizeOf(messages))
    throw new TypeError("its result is not smaller than the conversation.");
  return smaller;
}
const sizeOf = (messages: readonly Message[]): number => JSON.stringify(messages).length;

/**
 * The positions at which a conversation may be cut, so that the messages from there on are valid
 * without the earlier ones: never between calls and their results, and never between a call that
 * the provider runs and its result.
 */
export function safeCuts(messages: readonly Message[]): readonly number[] {
  checkGiven(Array.isArray(messages) && messages, "safeCuts", "a list of messages");
  const spans = serverCallSpans(messages);
  const isSafe = (position: number): boolean =>
    position > 0 &&
    messages[position]?.role !== "tool" &&
    !spans.some(([from, to]) => from < position && position <= to);
  return [...messages.keys()].filter(isSafe);
}

/** The positions of calls that the provider ran, each with the position of its result. */
function serverCallSpans(messages: readonly Message[]): readonly (readonly [number, number])[] {
  const opened = new Map<string, number>();
  return messages.flatMap((message, position) =>
    nativeBlocks(message).flatMap(({ opens, closes }): (readonly [number, number])[] => {
      if (opens !== undefined) opened.set(opens, position);
      const from = closes === undefined ? undefined : opened.get(closes);
      return from === undefined ? [] : [[from, position]];
    }),
  );
}
const nativeBlocks = (message: Message): readonly NativeBlock[] =>
  message.role === "assistant"
    ? message.content.filter((block): block is NativeBlock => block.type === "native")
    : [];

/**
 * A `recovery.compact` that needs no model. It keeps the first user messages and the newest
 * messages (a third of all, at least eight), and removes what is between them.
 */
export function dropOldest(messages: readonly Message[]): readonly Message[] {
  checkGiven(Array.isArray(messages) && messages, "dropOldest", "a list of messages");
  const first = messages.findIndex(({ role }) => role !== "user");
  const newest = messages.length - Math.max(8, Math.ceil(messages.length / 3));
  const cuts = safeCuts(messages).filter((position) => position > first);
  const cut = cuts.find((position) => position >= newest) ?? cuts.at(-1);
  if (first < 0 || cut === undefined) return messages;
  const count = cut - first;
  const removed = count === 1 ? "One earlier message was" : `${count} earlier messages were`;
  return [
    ...messages.slice(0, first),
    { role: "user", content: `${removed} removed here to make room.`, by: "loop" },
    ...messages.slice(cut),
  ];
}
