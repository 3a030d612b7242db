import {
  type Fields,
  isNullish,
  isObject,
  listOrEmpty,
  members,
  nonBlank,
  numberOrNone,
  textOrNone,
} from "../json.ts";
import { Notes } from "../notes.ts";
import type { Reading, WireCall } from "../reading.ts";
import { doneMarker, type Received } from "../received.ts";
import { decideReading } from "../settle.ts";
import { type CallGroups, createCallGroups } from "./groups.ts";
import { chatMeaning, type Host, hostOf, isForeignStop } from "./hosts.ts";
import { noteSecondReply } from "./ids.ts";
import { comparableTokens, endWithoutStop, refusedMeaning } from "./truth.ts";

class ChatState {
  readonly notes = new Notes();
  readonly host: Host;
  readonly groups: CallGroups;
  readonly texts: string[] = [];
  readonly stops: string[] = [];
  /**
   * `revoked`: a call followed. `again`: then another reason came, or one that stands on each chunk
   * with text; it needs `[DONE]`.
   */
  stopState: "none" | "valid" | "revoked" | "again" = "none";
  calledBehindStop = false;
  done = false;
  refused = false;
  thought = false;
  spoke = false;
  usage: Fields | undefined;
  /** The whole message that a host repeats in its last chunk. */
  message: Fields | undefined;
  /** How many chunks had content, and how many of them came before the last usage. */
  contents = 0;
  countedContents = -1;
  constructor(host: Host) {
    this.host = host;
    this.groups = createCallGroups(this.notes, host);
  }
}

/** Follows https://developers.openai.com/api/reference/resources/chat and variations of hosts. */
export function readChat(received: Received, name: string): Reading {
  const host = hostOf(name);
  const state = new ChatState(host);
  const { notes } = state;
  for (const event of received.events)
    if (event === doneMarker) takeDone(state);
    else takeChunk(state, members(event), received.whole);
  if (!received.whole) noteSecondReply(notes, received.events);
  if (received.whole && received.damage === "none") state.done = true;
  notes.damage(received, state.done || state.stopState === "valid");
  notes.doubt("a lost connection after the stop reason", received.reset && !state.done);
  const counted = countedTokens(state);
  const calls = state.groups.calls();
  noteMessage(state, calls);
  const over = endOf(state, received.whole, counted);
  notes.doubt(
    "a refusal without an end",
    state.refused && (state.stops.length === 0 || over === "missing"),
  );
  return decideReading({
    ...notes.facts(),
    ...counted,
    calls,
    text: state.texts.join(""),
    sendsBlankInputs: true,
    end: over,
    stops: state.stops.map((stop) =>
      state.refused ? refusedMeaning(chatMeaning(stop, host)) : chatMeaning(stop, host),
    ),
    ...(host.mislabelsTruncation && { mislabelsTruncation: true }),
  });
}

function endOf(
  { stopState, done: isDone, host, spoke, notes, groups, ...state }: ChatState,
  whole: boolean,
  counted: ReturnType<typeof countedTokens>,
): "came" | "missing" | "unclear" {
  if (stopState === "valid") return "came";
  if (!isDone) return "missing";
  if (stopState === "again") return "came";
  if (stopState === "revoked" || state.contents !== state.countedContents) return "missing";
  notes.doubt("an empty reply", !spoke);
  const isEmpty = groups.calls().some(({ text }) => text.trim() === "");
  notes.doubt("an empty input without a stop reason", isEmpty);
  return endWithoutStop(host, whole, counted);
}

function countedTokens({
  usage,
  thought,
  host,
  notes,
}: ChatState): ReturnType<typeof comparableTokens> {
  const details = members(usage)["completion_tokens_details"];
  notes.doubt("invalid details", details !== undefined && !isObject(details));
  const reasoning = members(details)["reasoning_tokens"];
  notes.doubt(
    "an invalid token count",
    reasoning !== undefined && numberOrNone(reasoning) === undefined,
  );
  return comparableTokens(
    numberOrNone(usage?.["completion_tokens"]),
    { reasoning: numberOrNone(reasoning), thought },
    host,
  );
}

