import type Anthropic from "@anthropic-ai/sdk";
import type {
  AssistantBlock,
  AssistantMessage,
  Message,
  NativeBlock,
  ToolCallBlock,
  ToolResultBlock,
  UserMessage,
} from "@fullstop/core";
import { type ContentParam, encodeContent, isBlank, text, textOnly } from "./media.ts";
import type { ToolSeal } from "./tool-use.ts";

type Block = Anthropic.ContentBlockParam;
interface Param {
  readonly role: "user" | "assistant";
  readonly content: Block[];
}

/**
 * A conversation as the API takes it: neighbours of one role in one message, results first in the user message after their calls,
 * a user message at both ends, except that a paused turn goes back as it came.
 */
export function encodeMessages(messages: readonly Message[]): Anthropic.MessageParam[] {
  const conversation = createConversation();
  const chain = createChain();
  for (const message of messages) add(conversation, chain, message);
  if (!isPaused(messages.at(-1))) conversation.end();
  const { params } = conversation;
  if (params[0]?.role === "assistant")
    params.unshift({
      role: "user",
      content: [text("(The conversation begins with the assistant's message.)")],
    });
  return params;
}

/** Stopped in the middle of a server tool: the provider goes on with it where it comes last. */
const isPaused = (message: Message | undefined): boolean =>
  message?.role === "assistant" &&
  message.stopReason === "pause" &&
  message.content.some((block) => block.type === "native");

function add({ append, lastResult }: Conversation, chain: Chain, message: Message): void {
  switch (message.role) {
    case "assistant":
      chain.see(message);
      return append("assistant", message.content.flatMap(encodeAssistantBlock));
    case "tool": {
      const results = message.content.map((result) => encodeResult(result, chain.sealOf(result)));
      return append("user", results);
    }
    case "user": {
      const result = chain.resultsOnly() ? lastResult() : undefined;
      return result === undefined
        ? append("user", encodeUser(message))
        : addToResult(result, message);
    }
  }
}

interface Conversation {
  readonly params: Param[];
  append(role: Param["role"], content: readonly Block[]): void;
  lastResult(): Anthropic.ToolResultBlockParam | undefined;
  /** The model's turn: the API takes no assistant message before it. */
  end(): void;
}

function createConversation(): Conversation {
  const params: Param[] = [];
  /** "The final block in an assistant message cannot be `thinking`", and an empty message is refused. */
  const settle = (): void => {
    const last = params.at(-1);
    if (last?.role !== "assistant") return;
    while (isThinking(last.content.at(-1))) last.content.pop();
    if (last.content.length === 0) params.pop();
  };
  const append = (role: Param["role"], content: readonly Block[]): void => {
    if (content.length === 0) return;
    if (role === "user") settle();
    const last = params.at(-1);
    if (last?.role === role) last.content.push(...content);
    else params.push({ role, content: [...content] });
  };
  return {
    params,
    append,
    lastResult: () => params.at(-1)?.content.findLast((block) => block.type === "tool_result"),
    end() {
      settle();
      if (params.at(-1)?.role !== "user") append("user", [text("(No new message. Please go on.)")]);
    },
  };
}

function encodeAssistantBlock(block: AssistantBlock): readonly Block[] {
  switch (block.type) {
    case "text":
      return isBlank(block.text) ? [] : [{ ...text(block.text), ...citations(block.providerData) }];
    case "thinking":
      return typeof block.providerData === "string" && block.providerData !== ""
        ? [{ type: "thinking", thinking: block.text, signature: block.providerData }]
        : [];
    case "tool-call":
      return [
        {
          type: "tool_use",
          id: block.id,
          name: toolName(block.name),
          input: toolInput(block),
          ...toolSeal(block.providerData),
        },
      ];
    case "native":
      return [block.data as Block];
  }
}

const isThinking = (block: Block | undefined): boolean =>
  block?.type === "thinking" || block?.type === "redacted_thinking";

/** `file_id` comes with a citation and is refused in a request. */
function citations(seal: unknown): Pick<Anthropic.TextBlockParam, "citations"> {
  if (!Array.isArray(seal) || seal.length === 0) return {};
  return {
    citations: seal.map(({ file_id: _, ...citation }: Anthropic.CitationCharLocation) => citation),
  };
}

/** Names of other providers' tools may hold characters that this one refuses. */
export const toolName = (name: string): string =>
  name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, 128);

/** The API wants an object: free-form text, and what is none, goes in as `{ text }`. */
function toolInput({ inputText, kind }: ToolCallBlock): object {
  if (kind === "text") return { text: inputText };
  if (isBlank(inputText)) return {};
  try {
    const input: unknown = JSON.parse(inputText);
    return typeof input === "object" && input !== null && !Array.isArray(input)
      ? input
      : { text: inputText };
  } catch {
    return { text: inputText };
  }
}

function encodeUser({ content }: UserMessage): readonly ContentParam[] {
  const blocks = encodeContent(content);
  return blocks.length > 0 ? blocks : [text("(An empty message.)")];
}

function encodeResult(
  { id, content, isError }: ToolResultBlock,
  { toolset_name }: ToolSeal,
): Anthropic.ToolResultBlockParam {
  const blocks = encodeContent(content);
  const said = isError ? blocks.map(textOnly) : blocks;
  return {
    type: "tool_result",
    tool_use_id: id,
    ...(said.length > 0
      ? { content: [...said] }
      : isError && { content: [text("(The tool failed and said nothing.)")] }),
    ...(isError && { is_error: true }),
    ...(toolset_name && { toolset_name }),
  };
}

/**
 * While a server call of the same turn waits for its result, the user message may hold nothing but results
 * (anthropic-sdk-typescript#1090). So what is said beside them goes into the last result, under the name of who says it:
 * it is read at once, and its place does not change in later requests.
 */
function addToResult(result: Anthropic.ToolResultBlockParam, message: UserMessage): void {
  const before =
    typeof result.content === "string" ? [text(result.content)] : (result.content ?? []);
  const header = text(
    message.by === "loop"
      ? "[Not from the tool, but from the program that runs it:]"
      : "[Not from the tool, but from the user:]",
  );
  const said = encodeUser(message);
  result.content = [...before, header, ...(result.is_error ? said.map(textOnly) : said)];
}

const toolSeal = (seal: unknown): ToolSeal =>
  typeof seal === "object" && seal !== null ? seal : {};

/** What the last assistant message leaves open. */
interface Chain {
  see(message: AssistantMessage): void;
  sealOf(result: ToolResultBlock): ToolSeal;
  /** Calls wait for their results, and so does a server call before them. */
  resultsOnly(): boolean;
}

function createChain(): Chain {
  const server = new Set<string>();
  let calls = new Map<string, unknown>();
  const pair = ({ opens, closes }: NativeBlock): void => {
    if (opens !== undefined) server.add(opens);
    if (closes !== undefined) server.delete(closes);
  };
  return {
    see({ content, stopReason }) {
      for (const block of content) if (block.type === "native") pair(block);
      calls = new Map(
        content
          .filter((block) => block.type === "tool-call")
          .map(({ id, providerData: seal }) => [id, seal]),
      );
      if (calls.size === 0 && stopReason !== "pause") server.clear();
    },
    sealOf: ({ id }) => toolSeal(calls.get(id)),
    resultsOnly: () => calls.size > 0 && server.size > 0,
  };
}
