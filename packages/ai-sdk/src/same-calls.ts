import type { LanguageModelV4ToolCall } from "@ai-sdk/provider";
import type { ToolCall, Turn } from "@fullstop/core";
import { canonicalJson, jsonText, tryParseJson } from "@fullstop/core/adapter";

/** What the parts of a reply say of the calls that its own events have. */
export interface Compared {
  /** The parts of a call that AI SDK has twice: the provider's events have it once. */
  readonly doubled: ReadonlySet<LanguageModelV4ToolCall>;
  /** The names of the calls that only one of the two has. Then no call may run. */
  readonly differing: readonly string[];
}

interface Tools {
  /** AI SDK runs no other, and the provider's own may come among the parts. */
  readonly offered: ReadonlySet<string>;
  /** Their calls may have another name in the events, or be none. */
  readonly ofProvider: ReadonlySet<string>;
  /** A typed answer comes as the input of a tool with this name, and AI SDK makes a text of it. */
  readonly answer: string | undefined;
}

/**
 * Compares the calls of both gates: each call with its id, name and input. A provider may give a
 * call another id, so a call whose id the events do not have is compared by its name and input.
 * Of two calls with one id, the gate gives the second one an id of its own.
 */
export function compareCalls(
  turn: Turn,
  parts: readonly LanguageModelV4ToolCall[],
  { offered, ofProvider, answer }: Tools,
): Compared {
  const { calls: granted } = turn;
  const left = new Set(granted.filter(({ asks }) => asks === undefined));
  const known = byProviderId(turn, left);
  const isLike = (part: LanguageModelV4ToolCall, call: ToolCall): boolean =>
    written(inputValue(part)) === written(call.input) &&
    (part.toolName === call.name || ofProvider.has(part.toolName));
  const isOwn = (part: LanguageModelV4ToolCall): boolean => known.has(part.toolCallId);
  const unlike = parts.filter((part) => {
    const own = known.get(part.toolCallId) ?? [];
    const like = own.find((call) => isLike(part, call));
    for (const call of like === undefined ? own : [like]) left.delete(call);
    return isOwn(part) && like === undefined;
  });

  const unmatched = parts.filter((part) => {
    const like = isOwn(part) ? undefined : [...left].find((call) => isLike(part, call));
    return !isOwn(part) && !(like !== undefined && left.delete(like));
  });
  const extra = unmatched.filter(
    ({ toolName }) => offered.has(toolName) && !ofProvider.has(toolName),
  );
  const doubled = new Set(extra.filter((part) => granted.some((call) => isLike(part, call))));
  const differing = [
    ...[...unlike, ...extra.filter((part) => !doubled.has(part))].map(({ toolName }) => toolName),
    ...[...left].map(({ name }) => name).filter((name) => name !== answer),
  ];
  return { doubled, differing };
}

function byProviderId(
  { message }: Turn,
  calls: Iterable<ToolCall>,
): ReadonlyMap<string, readonly ToolCall[]> {
  const ids = new Map(
    message?.content.map((block) =>
      block.type === "tool-call" ? [block.id, block.nativeId] : [undefined, undefined],
    ),
  );
  const known = new Map<string, ToolCall[]>();
  for (const call of calls) {
    const id = ids.get(call.id) ?? call.id;
    const before = known.get(id);
    if (before === undefined) known.set(id, [call]);
    else before.push(call);
  }
  return known;
}

/** A free-form input, which AI SDK writes as a JSON string, is `{ text }` in a call. */
function inputValue({ input }: LanguageModelV4ToolCall): unknown {
  const value = tryParseJson(input.trim() || "{}");
  return typeof value === "string" ? { text: value } : value;
}

/** Equal inputs have equal texts. */
function written(input: unknown): string {
  try {
    return canonicalJson(jsonText(input));
  } catch {
    return "";
  }
}
