import {
  count,
  type Fields,
  isNullish,
  isObject,
  jsonValue,
  list,
  members,
  said,
  text,
} from "../json.ts";
import { blur, createNotes, doubt, factsOf, flaw, type Notes, noteDamage } from "../notes.ts";
import type { Reading, Said } from "../reading.ts";
import { done, type Received } from "../received.ts";
import { settle } from "../settle.ts";
import { meaningsOf } from "./words.ts";

interface Block {
  readonly type: string;
  readonly start: Fields;
  readonly pieces: string[];
  closed: boolean;
}
interface State {
  readonly notes: Notes;
  readonly blocks: Block[];
  /** Numbers of blocks that ended before they began. */
  readonly early: Set<number>;
  begun?: string;
  /** A word came, and nothing behind it but the end. */
  worded: boolean;
  ended: boolean;
}

/** Follows https://platform.claude.com/docs/en/build-with-claude/streaming to the letter, and doubts what it does not allow. */
export function read(received: Received, host: string): Reading {
  const state: State = {
    notes: createNotes(),
    blocks: [],
    early: new Set(),
    worded: false,
    ended: false,
  };
  const { notes, blocks } = state;
  for (const event of received.events) {
    if (event === done) continue;
    if (received.whole) takeWhole(state, members(event));
    else take(state, members(event));
  }
  const isOver = state.ended || (host === "without-stop" && state.worded);
  noteDamage(notes, received, state.ended);
  noteBlocks(state);
  const calls = blocks
    .filter(({ type }) => type === "tool_use")
    .map((block) => callOf(notes, block));
  const working = isWorking(notes, blocks);
  return settle({
    ...factsOf(notes),
    uncapped: blocks.some((block) => isServed(block) || "tool_use_id" in block.start),
    calls,
    text: blocks.map(textOf).join(""),
    end: isOver ? "came" : "missing",
    working,
    closes: true,
  });
}

const isServed = ({ type }: Block): boolean => type !== "tool_use" && type.endsWith("tool_use");

/** What can only be said of the blocks when all have come. */
function noteBlocks({ notes, blocks, early, begun }: State): void {
  doubt(notes, "it never began", begun === undefined);
  for (const { type, closed } of blocks)
    (type === "tool_use" ? flaw : doubt)(notes, "a block of it was never closed", !closed);
  for (const index of early)
    (index < blocks.length ? doubt : flaw)(notes, "the end of a block that never began");
  const isGone = blocks.some(({ type }) => type === missing);
  flaw(notes, "a block is missing: the numbers leave one out", isGone);
  const isOdd = blocks.some(({ start }) => !holdsTexts(start));
  doubt(notes, "something else where a text belongs", isOdd);
}

function take(state: State, event: Fields): void {
  const handlers: Readonly<Record<string, (state: State, event: Fields) => void>> = {
    message_start: begin,
    content_block_start: open,
    content_block_delta: add,
    content_block_stop: close,
    message_delta: word,
    message_stop: end,
    message: ({ notes }) => blur(notes, "a whole message inside a stream"),
    error: ({ notes }) => flaw(notes, "it reports an error"),
    ping: () => undefined,
  };
  const type = text(event["type"]);
  if (type !== undefined && Object.hasOwn(handlers, type)) handlers[type]?.(state, event);
  else if (event["error"]) flaw(state.notes, "it reports an error");
  else if (type === undefined) doubt(state.notes, "an event has no type");
}

function begin(state: State, event: Fields): void {
  const json = JSON.stringify(event);
  const isSame =
    state.begun === json &&
    state.blocks.length === 0 &&
    said(members(event["message"])["id"]) !== undefined;
  doubt(state.notes, "it begins twice", state.begun !== undefined && !isSame);
  doubt(state.notes, "a beginning behind its word", state.worded);
  doubt(state.notes, "it begins without a message", !isObject(event["message"]));
  state.begun = json;
}

function isContent({ notes, worded, ended }: State): void {
  blur(notes, "content behind its end", ended);
  doubt(notes, "content behind its word", worded);
}

/** Stands for a block that the numbers leave out. */
const missing = "missing";

function open(state: State, event: Fields): void {
  const { notes, blocks } = state;
  isContent(state);
  const start = members(event["content_block"]);
  const index = count(event["index"]);
  const type = text(start["type"]);
  if (index === undefined || type === undefined || !(index >= 0 && index < 1000))
    return blur(notes, "a block without its number or type");
  const known = blocks[index];
  blur(notes, "a number is used twice, or late", known !== undefined);
  if (known !== undefined && known.type !== missing) return;
  while (blocks.length < index && index < 1000)
    blocks.push({ type: missing, start: {}, pieces: [], closed: true });
  blocks[index] = { type, start, pieces: [], closed: false };
}

