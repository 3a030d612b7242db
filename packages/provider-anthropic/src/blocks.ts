import type Anthropic from "@anthropic-ai/sdk";
import { type Emit, refuseOtherNames, tryParseJson } from "@fullstop/core/adapter";
import {
  type BlockReader,
  type Delta,
  holdsNothing,
  isEmptyDelta,
  isMisplaced,
  misplacedDelta,
  parseText,
  type StartedBlock,
} from "./deltas.ts";
import { readToolUse } from "./tool-use.ts";

export interface Blocks {
  start(index: number, block: StartedBlock): void;
  delta(index: number, delta: Delta): void;
  stop(index: number): void;
  hasBlocks(): boolean;
  /** Throws if the reply has calls and a block is missing: it may be a call. */
  assertComplete(): void;
  usedServerTools(): boolean;
}

export function createBlocks(emit: Emit, unsignedThinking: boolean): Blocks {
  const open = new Map<number, BlockReader>();
  const numbering = createNumbering();
  let hasCalls = false;
  let openText: NonNullable<BlockReader["textType"]> | "none" = "none";
  let usedServerTools = false;
  return {
    start(index, block) {
      if (open.has(index)) throw new Error(`The reply starts content block ${index} twice.`);
      if (typeof block.type !== "string")
        throw new Error(`The reply starts content block ${index} without a type.`);
      if (openText === textTypes[block.type]) emit({ type: "provider-data", data: null });
      openText = "none";
      usedServerTools ||= isServerCall(block) || "tool_use_id" in block;
      if (isServerCall(block) && !readOnlyTools.has(block.name)) emit({ type: "side-effects" });
      hasCalls ||= block.type === "tool_use";
      numbering.start(index);
      open.set(
        index,
        block.type === "thinking"
          ? readThinking(emit, block, unsignedThinking)
          : readBlock(emit, index, block),
      );
    },
    delta(index, delta) {
      const reader = open.get(index);
      if (reader === undefined && numbering.hasStarted(index) && isEmptyDelta(delta)) return;
      if (reader === undefined)
        throw new Error(`The reply continues content block ${index}, which is not open.`);
      reader.delta(delta);
    },
    stop(index) {
      const reader = open.get(index);
      open.delete(index);
      numbering.stop(index);
      openText = (reader?.stop() === true && reader.textType) || "none";
    },
    hasBlocks: () => numbering.hasBlocks(),
    assertComplete() {
      if (!hasCalls) return;
      numbering.assertComplete();
      for (const [index, { nativeType }] of open)
        if (nativeType)
          throw new Error(`Content block ${index} (${nativeType}) never ended. ${looseBlocksHint}`);
    },
    usedServerTools: () => usedServerTools,
  };
}

/** Texts of one type that no provider data separates would be one. */
const textTypes: Readonly<Record<string, BlockReader["textType"]>> = {
  text: "text",
  thinking: "thinking",
  redacted_thinking: "thinking",
};

/** A block of a type that is not listed here is kept verbatim. */
function readBlock(
  emit: Emit,
  index: number,
  block: Exclude<StartedBlock, Anthropic.ThinkingBlock>,
): BlockReader {
  if (block.type === "text") return readText(emit, block);
  if (block.type === "tool_use") return readToolUse(emit, index, block);
  if (block.type === "redacted_thinking") return readRedacted(emit, block);
  refuseOtherNames("tool call", block);
  return readNative(emit, block);
}

function readText(emit: Emit, block: Anthropic.TextBlock): BlockReader {
  const citations: unknown[] = [...(block.citations ?? [])];
  let isEmpty = true;
  const emitText = (text: string): void => {
    if (text === "") return;
    isEmpty = false;
    emit({ type: "text", text });
  };
  emitText(block.text ?? "");
  return {
    textType: "text",
    delta(delta) {
      if (delta.type === "text_delta") emitText(parseText(delta.text, delta));
      else if (delta.type === "citations_delta") citations.push(delta.citation);
      else if (isMisplaced(delta)) throw misplacedDelta(delta, block);
    },
    stop() {
      if (citations.length > 0 && !isEmpty) emit({ type: "provider-data", data: citations });
      return citations.length === 0 && !isEmpty;
    },
  };
}

/**
 * The signature comes last and in one piece. Thinking that the API withholds has no text, but the
 * API wants it back with its signature. A host without signatures gets an empty one.
 */
