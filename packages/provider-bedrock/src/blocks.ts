import { type Emit, refuseOtherNames, stringifyJson } from "@fullstop/core/adapter";
import type { BlockDelta, BlockStart, WholeBlock } from "./events.ts";
import { type BlockReader, type TextType, typesOf } from "./reader.ts";
import { readReasoning, readText } from "./text.ts";
import { readServerCall, readServerResult, readToolUse } from "./tool-use.ts";

export interface Blocks {
  start(index: number, start: BlockStart): void;
  delta(index: number, delta: BlockDelta): void;
  stop(index: number): void;
  hasBlocks(): boolean;
  /** Throws if the reply has calls and a block is missing: it may be a call. */
  assertComplete(): void;
  usedServerTools(): boolean;
}

const textReaders: Readonly<Record<TextType, (emit: Emit) => BlockReader>> = {
  text: readText,
  thinking: readReasoning,
};

export function createBlocks(emit: Emit): Blocks {
  const open = new Map<number, BlockReader>();
  const seen = new Set<number>();
  let count = 0;
  let hasCalls = false;
  let usedServerTools = false;
  let lastText: TextType | undefined;
  const begin = (index: number, reader: BlockReader): BlockReader => {
    count++;
    usedServerTools ||= reader.isServerTool === true;
    // Two blocks of text in a row stay two.
    if (reader.textType !== undefined && reader.textType === lastText)
      emit({ type: "provider-data", data: null });
    lastText = undefined;
    open.set(index, reader);
    return reader;
  };
  const stop = (index: number): void => {
    seen.add(index);
    const reader = open.get(index);
    if (reader === undefined) return;
    open.delete(index);
    lastText = reader.stop() ? reader.textType : undefined;
  };
  return {
    start(index, start) {
      if (open.has(index)) throw new Error(`The reply starts content block ${index} twice.`);
      seen.add(index);
      const { toolUse } = start;
      hasCalls ||= Boolean(toolUse && isOfCaller(toolUse));
      const reader = readStarted(emit, count, start);
      if (reader !== undefined) begin(index, reader);
    },
    delta(index, delta) {
      seen.add(index);
      const type = textTypeOf(delta);
      const current = open.get(index);
      // Text and reasoning have no start, and some models send no end between the two.
      if (current?.textType !== undefined && type !== undefined && current.textType !== type)
        stop(index);
      const reader = open.get(index) ?? (type && begin(index, textReaders[type](emit)));
      if (reader !== undefined) return reader.delta(delta);
      if (typesOf(delta).length > 0)
        throw new Error(`The reply continues content block ${index}, which is not open.`);
    },
    stop,
    hasBlocks: () => count > 0,
    assertComplete: () => (hasCalls ? assertNoGap(seen) : undefined),
    usedServerTools: () => usedServerTools,
  };
}

/** Whether the caller runs the tool, not the service. */
const isOfCaller = ({ type }: NonNullable<BlockStart["toolUse"]>): boolean =>
  type === undefined || type === null;

/** Blocks are numbered without gaps, and may begin anywhere: some models omit an empty block. */
function assertNoGap(indices: ReadonlySet<number>): void {
  const sorted = [...indices].toSorted((a, b) => a - b);
  for (const [position, index] of sorted.entries()) {
    const before = sorted[position - 1] ?? index;
    if (index - before > 1)
      throw new Error(
        `The reply has content blocks ${before} and ${index}, and none between them: a block was lost.`,
      );
  }
}

function textTypeOf({ text, citation, reasoningContent }: BlockDelta): TextType | undefined {
  if (reasoningContent) return "thinking";
  return typeof text === "string" || citation ? "text" : undefined;
}

/** `undefined` for a block that begins with its first piece. */
function readStarted(emit: Emit, key: number, start: BlockStart): BlockReader | undefined {
  const { toolUse, toolResult, image } = start;
  refuseOtherNames("tool call", start, ["toolUse"]);
  if (toolResult) return readServerResult(emit, toolResult);
  if (image) return readImage(emit, image);
  if (!toolUse) return undefined;
  return isOfCaller(toolUse) ? readToolUse(emit, key, toolUse) : readServerCall(emit, toolUse);
}

function readImage(emit: Emit, image: object): BlockReader {
  const pieces: object[] = [];
  return {
    delta: (delta) => {
      if (delta.image) pieces.push(delta.image);
    },
    stop() {
      emit({ type: "native", data: { image: Object.assign({}, image, ...pieces) } });
      return false;
    },
  };
}

/** Reads a block of a reply in one piece. One of an unknown type is kept verbatim. */
export function readWhole(emit: Emit, blocks: Blocks, index: number, block: WholeBlock): void {
  const deltas = deltasOf(block);
  if (deltas.length === 0) {
    blocks.stop(index);
    refuseOtherNames("tool call", block);
    return emit({ type: "native", data: block });
  }
  const { toolUse, toolResult } = block;
  const { input: _, ...call } = toolUse ?? {};
  const { content: __, ...result } = toolResult ?? {};
  blocks.start(index, {
    ...(toolUse && { toolUse: call }),
    ...(toolResult && { toolResult: result }),
  });
  for (const delta of deltas) blocks.delta(index, delta);
  blocks.stop(index);
}

function deltasOf({ text, toolUse, toolResult, ...block }: WholeBlock): readonly BlockDelta[] {
  const { content, citations } = block.citationsContent ?? {};
  const { reasoningText, redactedContent } = block.reasoningContent ?? {};
  return [
    ...(isGiven(text) ? [{ text }] : []),
    ...(content ?? []).map((part) => ({ text: part.text })),
    ...(citations ?? []).map((citation) => ({ citation })),
    ...(isGiven(reasoningText) ? [{ reasoningContent: reasoningText }] : []),
    ...(isGiven(redactedContent) ? [{ reasoningContent: { redactedContent } }] : []),
    ...(isGiven(toolUse) ? [{ toolUse: { input: inputText(toolUse) } }] : []),
    ...(isGiven(toolResult) ? [{ toolResult: toolResult.content ?? [] }] : []),
  ];
}
/** A gateway may write every member of the union, and `null` for those that did not come. */
const isGiven = <Value>(value: Value): value is NonNullable<Value> =>
  value !== undefined && value !== null;

const inputText = ({ input }: NonNullable<WholeBlock["toolUse"]>): string =>
  isGiven(input) ? stringifyJson(input) : "";
