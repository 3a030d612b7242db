import {
  type Fields,
  isObject,
  listOrEmpty,
  members,
  nonBlank,
  numberOrNone,
  textOrNone,
} from "../json.ts";
import { Notes } from "../notes.ts";
import type { Reading } from "../reading.ts";
import { doneMarker, type Received } from "../received.ts";
import { decideReading } from "../settle.ts";
import { type ReceivedCall, receivedWireCall, takeCall } from "./calls.ts";
import { geminiMeaning } from "./stops.ts";

class GeminiState {
  readonly notes = new Notes();
  readonly calls: ReceivedCall[] = [];
  /** Whole calls with a signature, by the number of their chunk. */
  readonly signed = new Map<string, number>();
  chunks = 0;
  readonly texts: string[] = [];
  /** How many chunks with content have a stop reason. */
  contents = 0;
  contentsWithStop = 0;
  /** A stop reason came, and no content followed it. */
  stopIsValid = false;
  /** A chunk without content has a stop reason, and no content followed it. */
  endsWithoutContent = false;
  stepOpen = false;
  stepSkipped = false;
  usage: Fields = {};
  /** The ids that came, how often, and the one under which the first call came. */
  readonly ids = new Map<string, number>();
  idOfCalls: string | undefined;
  /** Content of another reply came behind a call. */
  hasSecond = false;
  /** The largest output of all chunks. */
  output: number | undefined;
}

/**
 * Follows https://ai.google.dev/api/generate-content. The protocol has no final event; the reply
 * ends with its bytes.
 */
export function readGemini(received: Received): Reading {
  const state = new GeminiState();
  const { notes } = state;
  for (const event of received.events)
    if (event !== doneMarker) takeGeminiChunk(state, members(event));
  notes.damage(received, state.stopIsValid);
  notes.doubt("a lost connection after the stop reason", received.reset && state.stopIsValid);
  if (
    state.contents > 1 &&
    state.contentsWithStop === state.contents &&
    !state.endsWithoutContent
  ) {
    notes[state.calls.length > 0 ? "suspicion" : "doubt"]("a stop reason in every chunk");
  }
  const keepsIds = [...state.ids.values()].some((times) => times > 1);
  notes[keepsIds ? "flaw" : "doubt"]("a second reply", state.hasSecond);
  notes.suspicion("an unfinished server step", state.stepOpen);
  notes.doubt("a server step without a result", state.stepSkipped);
  notes.suspicion(
    "an unclosed call",
    state.calls.some(({ open }) => open),
  );
  const calls = state.calls.map((call) => receivedWireCall(notes, call));
  return decideReading({
    ...notes.facts(),
    calls,
    text: state.texts.join(""),
    end: state.stopIsValid ? "came" : "missing",
    output: state.output,
    closesInputs: true,
  });
}

/** The cap includes the thoughts. */
function outputTokens({
  candidatesTokenCount: answer,
  thoughtsTokenCount: thoughts,
}: Fields): number | undefined {
  const counts = [numberOrNone(answer), numberOrNone(thoughts)].filter((one) => one !== undefined);
  return counts.length === 0 ? undefined : counts.reduce((sum, one) => sum + one, 0);
}

function takeGeminiChunk(state: GeminiState, chunk: Fields): void {
  const { notes } = state;
  state.chunks++;
  if (chunk["error"]) return notes.flaw("an error report");
  if (members(chunk["promptFeedback"])["blockReason"]) notes.stops.push("content-filter");
  notes.doubt(
    "an invalid usage",
    chunk["usageMetadata"] !== undefined && !isObject(chunk["usageMetadata"]),
  );
  const numbers = Object.entries(members(chunk["usageMetadata"])).filter(
    ([, value]) => typeof value === "number",
  );
  state.usage = { ...state.usage, ...Object.fromEntries(numbers) };
  const output = outputTokens(state.usage);
  if (output !== undefined) state.output = Math.max(state.output ?? 0, output);
  notes.ambiguity(
    "candidates that are not a list",
    chunk["candidates"] !== undefined && !Array.isArray(chunk["candidates"]),
  );
  const all = listOrEmpty(chunk["candidates"]).map(members);
  notes.ambiguity("a chunk without a candidate", all.length === 0);
  notes.doubt(
    "an invalid candidate",
    listOrEmpty(chunk["candidates"]).some((candidate) => !isObject(candidate)),
  );
  if (all.length > 1 || all.some(({ index }) => (index ?? 0) !== 0))
    return notes.ambiguity("a candidate with another index");
  const before = state.contents;
  for (const candidate of all) takeCandidate(state, candidate);
  notes.secondWord(chunk["stop_reason"], state.stopIsValid);
  takeReplyId(state, nonBlank(chunk["responseId"]), state.contents > before);
}

