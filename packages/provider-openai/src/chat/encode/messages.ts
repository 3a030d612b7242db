import type {
  AssistantMessage,
  Message,
  TextBlock,
  ToolMessage,
  ToolResultBlock,
} from "@fullstop/core";
import type OpenAI from "openai";
import type { Quirks, RequestQuirks } from "../quirks.ts";
import { encodeCall, toolName } from "./calls.ts";
import { asContent, encodeContent, isText, type Part, textPart } from "./content.ts";

type Param = OpenAI.ChatCompletionMessageParam;
/** Members that hosts read beside the API's own. */
interface ReasoningParams {
  readonly reasoning_content?: string;
  readonly reasoning_details?: readonly unknown[];
}

/**
 * A conversation as hosts of the protocol take it: results right behind their calls and in their order, neighbours of one role in one message,
 * a user message at both ends.
 */
export function encodeMessages(messages: readonly Message[], quirks: Quirks): Param[] {
  const params: Param[] = [];
  for (const message of messages) {
    if (message.role === "assistant") addAssistant(params, message, quirks);
    else if (message.role === "tool") addResults(params, message, quirks);
    else addUser(params, userParts(encodeContent(message.content, quirks.files === true)), quirks);
  }
  if (params.at(0)?.role === "assistant")
    params.unshift({
      role: "user",
      content: "(The conversation begins with the assistant's message.)",
    });
  if (params.at(-1)?.role !== "user" && params.at(-1)?.role !== "tool") {
    params.push({ role: "user", content: "(No new message. Please go on.)" });
  }
  return params;
}

const userParts = (parts: readonly Part[]): readonly Part[] =>
  parts.length > 0 ? parts : [textPart("(An empty message.)")];
const partsOf = (content: string | Part[]): readonly Part[] =>
  typeof content === "string" ? [textPart(content)] : content;

function addUser(params: Param[], parts: readonly Part[], { answersResults }: RequestQuirks): void {
  const last = params.at(-1);
  if (last?.role === "tool" && answersResults)
    params.push({ role: "assistant", content: "(The results are in.)" });
  if (last?.role === "user") last.content = asContent([...partsOf(last.content), ...parts]);
  else params.push({ role: "user", content: asContent(parts) });
}

/** Results take text only; what else they hold follows in a user message, behind the last of them. */
function addResults(params: Param[], { content }: ToolMessage, quirks: RequestQuirks): void {
  const media: Part[] = [];
  for (const result of content) {
    const parts = encodeContent(result.content, quirks.files === true);
    const others = parts.filter((part) => !isText(part));
    params.push(encodeResult(result, parts, quirks));
    if (others.length > 0)
      media.push(textPart(`[What the tool ${result.name} gave besides its text:]`), ...others);
  }
  if (media.length > 0) addUser(params, media, quirks);
}

function encodeResult(
  { id, name, isError }: ToolResultBlock,
  parts: readonly Part[],
  { namesResults }: RequestQuirks,
): Param {
  const texts = parts.filter(isText).map(({ text }) => text);
  if (parts.length > texts.length)
    texts.push("[What else the tool gave follows in the next message.]");
  const said = texts.join("\n\n");
  return {
    role: "tool",
    tool_call_id: id,
    ...(namesResults && { name: toolName(name) }),
    content: said === "" && isError ? "(The tool failed and said nothing.)" : said,
  };
}

function addAssistant(params: Param[], message: AssistantMessage, quirks: Quirks): void {
  const calls = message.content
    .filter((block) => block.type === "tool-call")
    .map((block) => encodeCall(block, quirks.customTools === true));
  const text = textOf(message);
  if (calls.length === 0 && text === "") return;
  const last = params.at(-1);
  const before =
    last?.role === "assistant" && last.tool_calls === undefined ? last.content : undefined;
  if (before !== undefined) params.pop();
  const said = [before, text]
    .filter((words) => typeof words === "string" && words !== "")
    .join("\n\n");
  params.push({
    role: "assistant",
    content: said === "" && !quirks.contentNeeded ? null : said,
    ...reasoningOf(message, quirks),
    ...(calls.length > 0 && { tool_calls: calls }),
  });
}

/** Hosts of this protocol give one text, which something else may have parted; others give paragraphs. */
const textOf = ({ content, from }: AssistantMessage): string =>
  content
    .filter((block): block is TextBlock => block.type === "text" && block.text !== "")
    .map(({ text }) => text)
    .join(from?.protocol === "openai-chat" ? "" : "\n\n");

/** A host that wants the field wants it with every message of the assistant's. */
function reasoningOf({ content }: AssistantMessage, { reasoning }: Quirks): ReasoningParams {
  if (reasoning === "reasoning_content") {
    const thoughts = content.flatMap((block) => (block.type === "thinking" ? [block.text] : []));
    return { reasoning_content: thoughts.join("") };
  }
  if (reasoning === undefined) return {};
  const details = content.flatMap((block) =>
    "providerData" in block ? detailsIn(block.providerData) : [],
  );
  return details.length > 0 ? { reasoning_details: details } : {};
}

function detailsIn(seal: unknown): readonly unknown[] {
  const { reasoning_details: details } = (
    typeof seal === "object" && seal !== null ? seal : {}
  ) as {
    readonly reasoning_details?: unknown;
  };
  return Array.isArray(details) ? details : [];
}
