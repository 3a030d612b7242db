import type { StopReason, Turn } from "@fullstop/core";
import {
  type Fields,
  fieldsOf,
  isFields,
  parseJson,
  type SentRequest,
  stringifyJson,
} from "@fullstop/core/adapter";
import type { GuardOptions } from "../options.ts";
import { listOf } from "../protocols/protocol.ts";
import { type FetchArguments, headersOf } from "../request/body.ts";
import type { InspectedRequest } from "../request/inspect.ts";
import { type Attempts, requestKey } from "./attempts.ts";
import { raiseCap } from "./raise-cap.ts";
import type { Verdict } from "./verdict.ts";

interface ReaskContext {
  readonly options: Pick<GuardOptions, "reask">;
  /** The conversations in which the model was asked again, and not yet with success. */
  readonly reasked: Attempts;
  readonly began: number;
}

/** A request that is sent once more. */
export interface SecondRequest {
  readonly send: FetchArguments;
  readonly sent: SentRequest;
}

/**
 * Gives the request that asks the model once more, if its reply is worth that and is not final. Not if the client
 * goes on behind the note, and not in a conversation in which that did not help: some clients send
 * a cut conversation again by themselves, with a larger cap or with a message of their own.
 *
 * The messages stay those of the client. The signatures of a reply may cover all that stands before
 * it, so behind a message of the guard they would not fit what the client sends next.
 */
export function createReask(
  inspected: InspectedRequest,
  { options, reasked, began }: ReaskContext,
): (verdict: Verdict, turn: Turn, isFinal: boolean) => Promise<SecondRequest | undefined> {
  const { request, body, send } = inspected;
  let isAllowed = options.reask === true;
  let asked: string | undefined;
  const secondFor = (repeat: Repeat, verdict: Verdict): SecondRequest | undefined => {
    if (!isAllowed || messagesOf(body) === undefined) return undefined;
    isAllowed = false;
    const follows = verdict.action === "ended" && followsNote(body, verdict.edit.note);
    return follows ? undefined : repeats[repeat](inspected);
  };
  return async (verdict, turn, isFinal) => {
    const repeat = repeatOf(verdict, turn);
    if (asked !== undefined && isWhole.has(turn.stopReason) && !repeat) reasked.clear(asked);
    const second = repeat && !isFinal ? secondFor(repeat, verdict) : undefined;
    if (second === undefined) return undefined;
    const key = await requestKey(request.url, headersOf(send), startOf(body));
    if (reasked.record(key, began) > 1) return undefined;
    asked = key;
    return second;
  };
}

const isWhole: ReadonlySet<StopReason> = new Set(["tool-use", "stop"]);

type Repeat = "larger-cap" | "same";

/**
 * What may bring the calls that were withheld. A full window has no room for them, and a model that
 * declined would decline again.
 */
const repeatsByReason: Readonly<Partial<Record<StopReason, Repeat>>> = {
  length: "larger-cap",
  "malformed-tool-call": "same",
};

/** Calls were withheld that may come whole, or the model wrote a call as text. */
function repeatOf({ action }: Verdict, turn: Turn): Repeat | undefined {
  if (action === "passed") return turn.leakedCall === undefined ? undefined : "same";
  // No proof that the reply is whole would come with a larger cap either.
  if (action !== "ended" || turn.withheld[0]?.reason === "cap-unproven") return undefined;
  return repeatsByReason[turn.stopReason];
}

const repeats: Readonly<Record<Repeat, (request: InspectedRequest) => SecondRequest | undefined>> =
  {
    same: ({ send, sent }) => ({ send, sent }),
    "larger-cap": withLargerCap,
  };

/** `undefined` if the request names no cap, or the largest that the model takes. */
function withLargerCap({
  request: { protocol, model },
  bodyText,
  send,
  sent,
}: InspectedRequest): SecondRequest | undefined {
  const body = fieldsOf(parseJson(bodyText));
  const nested = fieldsOf(body["request"]);
  const raised = raiseCap(body, protocol, model);
  const raisedNested = raiseCap(nested, protocol, model);
  if (raised === undefined && raisedNested === undefined) return undefined;
  const again = { ...body, ...raised, ...(raisedNested && { request: raisedNested }) };
  const asSent = raiseCap(fieldsOf(sent.body), protocol, model);
  return { send: withBody(send, stringifyJson(again)), sent: { ...sent, body: asSent } };
}

const messagesOf = (body: Fields): unknown => {
  const { messages, input, contents } = { ...fieldsOf(body["request"]), ...body };
  return messages ?? input ?? contents;
};

/**
 * What all requests of one conversation have in common: the texts up to the first message of the
 * user. Clients write the same text in several forms, and move the marks of a cache.
 */
function startOf(body: Fields): string {
  const messages = messagesOf(body);
  const list = Array.isArray(messages) ? messages : [messages];
  const user = list.findIndex(isOfUser);
  const first = list.slice(0, user < 0 ? 1 : user + 1).flatMap(textsIn);
  return JSON.stringify([first, body["previous_response_id"]]);
}

const isOfUser = (message: unknown): boolean => {
  const { role, type } = fieldsOf(message);
  return role === "user" || type === "user_input" || typeof message === "string";
};

function textsIn(message: unknown): readonly string[] {
  if (typeof message === "string") return [message];
  if (Array.isArray(message)) return message.flatMap(textsIn);
  if (!isFields(message)) return [];
  const { text, content, parts } = message;
  return [text, content, parts].flatMap(textsIn);
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
