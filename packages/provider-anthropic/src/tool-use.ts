import type Anthropic from "@anthropic-ai/sdk";
import { type Emit, stringifyJson } from "@fullstop/core/adapter";
import { type BlockReader, type Delta, isListed, misfit, string } from "./deltas.ts";

/** What a tool-use block wants back beside its input; absent where it says nothing but the default. */
export type ToolSeal = Pick<Anthropic.ToolUseBlockParam, "caller" | "toolset_name">;

/**
 * The vendor adds variants that are to be ignored (https://platform.claude.com/docs/en/api/versioning), and an input whose known pieces are whole is whole.
 * But one of which only unknown deltas came would read as `{}`.
 */
export function readToolUse(emit: Emit, key: number, block: Anthropic.ToolUseBlock): BlockReader {
  const given = isGiven(block.input);
  const written: string[] = [];
  let pieces = false;
  let unread: Delta | undefined;
  emit({ type: "tool-input-start", key, id: block.id, name: block.name });
  return {
    delta(delta) {
      if (delta.type === "input_json_delta") {
        const text = string(delta.partial_json, delta);
        if (text === "") return;
        pieces = true;
        if (given) written.push(text);
        emit({ type: "tool-input-delta", key, text });
      } else if (isListed(delta)) throw misfit(delta, block);
      else unread = delta;
    },
    stop() {
      if (unread !== undefined && !pieces) throw misfit(unread, block);
      if (pieces && given && differ(block.input, written.join(""))) {
        throw new Error(
          `The reply gives the input of content block ${key} twice, and not the same.`,
        );
      }
      emit({
        type: "tool-input-end",
        key,
        text: pieces || !given ? undefined : stringifyJson(block.input),
      });
      const seal = toolSeal(block);
      if (seal !== undefined) emit({ type: "provider-data", key, data: seal });
      return false;
    },
  };
}

/** Whether the input came with its block. An empty object means that it comes in pieces, or that there is none; some hosts send `""`. */
const isGiven = (input: unknown): boolean => {
  if (Array.isArray(input)) return true;
  return typeof input === "object"
    ? Object.keys(input ?? {}).length > 0
    : input !== undefined && input !== "";
};

/** Ignores the order of keys, because some gateways sort them. The gate judges pieces that are not JSON. */
function differ(input: unknown, written: string): boolean {
  try {
    return sorted(JSON.parse(written)) !== sorted(JSON.parse(JSON.stringify(input)));
  } catch {
    return false;
  }
}
const sorted = (json: unknown): string =>
  JSON.stringify(json, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

function toolSeal({ caller, toolset_name }: Anthropic.ToolUseBlock): ToolSeal | undefined {
  const called = caller !== undefined && caller !== null && caller.type !== "direct";
  const member = toolset_name !== undefined && toolset_name !== null;
  return called || member
    ? { ...(called && { caller }), ...(member && { toolset_name }) }
    : undefined;
}