/** Every chunk repeats the id of its reply. */
function takeReplyId(state: GeminiState, id: string | undefined, hasContent: boolean): void {
  if (id === undefined) return;
  state.ids.set(id, (state.ids.get(id) ?? 0) + 1);
  state.hasSecond ||= hasContent && state.idOfCalls !== undefined && state.idOfCalls !== id;
  if (state.calls.length > 0) state.idOfCalls ??= id;
}

function takeCandidate(state: GeminiState, candidate: Fields): void {
  const { notes } = state;
  const { content, finishReason } = candidate;
  const parts = members(content)["parts"];
  notes.ambiguity(
    "unreadable content",
    (content !== undefined && !isObject(content)) || (parts !== undefined && !Array.isArray(parts)),
  );
  notes.ambiguity(
    "an invalid part",
    listOrEmpty(parts).some((part) => !isObject(part)),
  );
  const says = listOrEmpty(parts)
    .map((part) => takePart(state, members(part)))
    .includes(true);
  if (says) {
    state.contents++;
    state.stopIsValid = false;
  }
  const stop = nonBlank(finishReason);
  state.endsWithoutContent = !says && (stop !== undefined || state.endsWithoutContent);
  notes.doubt("an invalid stop reason", finishReason !== undefined && stop === undefined);
  if (stop === undefined) return;
  if (says) state.contentsWithStop++;
  if (stop === "null") return notes.doubt("an invalid stop reason");
  notes.stops.push(geminiMeaning(stop));
  state.stopIsValid = true;
}

/**
 * No two calls of different chunks share a signature, so the same call with the same one came twice.
 * The placeholder is not a signature: https://ai.google.dev/gemini-api/docs/thought-signatures
 */
function takeOnce(state: GeminiState, call: Fields, signature: unknown): boolean {
  const { id, name, args, willContinue, partialArgs } = call;
  if (!signature || state.calls.at(-1)?.open || willContinue || partialArgs !== undefined)
    return takeCall(state, call);
  if (signature === "skip_thought_signature_validator") return takeCall(state, call);
  const text = JSON.stringify([signature, id, name, args]);
  const before = state.signed.get(text) ?? state.chunks;
  if (before < state.chunks) return true;
  state.signed.set(text, state.chunks);
  return takeCall(state, call);
}

const knownPartKeys = [
  "text",
  "thought",
  "thoughtSignature",
  "functionCall",
  "executableCode",
  "codeExecutionResult",
];

/** Returns whether the part has content. */
function takePart(state: GeminiState, part: Fields): boolean {
  const { notes } = state;
  notes.doubt(
    "a part of an unknown type",
    Object.keys(part).some((key) => !knownPartKeys.includes(key)),
  );
  for (const key of ["functionCall", "executableCode", "codeExecutionResult"]) {
    notes.ambiguity("an unreadable part", part[key] !== undefined && !isObject(part[key]));
  }
  if (part["functionCall"] !== undefined) {
    return takeOnce(state, members(part["functionCall"]), part["thoughtSignature"]);
  }
  if (part["executableCode"] !== undefined) {
    if (state.stepOpen) state.stepSkipped = true;
    state.stepOpen = true;
  }
  if (part["codeExecutionResult"] !== undefined) {
    notes.doubt("a result without a step", !state.stepOpen);
    state.stepOpen = false;
  }
  notes.ambiguity(
    "a text that is not a string",
    part["text"] !== undefined && typeof part["text"] !== "string",
  );
  notes.doubt(
    "a thought flag that is not a boolean",
    part["thought"] !== undefined && typeof part["thought"] !== "boolean",
  );
  const words = textOrNone(part["text"]) ?? "";
  if (part["thought"] !== true) state.texts.push(words);
  return (
    words !== "" ||
    part["executableCode"] !== undefined ||
    part["codeExecutionResult"] !== undefined
  );
}
