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
import type { Reading } from "../reading.ts";
import { doneMarker, type Received } from "../received.ts";
import { decideReading } from "../settle.ts";
import {
  blockText,
  hasOnlyTexts,
  hasOpenServerTool,
  isServerTool,
  missingBlock,
  type ReceivedBlock,
  toolUse,
} from "./blocks.ts";
import { anthropicMeaningsOf } from "./stops.ts";

class AnthropicState {
  readonly notes = new Notes();
  readonly blocks: ReceivedBlock[] = [];
  /** Indices of blocks that ended before they began. */
  readonly endedEarly = new Set<number>();
  begun: string | undefined;
  /** A stop reason came. */
  hasStop = false;
  ended = false;
}

/**
 * Follows https://platform.claude.com/docs/en/build-with-claude/streaming and doubts everything
 * that it does not allow.
 */
export function readAnthropic(received: Received, host: string): Reading {
  const state = new AnthropicState();
  const { notes, blocks } = state;
  for (const event of received.events) {
    if (event === doneMarker) continue;
    if (received.whole) takeWholeMessage(state, members(event));
    else takeEvent(state, members(event));
  }
  const isOver = state.ended || (host === "without-stop" && state.hasStop);
  notes.damage(received, state.ended);
  noteBlocks(state);
  const calls = blocks
    .filter(({ type }) => type === "tool_use")
    .map((block) => toolUse(notes, block));
  const working = hasOpenServerTool(notes, blocks);
  return decideReading({
    ...notes.facts(),
    capUnclear: blocks.some((block) => isServerTool(block) || "tool_use_id" in block.start),
    calls,
    text: blocks.map(blockText).join(""),
    end: isOver ? "came" : "missing",
    serverToolOpen: working,
    closesInputs: true,
  });
}

/** Checks that need all blocks. */
function noteBlocks({ notes, blocks, endedEarly: early, begun }: AnthropicState): void {
  notes.doubt("no beginning", begun === undefined);
  for (const { type, closed } of blocks)
    notes[type === "tool_use" ? "flaw" : "doubt"]("an unclosed block", !closed);
  for (const index of early)
    notes[index < blocks.length ? "doubt" : "flaw"]("the end of a block that did not begin");
  const isGone = blocks.some(({ type }) => type === missingBlock);
  notes.flaw("a missing block: its number is left out", isGone);
  const isOdd = blocks.some(({ start }) => !hasOnlyTexts(start));
  notes.doubt("another type in place of a text", isOdd);
}

function takeEvent(state: AnthropicState, event: Fields): void {
  const handlers: Readonly<Record<string, (state: AnthropicState, event: Fields) => void>> = {
    message_start: startMessage,
    content_block_start: startBlock,
    content_block_delta: addDelta,
    content_block_stop: stopBlock,
    message_delta: takeMessageDelta,
    message_stop: stopMessage,
    message: ({ notes }) => notes.ambiguity("a complete message in a stream"),
    error: ({ notes }) => notes.flaw("an error report"),
    ping: () => undefined,
  };
  const type = textOrNone(event["type"]);
  if (type !== undefined && Object.hasOwn(handlers, type)) handlers[type]?.(state, event);
  else if (event["error"]) state.notes.flaw("an error report");
  else if (event["delta"] || type === undefined) noteUnknown(state, event);
}

function startMessage(state: AnthropicState, event: Fields): void {
  const json = JSON.stringify(event);
  const isSame =
    state.begun === json &&
    state.blocks.length === 0 &&
    nonBlank(members(event["message"])["id"]) !== undefined;
  state.notes.doubt("a second beginning", state.begun !== undefined && !isSame);
  state.notes.doubt("a beginning behind content", state.blocks.length > 0);
  state.notes.doubt("a second beginning after the stop reason", state.hasStop);
  state.notes.doubt("a beginning without a message", !isObject(event["message"]));
  state.begun = json;
}

function noteContentAfterEnd({ notes, hasStop: worded, ended }: AnthropicState): void {
  notes.ambiguity("content after the end", ended);
  notes.doubt("content after the stop reason", worded);
}

function startBlock(state: AnthropicState, event: Fields): void {
  const { notes, blocks } = state;
  noteContentAfterEnd(state);
  const start = members(event["content_block"]);
  const index = numberOrNone(event["index"]);
  const type = textOrNone(start["type"]);
  if (index === undefined || type === undefined || !(index >= 0 && index < 1000))
    return notes.ambiguity("a block without a number or type");
  const known = blocks[index];
  notes.ambiguity("a number that is used twice or late", known !== undefined);
  if (known !== undefined && known.type !== missingBlock) {
    known.startsAgain = true;
    return;
  }
  while (blocks.length < index && index < 1000)
    blocks.push({ type: missingBlock, start: {}, pieces: [], closed: true });
  blocks[index] = { type, start, pieces: [], closed: false };
}

