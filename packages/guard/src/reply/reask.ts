import type { StopReason, Turn } from "@fullstop/core";
import { type Fields, fieldsOf, parseJson, stringifyJson } from "@fullstop/core/adapter";
import type { GuardOptions } from "../options.ts";
import { listOf } from "../protocols/protocol.ts";
import { type FetchArguments, headersOf } from "../request/body.ts";
import type { InspectedRequest } from "../request/inspect.ts";
import { type Attempts, requestKey } from "./attempts.ts";
import { reaskText } from "./failure.ts";
import type { Verdict } from "./verdict.ts";

interface ReaskContext {
  readonly options: Pick<GuardOptions, "reask">;
  /** The conversations in which the model was asked again, and not yet with success. */
  readonly reasked: Attempts;
  readonly began: number;
}

/**
 * Gives the request that asks the model once more, if its reply is worth that and is not final. Not if the client
 * goes on behind the note, and not in a conversation in which that did not help: some clients send
 * a cut conversation again by themselves, with a larger cap or with a message of their own.
 */
export function createReask(
  { request, protocol, body, bodyText, send }: InspectedRequest,
  { options, reasked, began }: ReaskContext,
): (verdict: Verdict, turn: Turn, isFinal: boolean) => Promise<FetchArguments | undefined> {
  let isAllowed = options.reask === true;
  let asked: string | undefined;
  return async (verdict, turn, isFinal) => {
    const isWorth = isWorthAsking(verdict, turn);
    if (asked !== undefined && isWhole.has(turn.stopReason) && !isWorth) reasked.clear(asked);
    if (!isAllowed || !isWorth || isFinal || messagesOf(body) === undefined) return undefined;
    isAllowed = false;
    if (verdict.action === "ended" && followsNote(body, verdict.edit.note)) return undefined;
    const key = await requestKey(request.url, headersOf(send), startOf(body));
    if (reasked.record(key, began) > 1) return undefined;
    asked = key;
    const again = protocol.addUserMessage(parseJson(bodyText), reaskText(turn));
    return again && withBody(send, stringifyJson(again));
  };
}

const isWhole: ReadonlySet<StopReason> = new Set(["tool-use", "stop"]);

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

/** What all requests of one conversation have in common: its first messages. */
function startOf(body: Fields): string {
  const messages = messagesOf(body);
  const first = Array.isArray(messages) ? messages.slice(0, 2) : messages;
  return JSON.stringify([first, body["previous_response_id"]]);
}

/** How many of the last messages are looked at: the note, and what a client adds to it. */
const recentMessages = 3;

/** Codex and Qwen Code go on by themselves, up to five times. An older note is of another reply. */
export function followsNote(body: Fields, note: string | undefined): boolean {
  if (note === undefined) return false;
  const recent = listOf(messagesOf(body)).slice(-recentMessages);
  return JSON.stringify(recent).includes(JSON.stringify(note.trim()).slice(1, -1));
}

function withBody([input, init]: FetchArguments, body: string): FetchArguments {
  const headers = new Headers(headersOf([input, init]));
  headers.delete("content-encoding");
  headers.delete("content-length");
  return [input, { ...init, headers, body }];
}
