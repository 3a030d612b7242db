import { type Fields, isObject, listOrEmpty, members, nonBlank, numberOrNone } from "../json.ts";
import { Notes } from "../notes.ts";
import type { Reading } from "../reading.ts";
import type { Received } from "../received.ts";
import { decideReading } from "../settle.ts";
import {
  type BlockKind,
  type ConversePart,
  converseCall,
  converseText,
  hasOpenStep,
  isListOfObjects,
  pieceOf,
  startedKind,
} from "./blocks.ts";
import { converseMeaning } from "./stops.ts";

class ConverseState {
  readonly notes = new Notes();
  /** All blocks in the order of their beginning. */
  readonly blocks: ConversePart[] = [];
  readonly byIndex = new Map<number, ConversePart>();
  hasBegun = false;
  hasStop = false;
  hasMetadata = false;
}

/**
 * Follows https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 * and doubts everything that it does not allow.
 */
export function readConverse(received: Received, host: string): Reading {
  const state = new ConverseState();
  const { notes, blocks } = state;
  for (const event of received.events) {
    if (received.whole) takeReply(state, members(event));
    else takeConverseEvent(state, members(event));
  }
  const isOver = state.hasStop && (state.hasMetadata || host === "without-metadata");
  notes.damage(received, isOver);
  const isClaimed = isOver && !state.hasMetadata;
  notes.doubt("a lost connection after the stop reason", received.reset && isClaimed);
  notes.doubt("no beginning", !state.hasBegun);
  const open = blocks.filter(({ closed }) => !closed);
  notes.suspicion("an unclosed call", open.some(isCall));
  notes.doubt(
    "an unclosed block",
    open.some(({ kind }) => kind !== "text"),
  );
  const calls = blocks.filter(isCall).map((block) => converseCall(notes, block));
  const serverToolOpen = hasOpenStep(notes, blocks);
  return decideReading({
    ...notes.facts(),
    capUnclear: blocks.some(({ kind }) => kind === "step" || kind === "result"),
    calls,
    text: blocks.map(converseText).join(""),
    end: isOver ? "came" : "missing",
    serverToolOpen,
    closesInputs: true,
  });
}

const isCall = ({ kind }: ConversePart): boolean => kind === "call";

type TakeEvent = (state: ConverseState, event: Fields) => void;
const converseHandlers: Readonly<Record<string, TakeEvent>> = {
  messageStart: takeMessageStart,
  contentBlockStart: takeBlockStart,
  contentBlockDelta: takeBlockDelta,
  contentBlockStop: takeBlockStop,
  messageStop: takeStop,
  metadata: takeMetadata,
};

/** An event is an object with its type as the member. */
function takeConverseEvent(state: ConverseState, event: Fields): void {
  for (const [type, payload] of Object.entries(event)) {
    const isError = type === ":error" || type.endsWith("Exception");
    state.notes.flaw("an error report", isError);
    if (Object.hasOwn(converseHandlers, type)) converseHandlers[type]?.(state, members(payload));
  }
}

function takeMessageStart(state: ConverseState): void {
  state.notes.doubt("a second beginning", state.hasBegun);
  state.notes.flaw("a second beginning after content", state.blocks.length > 0);
  state.hasBegun = true;
}

function indexOf({ notes }: ConverseState, { contentBlockIndex }: Fields): number {
  const index = numberOrNone(contentBlockIndex);
  notes.ambiguity("a block without a number", index === undefined);
  return index ?? 0;
}

function noteContentAfterStop({ notes, hasStop, hasMetadata }: ConverseState): void {
  notes.doubt("content after the stop reason", hasStop);
  notes.doubt("content after the usage", hasMetadata);
}

function begin(state: ConverseState, index: number, kind: BlockKind, start: Fields): ConversePart {
  const { notes, blocks, byIndex } = state;
  notes.ambiguity("a number that is used twice", byIndex.has(index));
  const highest = Math.max(-1, ...byIndex.keys());
  notes.ambiguity("a number that is left out or late", index !== highest + 1);
  const block = { kind, start, pieces: [], closed: false };
  blocks.push(block);
  byIndex.set(index, block);
  return block;
}

