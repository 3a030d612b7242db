import type {
  AssistantBlock,
  AssistantMessage,
  Message,
  ToolCallBlock,
  ToolResultBlock,
} from "@fullstop/core";
import type OpenAI from "openai";
import { encodeArguments, encodeToolName } from "../values.ts";
import type { CallData } from "./call-item.ts";
import { encodeInputParts, inputText, outputText, textsOf } from "./content.ts";
import {
  encodeHostedTool,
  type HostedToolItems,
  type InputItem,
  withoutTiedId,
} from "./hosted-results.ts";
import type { HostRules } from "./hosts.ts";
import type { MessageData } from "./item-readers.ts";

/** How a host takes the earlier messages of a conversation. */
interface HistoryRules extends Pick<HostRules, "assistantText"> {
  /** The API has stored its own items, and knows reasoning by its id. */
  readonly stored: boolean;
}

export function encodeInputItems(messages: readonly Message[], rules: HistoryRules): InputItem[] {
  let calls = new Map<string, ToolCallBlock>();
  const items = messages.flatMap((message, index): readonly InputItem[] => {
    if (message.role === "user")
      return [{ type: "message", role: "user", content: encodeInputParts(message.content) }];
    if (message.role === "tool")
      return message.content.map((result) => encodeResultItem(result, calls.get(result.id)));
    calls = new Map(
      message.content.filter((block) => block.type === "tool-call").map((call) => [call.id, call]),
    );
    return encodeAssistantItems(message, { ...rules, results: resultsIn(messages[index + 1]) });
  });
  return items.length > 0 ? items : [{ type: "message", role: "user", content: [inputText("")] }];
}

type Results = ReadonlyMap<string, ToolResultBlock>;
const resultsIn = (next: Message | undefined): Results =>
  new Map(next?.role === "tool" ? next.content.map((result) => [result.id, result]) : []);

interface BlockContext extends HistoryRules {
  readonly results: Results;
  /** Reasoning of the same reply goes back before this block. */
  readonly afterReasoning: boolean;
}

/** The API refuses reasoning that no other item follows (vercel/ai#7099). */
function encodeAssistantItems(
  { content }: AssistantMessage,
  context: Omit<BlockContext, "afterReasoning">,
): readonly InputItem[] {
  const items: InputItem[] = [];
  let afterReasoning = false;
  for (const block of content) {
    const encoded = encodeBlock(block, { ...context, afterReasoning });
    afterReasoning ||= encoded.some(({ type }) => type === "reasoning");
    items.push(...encoded);
  }
  while (items.at(-1)?.type === "reasoning") items.pop();
  return items;
}

function encodeBlock(block: AssistantBlock, context: BlockContext): readonly InputItem[] {
  switch (block.type) {
    case "text":
      return block.text === ""
        ? []
        : [encodeTextItem(block.text, dataOf<MessageData>(block.providerData), context)];
    case "thinking":
      return isKnownReasoning(block.providerData, context.stored) ? [block.providerData] : [];
    case "tool-call":
      return [encodeCallItem(block, context)];
    case "native":
      return [block.data as InputItem];
  }
}

/** Reasoning as OpenRouter gives it for models whose providers sign theirs. */
type SignedReasoning = OpenAI.Responses.ResponseReasoningItem & { readonly signature?: unknown };

/** The provider data of a block; empty if there is none. */
const dataOf = <Data extends object>(providerData: unknown): Partial<Data> =>
  typeof providerData === "object" && providerData !== null ? providerData : {};

const encodeTextItem = (
  text: string,
  { phase, annotations = [] }: MessageData,
  { assistantText }: HistoryRules,
): InputItem =>
  // The SDK's type requires an id, the API does not. Without an id the text is not tied to reasoning.
  ({
    type: "message",
    role: "assistant",
    content: assistantText === "string" ? text : [{ type: "output_text", text, annotations }],
    ...(phase && { phase }),
  }) as unknown as InputItem;

/** Encrypted text, text of an open model or signed by OpenRouter, or an item that is stored. */
function isKnownReasoning(
  providerData: unknown,
  stored: boolean,
): providerData is OpenAI.Responses.ResponseReasoningItem {
  const { type, encrypted_content, content, signature } = dataOf<SignedReasoning>(providerData);
  const isReadable = Boolean(encrypted_content || signature || content?.length);
  return type === "reasoning" && (stored || isReadable);
}

/**
 * The id of an item ties it to the reasoning before it (TanStack/ai#1212), so it is sent only after
 * that reasoning. The API refuses ids that gateways invent (copilot-api#72).
 */
function encodeCallItem(call: ToolCallBlock, { afterReasoning, results }: BlockContext): InputItem {
  const hosted = hostedToolItems(call, results.get(call.id));
  if (hosted !== undefined) return afterReasoning ? hosted.call : withoutTiedId(hosted.call);
  const { id, item: _, ...rest } = dataOf<CallData>(call.providerData);
  const sendsId = afterReasoning && id !== undefined && /^(fc|ctc)_.{1,60}$/.test(id);
  const fields = {
    call_id: call.id,
    name: encodeToolName(call.name),
    ...rest,
    ...(sendsId && { id }),
  };
  if (call.kind === "text") return { type: "custom_tool_call", ...fields, input: call.inputText };
  return { type: "function_call", ...fields, arguments: encodeArguments(call.inputText) };
}

const hostedToolItems = (
  call: ToolCallBlock,
  result: ToolResultBlock | undefined,
): HostedToolItems | undefined =>
  encodeHostedTool({ item: dataOf<CallData>(call.providerData).item, call, result });

function encodeResultItem(result: ToolResultBlock, call: ToolCallBlock | undefined): InputItem {
  const hosted = call && hostedToolItems(call, result);
  if (hosted !== undefined) return hosted.result;
  const { caller } = dataOf<CallData>(call?.providerData);
  const fields = { call_id: result.id, output: encodeOutput(result), ...(caller && { caller }) };
  return call?.kind === "text"
    ? { type: "custom_tool_call_output", ...fields }
    : { type: "function_call_output", ...fields };
}

/** Text alone is sent as a string, which every host of this protocol accepts. */
function encodeOutput(result: ToolResultBlock): string | ReturnType<typeof encodeInputParts> {
  const parts = encodeInputParts(result.content);
  return textsOf(parts).length < parts.length ? parts : outputText(result);
}
