import type Anthropic from "@anthropic-ai/sdk";
import type { Emit } from "@fullstop/core/adapter";
import {
  type BlockReader,
  type Delta,
  isListed,
  misfit,
  type StartedBlock,
  string,
} from "./deltas.ts";
import { createNumbering, remedy } from "./numbering.ts";
import { readToolUse } from "./tool-use.ts";

/** The content blocks of one reply, by their index. */
export interface Blocks {
  start(index: number, block: StartedBlock): void;
  delta(index: number, delta: Delta): void;
  stop(index: number): void;
  /** Has any content begun? */
  begun(): boolean;
  /** Throws if the reply has calls and its blocks show that one of them is missing: it may be a call. */
  settle(): void;
  /** Did the provider run tools of its own in this reply? */
  usedServerTools(): boolean;
}

export function createBlocks(emit: Emit): Blocks {
  const open = new Map<number, BlockReader>();
  const numbering = createNumbering();
  let calls = false;
  let unsealed: BlockReader["prose"];
  let serverTools = false;
  return {
    start(index, block) {
      if (open.has(index)) throw new Error(`The reply starts content block ${index} twice.`);
      if (typeof block.type !== "string")
        throw new Error(`The reply starts content block ${index} without a type.`);
      if (unsealed === block.type) emit({ type: "provider-data", data: null });
      unsealed = undefined;
      serverTools ||= opensServerCall(block) || "tool_use_id" in block;
      if (opensServerCall(block) && !onlyReads.has(block.name)) emit({ type: "side-effects" });
      calls ||= block.type === "tool_use";
      numbering.begin(index);
      open.set(index, readBlock(emit, index, block));
    },
    delta(index, delta) {
      const reader = open.get(index);
      if (reader === undefined)
        throw new Error(`The reply continues content block ${index}, which is not open.`);
      reader.delta(delta);
    },
    stop(index) {
      const reader = open.get(index);
      open.delete(index);
      numbering.end(index);
      unsealed = reader?.stop() ? reader.prose : undefined;
    },
    begun: () => numbering.begun(),
    settle() {
      if (!calls) return;
      numbering.settle();
      for (const [index, { provider }] of open)
        if (provider)
          throw new Error(`Content block ${index} (${provider}) never ended. ${remedy}`);
    },
    usedServerTools: () => serverTools,
  };
}

/** A block of a type that is not listed here is the provider's own, and kept as it came. */
function readBlock(emit: Emit, index: number, block: StartedBlock): BlockReader {
  if (block.type === "text") return readText(emit, block);
  if (block.type === "thinking") return readThinking(emit, block);
  if (block.type === "tool_use") return readToolUse(emit, index, block);
  return readNative(emit, block);
}

function readText(emit: Emit, block: Anthropic.TextBlock): BlockReader {
  const citations: unknown[] = [...(block.citations ?? [])];
  let empty = true;
  const say = (text: string): void => {
    if (text === "") return;
    empty = false;
    emit({ type: "text", text });
  };
  say(block.text ?? "");
  return {
    prose: "text",
    delta(delta) {
      if (delta.type === "text_delta") say(string(delta.text, delta));
      else if (delta.type === "citations_delta") citations.push(delta.citation);
      else if (isListed(delta)) throw misfit(delta, block);
    },
    stop() {
      if (citations.length > 0 && !empty) emit({ type: "provider-data", data: citations });
      return citations.length === 0 && !empty;
    },
  };
}

/** The signature comes last and whole. Thinking that the API withholds is empty, and still wanted back with its signature. */
function readThinking(emit: Emit, block: Anthropic.ThinkingBlock): BlockReader {
  let signature = block.signature ?? "";
  let whole = true;
  let empty = true;
  const say = (text: string): void => {
    if (text === "") return;
    empty = false;
    emit({ type: "thinking", text });
  };
  say(block.thinking ?? "");
  return {
    prose: "thinking",
    delta(delta) {
      if (delta.type === "thinking_delta") say(string(delta.thinking, delta));
      else if (delta.type === "signature_delta") signature = string(delta.signature, delta);
      else if (isListed(delta)) throw misfit(delta, block);
      else whole = false;
    },
    stop() {
      if (signature === "" || !whole) return !empty;
      if (empty) emit({ type: "thinking", text: "" });
      emit({ type: "provider-data", data: signature });
      return false;
    },
  };
}

type Native = Exclude<
  StartedBlock,
  Anthropic.TextBlock | Anthropic.ThinkingBlock | Anthropic.ToolUseBlock
>;

/** Kept as the API wants it back. What was cut, or grew by something unknown, is left out: half of it would be refused. */
function readNative(emit: Emit, block: Native): BlockReader {
  const pieces: string[] = [];
  let data: object = block;
  let whole = true;
  return {
    provider: block.type,
    delta(delta) {
      if (delta.type === "input_json_delta") pieces.push(string(delta.partial_json, delta));
      else if (delta.type === "compaction_delta") {
        const { type: _, ...compacted } = delta;
        data = { ...data, ...compacted };
      } else whole = false;
    },
    stop() {
      const written = pieces.join("");
      const input = written === "" ? undefined : parsed(written);
      if (!whole || (written !== "" && input === undefined)) return false;
      emit({
        type: "native",
        data: input === undefined ? data : { ...data, input },
        opens: opensServerCall(block) ? block.id : undefined,
        closes: "tool_use_id" in block ? block.tool_use_id : undefined,
      });
      return false;
    },
  };
}

/** `server_tool_use`, `mcp_tool_use` and their like. */
const opensServerCall = (block: StartedBlock): block is Anthropic.ServerToolUseBlock =>
  block.type !== "tool_use" && /tool_use$/.test(block.type);

/** Server tools that change nothing: https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools */
const onlyReads: ReadonlySet<Anthropic.Beta.BetaServerToolUseBlock["name"]> = new Set([
  "web_search",
  "web_fetch",
  "tool_search_tool_regex",
  "tool_search_tool_bm25",
  "advisor",
]);

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