function takeDone(state: ChatState): void {
  state.notes.doubt("a second end", state.done);
  state.done = true;
}

function takeChunk(state: ChatState, chunk: Fields, whole: boolean): void {
  const { notes } = state;
  if (chunk["error"]) return notes.flaw("an error report");
  notes.doubt("a chunk after the end", state.done);
  const { choices } = chunk;
  const isOdd = !isNullish(choices) && !Array.isArray(choices);
  notes.ambiguity("choices that are not a list", isOdd);
  notes.doubt(
    "a possible error report",
    typeof (chunk["message"] ?? chunk["detail"]) === "string" ||
      chunk["type"] === "error" ||
      chunk["object"] === "error",
  );
  notes.doubt("a chunk without choices", choices === undefined);
  const contentsBefore = state.contents;
  for (const choice of listOrEmpty(choices)) takeChoice(state, choice, whole);
  const usage =
    chunk["usage"] ??
    members(chunk["x_groq"])["usage"] ??
    members(listOrEmpty(choices)[0])["usage"];
  if (isObject(usage)) takeUsage(state, usage, whole ? state.contents : contentsBefore);
  else notes.doubt("an invalid usage", usage !== undefined && usage !== null);
}

/** A usage only grows: of two, the larger counts. */
function takeUsage(state: ChatState, usage: Fields, contents: number): void {
  const before = state.usage;
  const [tokens, known] = [usage, before].map((one) => numberOrNone(one?.["completion_tokens"]));
  const reasoning = Number(members(usage["completion_tokens_details"])["reasoning_tokens"] ?? 0);
  const output = (tokens ?? 0) + (state.host.reasoning === "beside" ? reasoning : 0);
  const isLower = known !== undefined && (tokens === undefined || tokens < known);
  state.notes.doubt(
    "a usage that differs from the previous one",
    before !== undefined && !isLower && JSON.stringify(usage) !== JSON.stringify(before),
  );
  if (tokens !== undefined && output > 0) state.countedContents = contents;
  if (!isLower) state.usage = usage;
}

function takeChoice(state: ChatState, value: unknown, whole: boolean): void {
  const { notes } = state;
  const choice = members(value);
  notes.ambiguity("an invalid choice", !isObject(value));
  if (choice["error"]) return notes.flaw("an error report");
  if ((choice["index"] ?? 0) !== 0) return notes.ambiguity("a choice with another index");
  const content = choice[whole ? "message" : "delta"];
  notes.ambiguity(
    "a piece of a stream in a complete message",
    whole && choice["delta"] !== undefined,
  );
  if (!whole && choice["message"] !== undefined) takeMessage(state, choice["message"]);
  notes.ambiguity(
    "unreadable content",
    content !== undefined && content !== null && !isObject(content),
  );
  notes.ambiguity("a reply without a message", whole && !isObject(content));
  const hasText = takeContent(state, members(content), whole);
  takeFinishReason(state, choice["finish_reason"], hasText);
  takeSecondStop(state, choice["stop_reason"]);
}

/** https://github.com/GCWing/OpenBitFun/issues/792 */
function takeMessage(state: ChatState, message: unknown): void {
  state.notes.ambiguity("a second complete message", state.message !== undefined);
  state.notes.ambiguity("a message that is not an object", !isObject(message));
  state.message = members(message);
}

