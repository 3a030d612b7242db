import type Anthropic from "@anthropic-ai/sdk";
import type { AssistantBlock, Message, ToolResultBlock, UserMessage } from "@fullstop/core";
import { inputObject, resultText, safeToolName } from "@fullstop/core/adapter";
import { type ContentParam, encodeContent, isBlank, textParam, toTextParam } from "./media.ts";
import { createOpenCalls, type OpenCalls, readToolUseData } from "./open-calls.ts";
import type { ToolUseData } from "./tool-use.ts";

type Block = Anthropic.ContentBlockParam;
interface MessageDraft {
  readonly role: "user" | "assistant";
  readonly content: Block[];
}

/**
 * Encodes a conversation as the API accepts it. Consecutive messages of one role become one
 * message. Results come first in the user message after their calls. The conversation starts and
 * ends with a user message, but a paused turn goes back unchanged at the end.
 */
export function encodeMessages(
  messages: readonly Message[],
  unsignedThinking = false,
): Anthropic.MessageParam[] {
  const conversation = createConversation();
  const openCalls = createOpenCalls();
  for (const message of messages)
    addMessage(message, { conversation, openCalls, unsignedThinking });
  if (!isPaused(messages.at(-1))) conversation.endWithUser();
  const { drafts } = conversation;
  if (drafts[0]?.role === "assistant")
    drafts.unshift({
      role: "user",
      content: [textParam("(The conversation begins with the assistant's message.)")],
    });
  return drafts;
}

/** Stopped in the middle of a server tool: the provider continues it if it is the last message. */
const isPaused = (message: Message | undefined): boolean =>
  message?.role === "assistant" &&
  message.stopReason === "pause" &&
  message.content.some((block) => block.type === "native");

interface MessageWriter {
  readonly conversation: ReturnType<typeof createConversation>;
  readonly openCalls: OpenCalls;
  readonly unsignedThinking: boolean;
}

function addMessage(
  message: Message,
  { conversation, openCalls, unsignedThinking }: MessageWriter,
): void {
  const { append, lastResult } = conversation;
  switch (message.role) {
    case "assistant":
      openCalls.update(message);
      return append(
        "assistant",
        message.content.flatMap((block) => encodeAssistantBlock(block, unsignedThinking)),
      );
    case "tool": {
      const results = message.content.map((result) =>
        encodeResult(result, openCalls.dataFor(result)),
      );
      return append("user", results);
    }
    case "user": {
      const result = openCalls.allowOnlyResults() ? lastResult() : undefined;
      return result === undefined
        ? append("user", encodeUser(message))
        : addToResult(result, message);
    }
  }
}

function createConversation() {
  const drafts: MessageDraft[] = [];
  /**
   * "The final block in an assistant message cannot be `thinking`", and an empty message is
   * refused.
   */
  const dropFinalThinking = (): void => {
    const last = drafts.at(-1);
    if (last?.role !== "assistant") return;
    while (isThinking(last.content.at(-1))) last.content.pop();
    if (last.content.length === 0) drafts.pop();
  };
  const append = (role: MessageDraft["role"], content: readonly Block[]): void => {
    if (content.length === 0) return;
    if (role === "user") dropFinalThinking();
    const last = drafts.at(-1);
    if (last?.role === role) last.content.push(...content);
    else drafts.push({ role, content: [...content] });
  };
  return {
    drafts,
    append,
    lastResult: (): Anthropic.ToolResultBlockParam | undefined =>
      drafts.at(-1)?.content.findLast((block) => block.type === "tool_result"),
    /** Adds a user message if the last message is the assistant's. */
    endWithUser(): void {
      dropFinalThinking();
      if (drafts.at(-1)?.role !== "user")
        append("user", [textParam("(No new message. Please go on.)")]);
    },
  };
}

function encodeAssistantBlock(block: AssistantBlock, unsignedThinking: boolean): readonly Block[] {
  switch (block.type) {
    case "text":
      return isBlank(block.text)
        ? []
        : [{ ...textParam(block.text), ...citations(block.providerData) }];
    case "thinking":
      return encodeThinking(block, unsignedThinking);
    case "tool-call":
      return [
        {
          type: "tool_use",
          id: block.id,
          name: toolName(block.name),
          input: inputObject(block),
          ...readToolUseData(block.providerData),
        },
      ];
    case "native":
      return [block.data as Block];
  }
}

function encodeThinking(
  { text, providerData }: Extract<AssistantBlock, { type: "thinking" }>,
  unsignedThinking: boolean,
): readonly Block[] {
  if (isRedacted(providerData)) return [providerData];
  return typeof providerData === "string" && (unsignedThinking || providerData !== "")
    ? [{ type: "thinking", thinking: text, signature: providerData }]
    : [];
}

const isRedacted = (data: unknown): data is Anthropic.RedactedThinkingBlockParam =>
  typeof data === "object" && data !== null && "type" in data && data.type === "redacted_thinking";

const isThinking = (block: Block | undefined): boolean =>
  block?.type === "thinking" || block?.type === "redacted_thinking";

/** A citation of a reply has a `file_id`, which the API refuses in a request. */
function citations(providerData: unknown): Pick<Anthropic.TextBlockParam, "citations"> {
  if (!Array.isArray(providerData) || providerData.length === 0) return {};
  return {
    citations: providerData.map(
      ({ file_id: _, ...citation }: Anthropic.CitationCharLocation) => citation,
    ),
  };
}

export const toolName = (name: string): string =>
  safeToolName(name, { refused: /[^a-zA-Z0-9_-]/g, maxLength: 128 });

function encodeUser({ content }: UserMessage): readonly ContentParam[] {
  const params = encodeContent(content);
  return params.length > 0 ? params : [textParam("(An empty message.)")];
}

function encodeResult(
  { id, content, isError }: ToolResultBlock,
  { toolset_name }: ToolUseData,
): Anthropic.ToolResultBlockParam {
  const params = encodeContent(content);
  const encoded = isError ? params.map(toTextParam) : params;
  return {
    type: "tool_result",
    tool_use_id: id,
    ...(encoded.length > 0
      ? { content: [...encoded] }
      : isError && { content: [textParam(resultText("", isError))] }),
    ...(isError && { is_error: true }),
    ...(toolset_name && { toolset_name }),
  };
}

/**
 * While a server call of the same turn waits for its result, the user message may hold only results
 * (anthropic-sdk-typescript#1090). So a user's message goes into the last result, after a line that
 * names its author. The model reads it at once, and it stays in this place in later requests.
 */
function addToResult(result: Anthropic.ToolResultBlockParam, message: UserMessage): void {
  const before =
    typeof result.content === "string" ? [textParam(result.content)] : (result.content ?? []);
  const author = message.by === "loop" ? "the program that runs it" : "the user";
  const header = textParam(`[Not from the tool, but from ${author}:]`);
  const params = encodeUser(message);
  result.content = [...before, header, ...(result.is_error ? params.map(toTextParam) : params)];
}