/** The member of each delta type, and the blocks that it belongs to. */
const deltas: Readonly<Record<string, readonly [member: string, blocks: RegExp]>> = {
  text_delta: ["text", /^text$/],
  thinking_delta: ["thinking", /^thinking$/],
  signature_delta: ["signature", /^thinking$/],
  input_json_delta: ["partial_json", /tool_use$/],
};

/** Without a piece of its input, a call is another one. */
function noteUnknown({ notes, blocks }: AnthropicState, event: Fields): void {
  const block = blocks[numberOrNone(event["index"]) ?? -1];
  const piece = members(event["delta"])["partial_json"];
  const isPiece = piece !== undefined && !isEmptyPiece(piece);
  notes[isPiece && block?.type === "tool_use" ? "flaw" : "doubt"]("an event of an unknown type");
}

/** It holds nothing, of any type: https://github.com/sgl-project/sglang/issues/24293 */
const isEmptyPiece = (piece: unknown): boolean => piece === null || piece === "";

const noteClosed = (notes: Notes, piece: unknown): void =>
  notes[isEmptyPiece(piece) ? "doubt" : "flaw"]("a delta of a block that is not open");

function addDelta(state: AnthropicState, event: Fields): void {
  const { notes, blocks } = state;
  noteContentAfterEnd(state);
  const block = blocks[numberOrNone(event["index"]) ?? -1];
  // A bridge may count blocks anew in one message: https://github.com/coder/coder/pull/29044
  if (block?.startsAgain) return notes.doubt("a piece of a block that starts again");
  const delta = members(event["delta"]);
  const type = textOrNone(delta["type"]) ?? "";
  const [member, fits] = deltas[type] ?? [];
  if (block === undefined || block.closed) return noteClosed(notes, delta[member ?? ""]);
  if (member === undefined || fits === undefined) return noteUnknown(state, event);
  const piece = delta[member];
  const isMisplaced = typeof piece !== "string" || !fits.test(block.type);
  if (isMisplaced) notes.ambiguity("a delta that does not fit its block", !isEmptyPiece(piece));
  else if (type !== "signature_delta") block.pieces.push(piece);
}

function stopBlock(state: AnthropicState, event: Fields): void {
  const block = state.blocks[numberOrNone(event["index"]) ?? -1];
  if (numberOrNone(event["index"]) === undefined)
    return state.notes.doubt("the end of a block without a number");
  if (block === undefined) return void state.endedEarly.add(Number(event["index"]));
  state.notes.doubt("a second end of a block", block.closed);
  if (!block.closed) noteContentAfterEnd(state);
  block.closed = true;
}

function takeMessageDelta(state: AnthropicState, event: Fields): void {
  const { notes } = state;
  notes.doubt("a stop event without a delta", !isObject(event["delta"]));
  const delta = members(event["delta"]);
  notes.doubt("a stop reason after the end", state.ended);
  takeStopReason(state, delta);
  const output = numberOrNone(members(event["usage"])["output_tokens"]);
  if (output !== undefined) notes.output = Math.max(notes.output ?? 0, output);
}

function takeStopReason(
  state: AnthropicState,
  { stop_reason: reason, stop_sequence: sequence, finish_reason: other }: Fields,
): void {
  const { notes } = state;
  notes.secondWord(other, nonBlank(reason) !== undefined);
  if (nonBlank(reason) !== undefined && reason !== "null") {
    state.hasStop = true;
    notes.stops.push(...anthropicMeaningsOf(String(reason), sequence));
    notes.doubt(
      "a stop sequence that is not a string",
      !isNullish(sequence) && (typeof sequence !== "string" || sequence === ""),
    );
  } else if (typeof sequence === "string" && sequence !== "") {
    state.hasStop = true;
    notes.stops.push("sequence");
    notes.doubt("a stop sequence without a stop reason");
  } else if (reason !== undefined && reason !== null) notes.doubt("an invalid stop reason");
}

function stopMessage(state: AnthropicState): void {
  if (state.hasStop) state.ended = true;
  else state.notes.doubt("an end before the stop reason");
}

function takeWholeMessage(state: AnthropicState, message: Fields): void {
  const { notes } = state;
  state.begun = "";
  if (message["type"] === "error" || message["error"]) return notes.flaw("an error report");
  if (message["type"] !== "message") return notes.doubt("a body that is not a message");
  notes.ambiguity("content that is not a list", !Array.isArray(message["content"]));
  for (const block of listOrEmpty(message["content"])) {
    const type = textOrNone(members(block)["type"]);
    notes.ambiguity("a block without a type", type === undefined);
    state.blocks.push({ type: type ?? "", start: members(block), pieces: [], closed: true });
  }
  takeStopReason(state, message);
  notes.output = numberOrNone(members(message["usage"])["output_tokens"]);
  state.ended = state.hasStop;
}
