import type {
  AssistantBlock,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
} from "../contract/message.ts";
import type { StopReason } from "../contract/stop.ts";
import { type Item, openServerCalls, type TextItem } from "../reply/blocks.ts";
import type { Input } from "../reply/inputs.ts";
import { bufferedText } from "../reply/text-buffer.ts";

/** The reasons after which a later reply continues an open server call. */
const continuedReasons: ReadonlySet<StopReason> = new Set(["pause", "tool-use"]);

/**
 * The content of a reply that may be sent back to a provider. Drops inputs that did not become
 * calls, and the signed reasoning before them; unsigned or trailing reasoning; server calls without
 * a result. Claude's signatures cover what stands before a block, so all reasoning behind a block
 * that was dropped goes too. A second copy of a call is not what the model wrote: it drops nothing.
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
 */
export function contentForHistory(
  items: readonly Item[],
  reason: StopReason,
  calls: ReadonlyMap<Input, ToolCallBlock>,
): readonly AssistantBlock[] {
  const unfinished = continuedReasons.has(reason) ? new Set<string>() : openServerCalls(items);
  const safe: AssistantBlock[] = [];
  let isBehindDropped = false;
  for (const item of items) {
    const block = blockOf(item, calls);
    const isWithheld = isInputWithoutCalls(item, calls);
    if (isWithheld) dropLast(safe, isReasoning);
    const isUnfinished = opensOneOf(unfinished, block);
    isBehindDropped ||= isWithheld || isUnfinished;
    const isDropped = isUnfinished || (isBehindDropped && block?.type === "thinking");
    if (block !== undefined && !isDropped) safe.push(block);
  }
  if (!continuedReasons.has(reason)) dropLast(safe, isThinking);
  return safe.every(isThinking) ? [] : safe;
}

const isInputWithoutCalls = (item: Item, calls: ReadonlyMap<Input, ToolCallBlock>): boolean =>
  item.type === "input" && calls.size === 0;

function blockOf(item: Item, calls: ReadonlyMap<Input, ToolCallBlock>): AssistantBlock | undefined {
  if (item.type === "input") return calls.get(item);
  return item.type === "native" ? item : textBlock(item);
}
const opensOneOf = (ids: ReadonlySet<string>, block: AssistantBlock | undefined): boolean =>
  block?.type === "native" && block.opens !== undefined && ids.has(block.opens);

function dropLast(safe: AssistantBlock[], matches: (block: AssistantBlock) => boolean): void {
  for (let last = safe.at(-1); last !== undefined && matches(last); last = safe.at(-1)) safe.pop();
}
const isThinking = ({ type }: AssistantBlock): boolean => type === "thinking";
/** Signed thinking, and a native block without a partner, belong to the block that follows. */
const isReasoning = (block: AssistantBlock): boolean =>
  isThinking(block) ||
  (block.type === "native" && block.opens === undefined && block.closes === undefined);

/** Providers accept thinking only with its signature. */
function textBlock({
  type,
  buffer: pieces,
  providerData,
  hasProviderData: sealed,
}: TextItem): TextBlock | ThinkingBlock | undefined {
  const text = bufferedText(pieces);
  const fit = type === "text" ? text !== "" : sealed;
  return fit ? { type, text, ...(sealed && { providerData }) } : undefined;
}
