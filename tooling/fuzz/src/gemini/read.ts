import { count, isObject, list, members, said, text } from "../json.ts";
import { blur, createNotes, doubt, factsOf, flaw, type Notes, noteDamage, suspect } from "../notes.ts";
import type { Reading, Said } from "../reading.ts";
import { done, type Received } from "../received.ts";
import { settle } from "../settle.ts";
import { assembled, partialArgs } from "./partial.ts";
import { meaningOf } from "./words.ts";

type Fields = Readonly<Record<string, unknown>>;
interface Call {
  readonly name: string | undefined;
  readonly id: string | undefined;
  /** Whole, or what was streamed so far. */
  readonly text: string | undefined;
  readonly pieces: Fields[];
  open: boolean;
}
interface State {
  readonly notes: Notes;
  readonly calls: Call[];
  readonly texts: string[];
  /** Of the chunks with content, how many carry a word. */
  contents: number;
  stamped: number;
  /** The word that stands: no content followed it. */
  standing: boolean;
  /** The last chunk says nothing but the word. */
  plainEnd: boolean;
  working: boolean;
  waited: boolean;
  usage: Fields;
}

/** Follows https://ai.google.dev/api/generate-content. The protocol has no end of its own but that of the bytes. */
export function read(received: Received): Reading {
  const state: State = {
    ...{ notes: createNotes(), calls: [], texts: [], contents: 0, stamped: 0 },
    ...{ standing: false, plainEnd: false, working: false, waited: false, usage: {} },
  };
  const { notes } = state;
  for (const event of received.events) if (event !== done) take(state, members(event));
  noteDamage(notes, received, state.standing);
  if (received.reset && state.standing) doubt(notes, "the connection was lost behind the word");
  if (state.contents > 1 && state.stamped === state.contents && !state.plainEnd) {
    (state.calls.length > 0 ? suspect : doubt)(notes, "every chunk carries the word");
  }
  if (state.working) suspect(notes, "a step of the service's is still at work");
  if (state.waited) doubt(notes, "a step of the service's has no result");
  if (state.calls.some(({ open }) => open)) suspect(notes, "a call of it was never closed");
  const calls = state.calls.map((call) => saidBy(notes, call));
  return settle({
    ...factsOf(notes),
    calls,
    text: state.texts.join(""),
    end: state.standing ? "came" : "missing",
    output: outputOf(state.usage),
    closes: true,
  });
}

/** Thoughts count against the cap, too. */
function outputOf({ candidatesTokenCount: answer, thoughtsTokenCount: thoughts }: Fields): number | undefined {
  const counts = [count(answer), count(thoughts)].filter((one) => one !== undefined);
  return counts.length === 0 ? undefined : counts.reduce((sum, one) => sum + one, 0);
}

function take(state: State, chunk: Fields): void {
  const { notes } = state;
  if (chunk["error"]) return flaw(notes, "it reports an error");
  if (members(chunk["promptFeedback"])["blockReason"]) notes.words.push("content-filter");
  if (chunk["usageMetadata"] !== undefined && !isObject(chunk["usageMetadata"])) doubt(notes, "a usage that is none");
  const numbers = Object.entries(members(chunk["usageMetadata"])).filter(([, value]) => typeof value === "number");
  state.usage = { ...state.usage, ...Object.fromEntries(numbers) };
  if (chunk["candidates"] !== undefined && !Array.isArray(chunk["candidates"])) blur(notes, "candidates that are no list");
  const all = list(chunk["candidates"]).map(members);
  if (all.length === 0) blur(notes, "a chunk without a candidate");
  if (list(chunk["candidates"]).some((candidate) => !isObject(candidate))) doubt(notes, "a candidate that is none");
  if (all.length > 1 || all.some(({ index }) => (index ?? 0) !== 0)) return blur(notes, "a candidate of another number");
  for (const candidate of all) takeCandidate(state, candidate);
}

