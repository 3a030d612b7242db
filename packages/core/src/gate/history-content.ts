import type {
  AssistantBlock,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
} from "../contract/message.ts";
import type { StopReason } from "../contract/stop.ts";
import { type Item, openServerCalls, type Prose } from "../reply/blocks.ts";
import type { Input } from "../reply/inputs.ts";
import { joinPieces } from "../reply/text-buffer.ts";

/** Reasons under which an open server call is continued by a later reply. */
const goesOn: ReadonlySet<StopReason> = new Set(["pause", "tool-use"]);

/**
 * What of a reply may be sent back to a provider: inputs only as the calls they became; without them, also without the sealed blocks of their group;
 * no unsealed thinking, none that nothing follows, and no server call that nobody will finish.
 */
export function replaySafe(
  items: readonly Item[],
  reason: StopReason,
  calls: ReadonlyMap<Input, ToolCallBlock>,
): readonly AssistantBlock[] {
  const unfinished = goesOn.has(reason) ? new Set<string>() : openServerCalls(items);
  const safe: AssistantBlock[] = [];
  for (const item of items) {
    const block = blockOf(item, calls);
    if (item.type === "input" && calls.size === 0) dropReasoning(safe);
    if (block !== undefined && !opensOneOf(unfinished, block)) safe.push(block);
  }
  if (!goesOn.has(reason)) while (safe.at(-1)?.type === "thinking") safe.pop();
  return safe.every((block) => block.type === "thinking") ? [] : safe;
}

function blockOf(item: Item, calls: ReadonlyMap<Input, ToolCallBlock>): AssistantBlock | undefined {
  if (item.type === "input") return calls.get(item);
  return item.type === "native" ? item : proseBlock(item);
}
const opensOneOf = (ids: ReadonlySet<string>, block: AssistantBlock): boolean =>
  block.type === "native" && block.opens !== undefined && ids.has(block.opens);

/** Sealed thinking, or a native block that pairs with nothing, belongs to what follows it. */
function dropReasoning(safe: AssistantBlock[]): void {
  for (let last = safe.at(-1); last !== undefined && isReasoning(last); last = safe.at(-1))
    safe.pop();
}
const isReasoning = (block: AssistantBlock): boolean =>
  block.type === "thinking" ||
  (block.type === "native" && block.opens === undefined && block.closes === undefined);

/** A provider takes thinking back only with its seal. */
function proseBlock({
  type,
  pieces,
  providerData,
  sealed,
}: Prose): TextBlock | ThinkingBlock | undefined {
  const text = joinPieces(pieces);
  const fit = type === "text" ? text !== "" : sealed;
  return fit ? { type, text, ...(sealed && { providerData }) } : undefined;
}
