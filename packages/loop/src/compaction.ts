import { type Message, type NativeBlock, validateHistory } from "@fullstop/core";
import { aborted, unlessAborted } from "./abort.ts";
import { strangeIn } from "./shape.ts";

/** Makes a conversation that fits the context window out of one that does not. What it gives takes the other's place, in `outcome.messages` too. */
export type Compact = (
  messages: readonly Message[],
  signal: AbortSignal,
) => readonly Message[] | Promise<readonly Message[]>;

/** The smaller conversation; rejects if it is not one. After an abort the old one. */
export async function compacted(
  compact: Compact,
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<readonly Message[]> {
  const smaller = await unlessAborted((async () => compact([...messages], signal))(), signal);
  if (smaller === aborted) return messages;
  const strange = strangeIn(smaller);
  if (strange !== undefined) throw new TypeError(`its result is not a conversation: ${strange}.`);
  const [flaw] = validateHistory(smaller);
  if (flaw !== undefined)
    throw new TypeError(
      `its result is not a valid conversation: message ${flaw.at}: ${flaw.rule}.`,
    );
  if (smaller.length === 0) throw new TypeError("its result is empty.");
  if (sizeOf(smaller) >= sizeOf(messages))
    throw new TypeError("its result is not smaller than the conversation that it got.");
  return smaller;
}
const sizeOf = (messages: readonly Message[]): number => JSON.stringify(messages).length;

/**
 * The positions at which a conversation may be cut, so that what begins there stands alone:
 * never between calls and their results, nor between a provider's own call and what closes it.
 */
export function safeCuts(messages: readonly Message[]): readonly number[] {
  const spans = serverCalls(messages);
  const isSafe = (at: number): boolean =>
    at > 0 && messages[at]?.role !== "tool" && !spans.some(([from, to]) => from < at && at <= to);
  return [...messages.keys()].filter(isSafe);
}

/** Where a provider's own calls were opened, and where closed. */
function serverCalls(messages: readonly Message[]): readonly (readonly [number, number])[] {
  const opened = new Map<string, number>();
  return messages.flatMap((message, at) =>
    nativesOf(message).flatMap(({ opens, closes }): (readonly [number, number])[] => {
      if (opens !== undefined) opened.set(opens, at);
      const from = closes === undefined ? undefined : opened.get(closes);
      return from === undefined ? [] : [[from, at]];
    }),
  );
}
const nativesOf = (message: Message): readonly NativeBlock[] =>
  message.role === "assistant"
    ? message.content.filter((block): block is NativeBlock => block.type === "native")
    : [];

/** A `compact` that asks nobody: keeps what the user said first and the newest messages, a third of all but at least eight, and leaves out what lies between. */
export function dropOldest(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex(({ role }) => role !== "user");
  const from = messages.length - Math.max(8, Math.ceil(messages.length / 3));
  const cuts = safeCuts(messages).filter((at) => at > first);
  const cut = cuts.find((at) => at >= from) ?? cuts.at(-1);
  if (first < 0 || cut === undefined) return messages;
  const left = cut - first;
  const note = `${left === 1 ? "One earlier message was" : `${left} earlier messages were`} left out here, to make room.`;
  return [
    ...messages.slice(0, first),
    { role: "user", content: note, by: "loop" },
    ...messages.slice(cut),
  ];
}
