import type { StopReason, Turn } from "@fullstop/core";
import { type Fields, fieldsOf } from "@fullstop/core/adapter";
import type { GuardOptions } from "../options.ts";
import { listOf } from "../protocols/protocol.ts";
import { type FetchArguments, headersOf } from "../request/body.ts";
import type { InspectedRequest } from "../request/inspect.ts";
import { type Attempts, requestKey } from "./attempts.ts";
import { reaskText } from "./failure.ts";
import type { Verdict } from "./verdict.ts";

interface ReaskContext {
  readonly options: Pick<GuardOptions, "reask">;
  /** The conversations in which the model was asked again. */
  readonly reasked: Attempts;
  readonly began: number;
}

/**
 * Gives the request that asks the model once more, if its reply is worth that. Not if the client
 * goes on behind the note, and once for a conversation: Qwen Code sends it again with a larger cap.
 */
export function createReask(
  { request, protocol, body, send }: InspectedRequest,
  { options, reasked, began }: ReaskContext,
): (verdict: Verdict, turn: Turn) => Promise<FetchArguments | undefined> {
  let mayAsk = options.reask === true;
  return async (verdict, turn) => {
    if (!mayAsk || !isWorthAsking(verdict, turn)) return undefined;
    mayAsk = false;
    if (verdict.action === "ended" && followsNote(body, verdict.edit.note)) return undefined;
    const conversation = JSON.stringify([messagesOf(body), body["previous_response_id"]]);
    const key = await requestKey(request.url, headersOf(send), conversation);
    if (reasked.record(key, began) > 1) return undefined;
    const asked = protocol.addUserMessage(body, reaskText(turn));
    return asked && withBody(send, JSON.stringify(asked));
  };
}

/** Why calls were withheld that may come whole in smaller pieces. */
const maySucceed: ReadonlySet<StopReason> = new Set([
  "length",
  "context-window",
  "malformed-tool-call",
]);

/** Calls were withheld that may come whole, or the model wrote a call as text. */
const isWorthAsking = ({ action }: Verdict, { stopReason, leakedCall }: Turn): boolean =>
  action === "passed" ? leakedCall !== undefined : action === "ended" && maySucceed.has(stopReason);

const messagesOf = (body: Fields): unknown => {
  const { messages, input, contents } = { ...fieldsOf(body["request"]), ...body };
  return messages ?? input ?? contents;
};

/** How many of the last messages are looked at: the note, and what a client adds to it. */
const recentMessages = 3;

/**
 * Whether the client went on right after the note. Codex and Qwen Code do that by themselves, up to
 * five times. An older note is of another reply.
 */
export function followsNote(body: Fields, note: string | undefined): boolean {
  if (note === undefined) return false;
  const recent = listOf(messagesOf(body)).slice(-recentMessages);
  return JSON.stringify(recent).includes(JSON.stringify(note.trim()).slice(1, -1));
}

/** The same request with another body. What belongs to the old body is left out. */
function withBody([input, init]: FetchArguments, body: string): FetchArguments {
  const headers = headersOf([input, init]);
  headers.delete("content-encoding");
  headers.delete("content-length");
  return [input, { ...init, headers, body }];
}
