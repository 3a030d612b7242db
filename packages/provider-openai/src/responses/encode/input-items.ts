import type {
  AssistantBlock,
  AssistantMessage,
  Message,
  ToolCallBlock,
  ToolResultBlock,
} from "@fullstop/core";
import type OpenAI from "openai";
import type { CallSeal } from "../decode/call-item.ts";
import type { TextSeal } from "../decode/message-item.ts";
import { encodeContent, inputText, outputText, textsOf } from "./content.ts";
import { type Answered, answered, untied } from "./hosted-tool-results.ts";

type InputItem = OpenAI.Responses.ResponseInputItem;

/** A conversation as items. `stored`: the API still has its own items, and knows reasoning by its id. */
export function encodeMessages(messages: readonly Message[], stored: boolean): InputItem[] {
  let calls = new Map<string, ToolCallBlock>();
  const items = messages.flatMap((message, n): readonly InputItem[] => {
    if (message.role === "user")
      return [{ type: "message", role: "user", content: encodeContent(message.content) }];
    if (message.role === "tool")
      return message.content.map((result) => encodeResult(result, calls.get(result.id)));
    calls = new Map(
      message.content.filter((block) => block.type === "tool-call").map((call) => [call.id, call]),
    );
    return encodeAssistant(message, { stored, results: resultsIn(messages[n + 1]) });
  });
  return items.length > 0 ? items : [{ type: "message", role: "user", content: [inputText("")] }];
}

type Results = ReadonlyMap<string, ToolResultBlock>;
const resultsIn = (next: Message | undefined): Results =>
  new Map(next?.role === "tool" ? next.content.map((result) => [result.id, result]) : []);

/** "Item of type 'reasoning' was provided without its required following item": what comes last is left out (vercel/ai#7099). */
function encodeAssistant(
  { content }: AssistantMessage,
  about: Omit<Place, "reasoned">,
): readonly InputItem[] {
  const items: InputItem[] = [];
  let reasoned = false;
  for (const block of content) {
    const encoded = encodeBlock(block, { ...about, reasoned });
    reasoned ||= encoded.some(({ type }) => type === "reasoning");
    items.push(...encoded);
  }
  while (items.at(-1)?.type === "reasoning") items.pop();
  return items;
}

interface Place {
  readonly stored: boolean;
  /** By the ids of their calls. */
  readonly results: Results;
  /** Reasoning of the same reply goes back before this block. */
  readonly reasoned: boolean;
}

function encodeBlock(block: AssistantBlock, place: Place): readonly InputItem[] {
  switch (block.type) {
    case "text":
      return block.text === ""
        ? []
        : [encodeText(block.text, fields<TextSeal>(block.providerData))];
    case "thinking":
      return isKnown(block.providerData, place.stored) ? [block.providerData] : [];
    case "tool-call":
      return [encodeCall(block, place)];
    case "native":
      return [block.data as InputItem];
  }
}

const fields = <Seal extends object>(seal: unknown): Partial<Seal> =>
  typeof seal === "object" && seal !== null ? seal : {};

const encodeText = (text: string, { phase, annotations = [] }: TextSeal): InputItem =>
  // The SDK's type wants an id, the API does not; without one the text is tied to no reasoning.
  ({
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text, annotations }],
    ...(phase && { phase }),
  }) as unknown as InputItem;

/** Reasoning that the API can read: its own encrypted text, an open model's, or where it stores them, an item that it has. */
function isKnown(seal: unknown, stored: boolean): seal is OpenAI.Responses.ResponseReasoningItem {
  const { type, encrypted_content, content } = fields<OpenAI.Responses.ResponseReasoningItem>(seal);
  return (
    type === "reasoning" && (stored || Boolean(encrypted_content) || (content?.length ?? 0) > 0)
  );
}

/**
 * A call with an id of its own is tied to the reasoning before it (TanStack/ai#1212): without that, the id stays away too.
 * Ids that gateways make up are refused (copilot-api#72).
 */
function encodeCall(call: ToolCallBlock, { reasoned, results }: Place): InputItem {
  const known = hosted(call, results.get(call.id));
  if (known !== undefined) return reasoned ? known.item : untied(known.item);
  const { id, item: _, ...rest } = fields<CallSeal>(call.providerData);
  const own = reasoned && id !== undefined && /^(fc|ctc)_.{1,60}$/.test(id);
  const about = { call_id: call.id, name: toolName(call.name), ...rest, ...(own && { id }) };
  if (call.kind === "text") return { type: "custom_tool_call", ...about, input: call.inputText };
  return { type: "function_call", ...about, arguments: argumentsOf(call.inputText) };
}
const hosted = (call: ToolCallBlock, result: ToolResultBlock | undefined): Answered | undefined =>
  answered({ item: fields<CallSeal>(call.providerData).item, call, result });

/** Names of other providers' tools may hold characters that this one refuses. */
const toolName = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);

/** What the model wrote; hosts of this protocol parse it, so that what is no object goes in as `{ text }`. */
function argumentsOf(written: string): string {
  if (written.trim() === "") return "{}";
  try {
    const input: unknown = JSON.parse(written);
    if (typeof input === "object" && input !== null && !Array.isArray(input)) return written;
  } catch {
    // Not JSON: text, as any other that is no object.
  }
  return JSON.stringify({ text: written });
}

function encodeResult(result: ToolResultBlock, call: ToolCallBlock | undefined): InputItem {
  const known = call && hosted(call, result);
  if (known !== undefined) return known.answer;
  const { caller } = fields<CallSeal>(call?.providerData);
  const about = { call_id: result.id, output: outputOf(result), ...(caller && { caller }) };
  return call?.kind === "text"
    ? { type: "custom_tool_call_output", ...about }
    : { type: "function_call_output", ...about };
}

/** Text alone is a string, which every host of this protocol takes. */
function outputOf(result: ToolResultBlock): string | ReturnType<typeof encodeContent> {
  const blocks = encodeContent(result.content);
  return textsOf(blocks).length < blocks.length ? blocks : outputText(result);
}