function takeBlockStart(state: ConverseState, event: Fields): void {
  const { notes, byIndex } = state;
  noteContentAfterStop(state);
  const index = indexOf(state, event);
  const start = members(event["start"]);
  const kind = startedKind(notes, start);
  notes.flaw("a block that starts twice", byIndex.get(index)?.closed === false);
  if (kind === undefined) return notes.ambiguity("a start of an unknown type");
  const [said] = Object.values(start);
  begin(state, index, kind, members(said));
}

function takeBlockDelta(state: ConverseState, event: Fields): void {
  const { notes, byIndex } = state;
  noteContentAfterStop(state);
  const index = indexOf(state, event);
  const piece = pieceOf(notes, members(event["delta"]));
  if (piece === undefined) return notes.ambiguity("a piece of an unknown type");
  notes.ambiguity("a piece without its text", piece.text === undefined);
  const open = byIndex.get(index);
  if (open === undefined || open.closed) {
    if (!piece.begins) return notes.flaw("a piece of a block that is not open");
    begin(state, index, piece.kind, {}).pieces.push(piece.text ?? "");
    return;
  }
  const isLate = open !== state.blocks.at(-1) && open.kind !== "call";
  notes.doubt("a piece of a block before the last one", isLate);
  const fits = open.kind === piece.kind || (open.kind === "step" && piece.kind === "call");
  if (!fits) return notes.ambiguity("a piece that does not fit its block");
  open.pieces.push(piece.text ?? "");
}

function takeBlockStop(state: ConverseState, event: Fields): void {
  const { notes, byIndex } = state;
  const block = byIndex.get(indexOf(state, event));
  if (block === undefined) return notes.ambiguity("the end of a block that did not begin");
  notes.doubt("a second end of a block", block.closed);
  notes.doubt("the end of a block after the stop reason", state.hasStop);
  block.closed = true;
}

function takeStop(state: ConverseState, { stopReason }: Fields): void {
  const { notes } = state;
  notes.doubt("a second stop reason", state.hasStop);
  notes.doubt("a stop reason after the usage", state.hasMetadata);
  const stop = nonBlank(stopReason);
  if (stop === undefined || stop === "null") return notes.doubt("an invalid stop reason");
  state.hasStop = true;
  notes.stops.push(converseMeaning(stop));
}

function takeMetadata(state: ConverseState, { usage }: Fields): void {
  const { notes } = state;
  notes.doubt("a second usage", state.hasMetadata);
  const output = members(usage)["outputTokens"];
  notes.doubt("an invalid usage", usage !== undefined && !isObject(usage));
  notes.doubt("an invalid count", output !== undefined && typeof output !== "number");
  notes.output = numberOrNone(output) ?? notes.output;
  state.hasMetadata = true;
}

/** The body of Converse. */
function takeReply(state: ConverseState, reply: Fields): void {
  const { notes } = state;
  state.hasBegun = true;
  const content = members(members(reply["output"])["message"])["content"];
  notes.ambiguity("content that is not a list of blocks", !isListOfObjects(content));
  for (const [index, block] of listOrEmpty(content).entries())
    takeWholeBlock(state, index, members(block));
  takeStop(state, reply);
  takeMetadata(state, reply);
}

function takeWholeBlock(state: ConverseState, index: number, block: Fields): void {
  const { notes } = state;
  const { toolUse, toolResult, text, reasoningContent } = block;
  if (toolUse !== undefined || toolResult !== undefined) {
    const kind = startedKind(notes, block) ?? "other";
    const said = members(toolUse ?? toolResult);
    const hasNoInput = toolUse !== undefined && !isObject(said["input"]);
    notes.ambiguity("an input that is not an object", hasNoInput);
    const { content = [] } = said;
    notes.doubt("a result that is not a list", !isListOfObjects(content));
    begin(state, index, kind, said).closed = true;
    return;
  }
  const piece = pieceOf(notes, text === undefined ? thoughtOf(reasoningContent) : block);
  notes.ambiguity("a block that cannot be read", piece?.text === undefined);
  const begun = begin(state, index, piece?.kind ?? "other", {});
  begun.pieces.push(piece?.text ?? "");
  begun.closed = true;
}

/** The reasoning of a whole reply, as a stream would send it. */
function thoughtOf(reasoning: unknown): Fields {
  const { reasoningText, ...rest } = members(reasoning);
  if (reasoningText === undefined) return { reasoningContent: rest };
  return isObject(reasoningText) ? { reasoningContent: reasoningText } : {};
}