/** Which member a listed delta brings, and to which blocks it belongs. */
const deltas: Readonly<Record<string, readonly [member: string, blocks: RegExp]>> = {
  text_delta: ["text", /^text$/],
  thinking_delta: ["thinking", /^thinking$/],
  signature_delta: ["signature", /^thinking$/],
  input_json_delta: ["partial_json", /tool_use$/],
};

function add(state: State, event: Fields): void {
  const { notes, blocks } = state;
  isContent(state);
  const block = blocks[count(event["index"]) ?? -1];
  if (block === undefined || block.closed)
    return flaw(notes, "a piece of a block that is not open");
  const delta = members(event["delta"]);
  const type = text(delta["type"]) ?? "";
  const [member, fits] = deltas[type] ?? [];
  if (member === undefined || fits === undefined)
    return doubt(notes, "a piece of a kind that is not known");
  const piece = text(delta[member]);
  if (piece === undefined || !fits.test(block.type))
    return blur(notes, "a piece that does not fit its block");
  if (type !== "signature_delta") block.pieces.push(piece);
}

function close(state: State, event: Fields): void {
  const block = state.blocks[count(event["index"]) ?? -1];
  if (count(event["index"]) === undefined)
    return doubt(state.notes, "the end of a block without its number");
  if (block === undefined) return void state.early.add(Number(event["index"]));
  doubt(state.notes, "a block ends twice", block.closed);
  if (!block.closed) isContent(state);
  block.closed = true;
}

function word(state: State, event: Fields): void {
  const { notes } = state;
  doubt(notes, "a word without its delta", !isObject(event["delta"]));
  const delta = members(event["delta"]);
  doubt(notes, "a word behind its end", state.ended);
  takeWord(state, delta);
  notes.output = count(members(event["usage"])["output_tokens"]) ?? notes.output;
}

function takeWord(state: State, { stop_reason: reason, stop_sequence: sequence }: Fields): void {
  const { notes } = state;
  if (said(reason) !== undefined && reason !== "null") {
    state.worded = true;
    notes.words.push(...meaningsOf(String(reason), sequence));
    doubt(
      notes,
      "a stop sequence that is not text",
      !isNullish(sequence) && (typeof sequence !== "string" || sequence === ""),
    );
  } else if (typeof sequence === "string" && sequence !== "") {
    state.worded = true;
    notes.words.push("sequence");
    doubt(notes, "a stop sequence without a word");
  } else if (reason !== undefined && reason !== null) doubt(notes, "a word that is none");
}

function end(state: State): void {
  if (state.worded) state.ended = true;
  else doubt(state.notes, "an end before its word");
}

function takeWhole(state: State, message: Fields): void {
  const { notes } = state;
  state.begun = "";
  if (message["type"] === "error" || message["error"]) return flaw(notes, "it reports an error");
  if (message["type"] !== "message") return doubt(notes, "it is not a message");
  blur(notes, "its content is no list", !Array.isArray(message["content"]));
  for (const block of list(message["content"])) {
    const type = text(members(block)["type"]);
    blur(notes, "a block without its type", type === undefined);
    state.blocks.push({ type: type ?? "", start: members(block), pieces: [], closed: true });
  }
  takeWord(state, message);
  notes.output = count(members(message["usage"])["output_tokens"]);
  state.ended = state.worded;
}

function callOf(notes: Notes, { start, pieces }: Block): Said {
  const { id, name, input } = start;
  const given = typeof input === "object" && input !== null ? JSON.stringify(input) : "";
  const joined = pieces.join("");
  blur(
    notes,
    "an input that is neither an object nor to come",
    Array.isArray(input) ||
      !["object", "undefined"].includes(typeof (input === "" ? undefined : input)),
  );
  blur(notes, "an input both whole and in pieces", joined !== "" && given !== "" && given !== "{}");
  blur(notes, "a name that is not text", name !== undefined && typeof name !== "string");
  doubt(notes, "an id that is not text", id !== undefined && typeof id !== "string");
  return {
    name: said(name),
    id: said(id),
    text: joined === "" ? given : joined,
    free: false,
    restated: false,
  };
}

const holdsTexts = (start: Fields): boolean =>
  ["text", "thinking", "signature"].every(
    (member) => start[member] === undefined || typeof start[member] === "string",
  );

function textOf({ type, start, pieces }: Block): string {
  return type === "text" ? (text(start["text"]) ?? "") + pieces.join("") : "";
}

/** A server tool without its result. */
function isWorking(notes: Notes, blocks: readonly Block[]): boolean {
  const answered = new Set(blocks.map(({ start }) => start["tool_use_id"]));
  const open = blocks.filter((block) => isServed(block) && !answered.has(block.start["id"]));
  doubt(
    notes,
    "a server tool whose input cannot be read",
    open.some(({ pieces }) => pieces.length > 0 && jsonValue(pieces.join("")) === undefined),
  );
  return open.length > 0;
}