function readThinking(emit: Emit, block: Anthropic.ThinkingBlock, unsigned: boolean): BlockReader {
  let signature = block.signature ?? "";
  let isComplete = true;
  let isEmpty = true;
  const emitThinking = (text: string): void => {
    if (text === "") return;
    isEmpty = false;
    emit({ type: "thinking", text });
  };
  emitThinking(block.thinking ?? "");
  return {
    textType: "thinking",
    delta(delta) {
      if (delta.type === "thinking_delta") emitThinking(parseText(delta.thinking, delta));
      else if (delta.type === "signature_delta")
        signature = parseText(delta.signature, delta) || signature;
      else if (isMisplaced(delta)) throw misplacedDelta(delta, block);
      else if (!holdsNothing(delta)) isComplete = false;
    },
    stop() {
      if (!isComplete || (signature === "" && (isEmpty || !unsigned))) return !isEmpty;
      if (isEmpty) emit({ type: "thinking", text: "" });
      emit({ type: "provider-data", data: signature });
      return false;
    },
  };
}

/** Thinking that the API hides. Its block goes back as it came. */
function readRedacted(emit: Emit, block: Anthropic.RedactedThinkingBlock): BlockReader {
  let isComplete = true;
  return {
    nativeType: block.type,
    delta(delta) {
      if (isMisplaced(delta)) throw misplacedDelta(delta, block);
      isComplete = false;
    },
    stop() {
      if (!isComplete) return false;
      emit({ type: "thinking", text: "" });
      emit({ type: "provider-data", data: block });
      return false;
    },
  };
}

type Native = Exclude<
  StartedBlock,
  | Anthropic.TextBlock
  | Anthropic.ThinkingBlock
  | Anthropic.RedactedThinkingBlock
  | Anthropic.ToolUseBlock
>;

/** A block that was cut, or got an unknown delta, is left out: the API would refuse it. */
function readNative(emit: Emit, block: Native): BlockReader {
  const pieces: string[] = [];
  let data: object = block;
  let isComplete = true;
  return {
    nativeType: block.type,
    delta(delta) {
      if (delta.type === "input_json_delta") pieces.push(parseText(delta.partial_json, delta));
      else if (delta.type === "compaction_delta") {
        const { type: _, ...compacted } = delta;
        data = { ...data, ...compacted };
      } else if (!holdsNothing(delta)) isComplete = false;
    },
    stop() {
      const inputText = pieces.join("");
      const input = inputText === "" ? undefined : tryParseJson(inputText);
      if (!isComplete || (inputText !== "" && input === undefined)) return false;
      emit({
        type: "native",
        data: input === undefined ? data : { ...data, input },
        opens: isServerCall(block) ? block.id : undefined,
        closes: "tool_use_id" in block ? block.tool_use_id : undefined,
      });
      return false;
    },
  };
}

/** `server_tool_use`, `mcp_tool_use` and later types of that name. */
const isServerCall = (block: StartedBlock): block is Anthropic.ServerToolUseBlock =>
  block.type !== "tool_use" && /tool_use$/.test(block.type);

/**
 * Server tools without side effects.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools
 */
const readOnlyTools: ReadonlySet<Anthropic.Beta.BetaServerToolUseBlock["name"]> = new Set([
  "web_search",
  "web_fetch",
  "tool_search_tool_regex",
  "tool_search_tool_bm25",
  "advisor",
]);

/** What to do if a host numbers its content blocks differently. */
const looseBlocksHint =
  'If this host numbers its content blocks differently, set `blocks: "loose"`.';

/**
 * The indices of the content blocks of one reply. They count from 0, without gaps.
 * https://platform.claude.com/docs/en/build-with-claude/streaming
 */
function createNumbering() {
  const started = new Set<number>();
  const stoppedEarly = new Set<number>();
  let highest = -1;
  return {
    start(index: number): void {
      started.add(index);
      if (Number.isInteger(index)) highest = Math.max(highest, index);
    },
    stop(index: number): void {
      if (!started.has(index)) stoppedEarly.add(index);
    },
    hasStarted: (index: number): boolean => started.has(index),
    hasBlocks: (): boolean => started.size > 0,
    /** Throws if the indices show that a block did not arrive. */
    assertComplete(): void {
      for (const index of stoppedEarly)
        if (!started.has(index))
          throw new Error(`Content block ${index} ended, but never started. ${looseBlocksHint}`);
      let next = 0;
      while (started.has(next)) next++;
      if (next <= highest)
        throw new Error(
          `Content block ${next} is missing before block ${highest}. ${looseBlocksHint}`,
        );
    },
  };
}
