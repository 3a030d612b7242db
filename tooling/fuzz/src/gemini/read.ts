import {
  count,
  type Fields,
  isListOrNone,
  isNullish,
  isObject,
  isTextOrNone,
  list,
  members,
  said,
  text,
} from "../json.ts";
import {
  blur,
  createNotes,
  doubt,
  factsOf,
  flaw,
  type Notes,
  noteDamage,
  suspect,
} from "../notes.ts";
import type { Reading, Said } from "../reading.ts";
import { done, type Received } from "../received.ts";
import { settle } from "../settle.ts";
import { assembled, partialArgs } from "./partial.ts";
import { meaningOf } from "./words.ts";

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
    notes: createNotes(),
    calls: [],
    texts: [],
    contents: 0,
    stamped: 0,
    standing: false,
    plainEnd: false,
    working: false,
    waited: false,
    usage: {},
  };
  const { notes } = state;
  for (const event of received.events) if (event !== done) take(state, members(event));
  noteDamage(notes, received, state.standing);
  doubt(notes, "the connection was lost behind the word", received.reset && state.standing);
  if (state.contents > 1 && state.stamped === state.contents && !state.plainEnd) {
    (state.calls.length > 0 ? suspect : doubt)(notes, "every chunk carries the word");
  }
  suspect(notes, "a step of the service's is still at work", state.working);
  doubt(notes, "a step of the service's has no result", state.waited);
  suspect(
    notes,
    "a call of it was never closed",
    state.calls.some(({ open }) => open),
  );
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
function outputOf({
  candidatesTokenCount: answer,
  thoughtsTokenCount: thoughts,
}: Fields): number | undefined {
  const counts = [count(answer), count(thoughts)].filter((one) => one !== undefined);
  return counts.length === 0 ? undefined : counts.reduce((sum, one) => sum + one, 0);
}

function take(state: State, chunk: Fields): void {
  const { notes } = state;
  if (chunk["error"]) return flaw(notes, "it reports an error");
  if (members(chunk["promptFeedback"])["blockReason"]) notes.words.push("content-filter");
  doubt(
    notes,
    "a usage that is none",
    chunk["usageMetadata"] !== undefined && !isObject(chunk["usageMetadata"]),
  );
  const numbers = Object.entries(members(chunk["usageMetadata"])).filter(
    ([, value]) => typeof value === "number",
  );
  state.usage = { ...state.usage, ...Object.fromEntries(numbers) };
  blur(
    notes,
    "candidates that are no list",
    chunk["candidates"] !== undefined && !Array.isArray(chunk["candidates"]),
  );
  const all = list(chunk["candidates"]).map(members);
  blur(notes, "a chunk without a candidate", all.length === 0);
  doubt(
    notes,
    "a candidate that is none",
    list(chunk["candidates"]).some((candidate) => !isObject(candidate)),
  );
  if (all.length > 1 || all.some(({ index }) => (index ?? 0) !== 0))
    return blur(notes, "a candidate of another number");
  for (const candidate of all) takeCandidate(state, candidate);
}

function takeCandidate(state: State, candidate: Fields): void {
  const { notes } = state;
  const { content, finishReason } = candidate;
  const parts = members(content)["parts"];
  blur(
    notes,
    "content that cannot be read",
    (content !== undefined && !isObject(content)) || (parts !== undefined && !Array.isArray(parts)),
  );
  blur(
    notes,
    "a part that is none",
    list(parts).some((part) => !isObject(part)),
  );
  const says = list(parts)
    .map((part) => takePart(state, members(part)))
    .includes(true);
  if (says) {
    state.contents++;
    state.standing = false;
  }
  const word = said(finishReason);
  state.plainEnd = word !== undefined && !says;
  doubt(notes, "a word that is none", finishReason !== undefined && word === undefined);
  if (word === undefined) return;
  if (says) state.stamped++;
  if (word === "null") return doubt(notes, "a word that is none");
  notes.words.push(meaningOf(word));
  state.standing = true;
}

const known = [
  "text",
  "thought",
  "thoughtSignature",
  "functionCall",
  "executableCode",
  "codeExecutionResult",
];

/** Whether the part says anything. */
function takePart(state: State, part: Fields): boolean {
  const { notes } = state;
  doubt(
    notes,
    "a part of another kind",
    Object.keys(part).some((key) => !known.includes(key)),
  );
  for (const key of ["functionCall", "executableCode", "codeExecutionResult"]) {
    blur(notes, "a part that cannot be read", part[key] !== undefined && !isObject(part[key]));
  }
  if (part["functionCall"] !== undefined) {
    return takeCall(state, members(part["functionCall"]));
  }
  if (part["executableCode"] !== undefined) {
    if (state.working) state.waited = true;
    state.working = true;
  }
  if (part["codeExecutionResult"] !== undefined) {
    doubt(notes, "a result without its step", !state.working);
    state.working = false;
  }
  blur(
    notes,
    "a text that is not text",
    part["text"] !== undefined && typeof part["text"] !== "string",
  );
  doubt(
    notes,
    "a thought that is neither",
    part["thought"] !== undefined && typeof part["thought"] !== "boolean",
  );
  const words = text(part["text"]) ?? "";
  if (part["thought"] !== true) state.texts.push(words);
  return (
    words !== "" ||
    part["executableCode"] !== undefined ||
    part["codeExecutionResult"] !== undefined
  );
}

function takeCall({ notes, calls }: State, call: Fields): boolean {
  const { name, id, args, willContinue } = call;
  const last = calls.at(-1);
  const pieces = partialArgs(call);
  const isOpen = willContinue === true;
  blur(notes, "pieces that are no list", !isListOrNone(call["partialArgs"]));
  if (last?.open) {
    blur(
      notes,
      "a call inside another",
      [said(name), said(id), args].some((member) => member !== undefined),
    );
    last.pieces.push(...pieces);
    last.open = isOpen;
    return true;
  }
  doubt(notes, "the end of a call that never began", Object.keys(call).length === 0);
  if (Object.keys(call).length === 0) return false;
  noteCall(notes, call);
  const isStreamed = isOpen || call["partialArgs"] !== undefined;
  const whole = isObject(args) ? JSON.stringify(args) : "{}";
  calls.push({
    name: said(name),
    id: said(id),
    text: isStreamed ? undefined : whole,
    pieces: [...pieces],
    open: isOpen,
  });
  return true;
}

function noteCall(
  notes: Notes,
  { name, id, args, willContinue, partialArgs: pieces }: Fields,
): void {
  blur(notes, "a call that says nothing", ![name, id].some(said) && args === undefined);
  blur(notes, "a name or an id that is not text", ![name, id].every(isTextOrNone));
  blur(notes, "arguments that are no object", !isNullish(args) && !isObject(args));
  blur(
    notes,
    "a call both whole and in pieces",
    (willContinue === true || pieces !== undefined) && args !== undefined,
  );
  blur(
    notes,
    "a call that may continue",
    willContinue !== undefined && typeof willContinue !== "boolean",
  );
}

function saidBy(notes: Notes, { name, id, text: whole, pieces, open }: Call): Said {
  blur(notes, "arguments that go on", open);
  const value = whole === undefined ? assembled(pieces) : undefined;
  blur(notes, "arguments whose pieces do not fit", whole === undefined && value === undefined);
  return { name, id, text: whole ?? JSON.stringify(value ?? {}), free: false, restated: false };
}
