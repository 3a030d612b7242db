import type {
  AssistantMessage,
  Message,
  NativeTool,
  RunEvent,
  ToolResultBlock,
  Turn,
} from "@fullstop/loop";
import type { Attributes } from "@opentelemetry/api";
import { attributes } from "./names.ts";

type TurnRequest = Extract<RunEvent, { readonly type: "prompt" }>["request"];
type ToolSpec = Exclude<NonNullable<TurnRequest["tools"]>[number], NativeTool>;

/** What the model wrote. Of calls that were withheld, nothing. */
export function outputContent({ message, text, native }: Turn): Attributes {
  if (message === undefined && text === "") return {};
  const output = {
    role: "assistant",
    parts: message?.content.map(toPart) ?? [{ type: "text", content: text }],
    ...(native !== undefined && { finish_reason: native.stop }),
  };
  return { [attributes.outputMessages]: JSON.stringify([output]) };
}

export function requestContent({ system, messages, tools }: TurnRequest): Attributes {
  return {
    ...(system !== undefined && {
      [attributes.systemInstructions]: JSON.stringify([{ type: "text", content: system }]),
    }),
    [attributes.inputMessages]: JSON.stringify(messages.map(toMessage)),
    ...(tools !== undefined &&
      tools.length > 0 && {
        [attributes.toolDefinitions]: JSON.stringify(tools.map(toDefinition)),
      }),
  };
}

/** A tool of the provider is named only: its definition may hold an address or a key. */
function toDefinition(spec: ToolSpec | NativeTool): object {
  if ("provider" in spec) return { type: "native", name: spec.name ?? spec.provider };
  const { name, description, inputSchema } = spec;
  return {
    type: "function",
    name,
    description,
    ...(inputSchema !== "text" && { parameters: inputSchema }),
  };
}

export function conversationContent(messages: readonly Message[]): Attributes {
  const last = messages.at(-1);
  const hasAnswer = last?.role === "assistant";
  const input = (hasAnswer ? messages.slice(0, -1) : messages).map(toMessage);
  return {
    [attributes.inputMessages]: JSON.stringify(input),
    ...(hasAnswer && { [attributes.outputMessages]: JSON.stringify([toMessage(last)]) }),
  };
}

function toMessage(message: Message) {
  const { role, content } = message;
  const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  const finish = role === "assistant" ? message.native?.stop : undefined;
  return {
    role,
    parts: blocks.map(toPart),
    ...(finish !== undefined && { finish_reason: finish }),
  };
}

type Block =
  | AssistantMessage["content"][number]
  | ToolResultBlock
  | Exclude<ToolResultBlock["content"], string>[number];

/** Images, files and blocks that only a provider understands are named, and their bytes left out. */
function toPart(block: Block): object {
  switch (block.type) {
    case "text":
      return { type: "text", content: block.text };
    case "thinking":
      return { type: "reasoning", content: block.text };
    case "tool-call":
      return { type: "tool_call", id: block.id, name: block.name, arguments: block.inputText };
    case "tool-result":
      return { type: "tool_call_response", id: block.id, response: resultText(block) };
    default:
      return { type: block.type };
  }
}

/** The result of a call as the model gets it. Blocks that are not text are named only. */
export const resultText = ({ content }: ToolResultBlock): string =>
  typeof content === "string"
    ? content
    : content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n");
