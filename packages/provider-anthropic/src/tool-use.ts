import type Anthropic from "@anthropic-ai/sdk";
import { type Emit, isOtherInput, jsonText, refuseOtherNames } from "@fullstop/core/adapter";
import {
  type BlockReader,
  type Delta,
  holdsNothing,
  isMisplaced,
  misplacedDelta,
  parseText,
} from "./deltas.ts";

export type ToolUseData = Pick<Anthropic.ToolUseBlockParam, "caller" | "toolset_name">;

/**
 * Unknown deltas are ignored, as https://platform.claude.com/docs/en/api/versioning asks: an input
 * whose known pieces are complete is complete. But if only unknown deltas came, the input would
 * read as `{}`; then `stop` throws.
 */
export function readToolUse(emit: Emit, key: number, block: Anthropic.ToolUseBlock): BlockReader {
  const startsWithInput = hasInput(block.input);
  const pieces: string[] = [];
  let hasPieces = false;
  let keepsPieces = startsWithInput;
  let unknownDelta: Delta | undefined;
  if (!startsWithInput) refuseOtherNames("tool input", block, ["input"]);
  emit({ type: "tool-input-start", key, id: block.id, name: block.name });
  const addPiece = (text: string): void => {
    if (text === "") return;
    keepsPieces ||= !hasPieces && isPlaceholder(text);
    hasPieces = true;
    if (keepsPieces) pieces.push(text);
    emit({ type: "tool-input-delta", key, text });
  };
  return {
    delta(delta) {
      if (delta.type === "input_json_delta") addPiece(parseText(delta.partial_json, delta));
      else if (isMisplaced(delta)) throw misplacedDelta(delta, block);
      else if (!holdsNothing(delta)) unknownDelta = delta;
    },
    stop() {
      if (unknownDelta !== undefined && !hasPieces) throw misplacedDelta(unknownDelta, block);
      if (hasPieces && startsWithInput && isOtherInput(block.input, pieces.join("")))
        throw new Error(`The reply gives two different inputs for content block ${key}.`);
      emit({
        type: "tool-input-end",
        key,
        text: hasPieces ? withoutPlaceholder(pieces) : wholeInput(block.input),
      });
      const data = toolUseData(block);
      if (data !== undefined) emit({ type: "provider-data", key, data });
      return false;
    },
  };
}

/** Proxies pass on the text of Chat Completions (justlovemaki/AIClient2API#140). */
const wholeInput = (input: unknown): string | undefined =>
  hasInput(input) ? jsonText(input) : undefined;

const isPlaceholder = (text: string | undefined): boolean => text?.trim() === "{}";

/**
 * The input behind an empty object that a gateway sends first (BenedictKing/ccx#183). Undefined if
 * there is none, or if the rest is not another object: the pieces are then the input.
 */
function withoutPlaceholder([first, ...rest]: readonly string[]): string | undefined {
  if (!isPlaceholder(first)) return undefined;
  const text = rest.join("");
  try {
    return hasInput(JSON.parse(text)) ? text : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the input came with the start of its block. An empty object means that the input comes in
 * pieces, or that there is none; some hosts send `""` instead.
 */
const hasInput = (input: unknown): boolean => {
  if (Array.isArray(input)) return true;
  if (typeof input === "object") return Object.keys(input ?? {}).length > 0;
  return input !== undefined && !/^(?:\s*\{\s*\})?\s*$/.test(String(input));
};

/** `undefined` if the block has only default values. */
function toolUseData({ caller, toolset_name }: Anthropic.ToolUseBlock): ToolUseData | undefined {
  const hasCaller = caller !== undefined && caller !== null && caller.type !== "direct";
  const hasToolset = toolset_name !== undefined && toolset_name !== null;
  return hasCaller || hasToolset
    ? { ...(hasCaller && { caller }), ...(hasToolset && { toolset_name }) }
    : undefined;
}