function takeCandidate(state: State, candidate: Fields): void {
  const { notes } = state;
  const { content, finishReason } = candidate;
  const parts = members(content)["parts"];
  if ((content !== undefined && !isObject(content)) || (parts !== undefined && !Array.isArray(parts)))
    blur(notes, "content that cannot be read");
  if (list(parts).some((part) => !isObject(part))) blur(notes, "a part that is none");
  const says = list(parts)
    .map((part) => takePart(state, members(part)))
    .includes(true);
  if (says) {
    state.contents++;
    state.standing = false;
  }
  const word = said(finishReason);
  state.plainEnd = word !== undefined && !says;
  if (finishReason !== undefined && word === undefined) doubt(notes, "a word that is none");
  if (word === undefined) return;
  if (says) state.stamped++;
  if (word === "null") return doubt(notes, "a word that is none");
  notes.words.push(meaningOf(word));
  state.standing = true;
}

const known = ["text", "thought", "thoughtSignature", "functionCall", "executableCode", "codeExecutionResult"];

/** Whether the part says anything. */
function takePart(state: State, part: Fields): boolean {
  const { notes } = state;
  if (Object.keys(part).some((key) => !known.includes(key))) doubt(notes, "a part of another kind");
  for (const key of ["functionCall", "executableCode", "codeExecutionResult"]) {
    if (part[key] !== undefined && !isObject(part[key])) blur(notes, "a part that cannot be read");
  }
  if (part["functionCall"] !== undefined) {
    return takeCall(state, members(part["functionCall"]));
  }
  if (part["executableCode"] !== undefined) {
    if (state.working) state.waited = true;
    state.working = true;
  }
  if (part["codeExecutionResult"] !== undefined) {
    if (!state.working) doubt(notes, "a result without its step");
    state.working = false;
  }
  if (part["text"] !== undefined && typeof part["text"] !== "string") blur(notes, "a text that is not text");
  if (part["thought"] !== undefined && typeof part["thought"] !== "boolean") doubt(notes, "a thought that is neither");
  const words = text(part["text"]) ?? "";
  if (part["thought"] !== true) state.texts.push(words);
  return words !== "" || part["executableCode"] !== undefined || part["codeExecutionResult"] !== undefined;
}

function takeCall({ notes, calls }: State, call: Fields): boolean {
  const { name, id, args, willContinue } = call;
  const last = calls.at(-1);
  if (call["partialArgs"] !== undefined && !Array.isArray(call["partialArgs"])) blur(notes, "pieces that are no list");
  if (last?.open) {
    if (said(name) !== undefined || said(id) !== undefined || args !== undefined) blur(notes, "a call inside another");
    last.pieces.push(...partialArgs(call));
    last.open = willContinue === true;
    return true;
  }
  if (Object.keys(call).length === 0) {
    doubt(notes, "the end of a call that never began");
    return false;
  }
  if (![name, id].some(said) && args === undefined) blur(notes, "a call that says nothing");
  for (const member of [name, id]) if (member !== undefined && typeof member !== "string") blur(notes, "a name or an id that is not text");
  if (args !== undefined && args !== null && !isObject(args)) blur(notes, "arguments that are no object");
  const isStreamed = willContinue === true || call["partialArgs"] !== undefined;
  if (isStreamed && args !== undefined) blur(notes, "a call both whole and in pieces");
  if (willContinue !== undefined && typeof willContinue !== "boolean") blur(notes, "a call that may continue");
  const whole = isObject(args) ? JSON.stringify(args) : "";
  calls.push({
    name: said(name),
    id: said(id),
    text: isStreamed ? undefined : whole,
    pieces: [...partialArgs(call)],
    open: willContinue === true,
  });
  return true;
}

function saidBy(notes: Notes, { name, id, text: whole, pieces, open }: Call): Said {
  if (open) blur(notes, "arguments that go on");
  const value = whole === undefined ? assembled(pieces) : undefined;
  if (whole === undefined && value === undefined) blur(notes, "arguments whose pieces do not fit");
  return { name, id, text: whole ?? JSON.stringify(value ?? {}), free: false, restated: false };
}