/** Compares it with what came in pieces. */
function noteMessage(
  { message, notes, texts, host, thought }: ChatState,
  calls: readonly WireCall[],
): void {
  if (message === undefined) return;
  const own = new Notes();
  const groups = createCallGroups(own, host);
  groups.take(message["tool_calls"], true);
  const repeated = groups.calls();
  const keyOf = ({ name, id, text }: WireCall): string => JSON.stringify([name, id, text]);
  const keysOf = (some: readonly WireCall[]): readonly string[] => some.map(keyOf);
  const isSame = keysOf(calls).toSorted().join() === keysOf(repeated).toSorted().join();
  const isOrdered = keysOf(calls).join() === keysOf(repeated).join();
  notes.ambiguity("a complete message with another order", isSame && !isOrdered);
  const text = textOrNone(message["content"]) ?? "";
  const isOdd = own.facts().ambiguous === true || message["function_call"] !== undefined;
  notes.ambiguity("a complete message that cannot be compared", isOdd);
  notes.doubt("a complete message with other thoughts", thought && !message["reasoning_content"]);
  notes.ambiguity("a complete message with another text", text !== texts.join(""));
  notes.suspicion("a complete message with other calls", !isSame && repeated.length > 0);
  notes.ambiguity("a complete message without the calls", !isSame);
}

/** The worst of two stop reasons counts. Some hosts have the stop string that was matched there. */
function takeSecondStop({ notes, stops, host }: ChatState, stop: unknown): void {
  if (stop === undefined || stop === null) return;
  if (stop === "length" && !host.mislabelsTruncation) stops.push(stop);
  else notes.doubt("a second stop reason", stop !== "<|im_end|>");
}

const textKeys = ["content", "refusal", "reasoning_content"] as const;

function takeContent(state: ChatState, delta: Fields, whole: boolean): boolean {
  const { notes, groups } = state;
  const isOdd = textKeys.some((key) => !isNullish(delta[key]) && typeof delta[key] !== "string");
  notes.ambiguity("a text that is not a string", isOdd);
  const texts = textKeys.map((key) => textOrNone(delta[key]) ?? "");
  const [content = "", refusal = "", thinking = ""] = texts;
  state.texts.push(content, refusal);
  state.refused ||= refusal !== "";
  state.thought ||= thinking !== "";
  const calls = groups.take(delta["tool_calls"], whole);
  const legacy = groups.takeLegacy(delta["function_call"]);
  const hasText = texts.some((one) => one !== "");
  state.spoke ||= calls || legacy || hasText;
  const isRepeated = calls && state.done && groups.repeats();
  if ((calls && !isRepeated) || legacy || hasText) state.contents++;
  notes.ambiguity(
    "a legacy call after the stop reason",
    legacy && !calls && !hasText && state.stopState !== "none",
  );
  if (calls || hasText) noteContent(state, calls);
  return hasText;
}

/**
 * A call revokes the previous stop reason. From then on only `[DONE]` ends the reply. Text behind a
 * stop reason does not: https://github.com/anomalyco/opencode/issues/49167
 */
function noteContent(state: ChatState, calls: boolean): void {
  const { notes, groups } = state;
  notes.ambiguity("content after the end", state.done);
  notes.ambiguity("content behind a complete message", state.message !== undefined);
  notes.doubt("a call that continues after the stop reason", calls && state.stopState !== "none");
  if (!calls || state.message || (state.stopState !== "valid" && state.stopState !== "again"))
    return;
  const repeats = groups.repeats();
  notes.ambiguity("an input that is repeated after the stop reason", repeats);
  if (repeats) return;
  state.stopState = "revoked";
  state.calledBehindStop = true;
}

function takeFinishReason(state: ChatState, stop: unknown, hasText: boolean): void {
  const { notes } = state;
  if (stop === undefined || stop === null || stop === "" || stop === "null") return;
  if (nonBlank(stop) === undefined) return notes.doubt("an invalid stop reason");
  notes.doubt(
    "a stop reason of other hosts",
    isForeignStop(String(stop)) && state.host.stops?.[String(stop)] === undefined,
  );
  notes.doubt("a stop reason after the end", state.done);
  const isEnd = state.stopState === "none" || !(state.calledBehindStop || hasText);
  state.stopState = isEnd ? "valid" : "again";
  state.stops.push(String(stop));
}
