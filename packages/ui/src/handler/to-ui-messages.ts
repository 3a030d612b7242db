import type { AssistantMessage, ToolResultBlock, UserMessage } from "@fullstop/core";
import { isFields, parsePlainJson } from "@fullstop/core/adapter";
import { errorTextOf, outputOf } from "../chat/tool-output.ts";
import type { StoredChat } from "./chat-store.ts";

/** A part of a message, as `useChat` has it. */
export type ShownPart =
  | { type: "step-start" }
  | { type: "text"; text: string }
  | { type: "file"; mediaType: string; url: string; filename?: string }
  | ({ type: `tool-${string}`; toolCallId: string; input: unknown } & CallState);
type CallState =
  | { state: "input-available" }
  | { state: "approval-requested"; approval: { id: string } }
  | { state: "output-available"; output: unknown }
  | { state: "output-error"; errorText: string };

/** A message, as `useChat` has it. */
export interface ShownMessage {
  id: string;
  role: "user" | "assistant";
  parts: ShownPart[];
}

export const answerIdOf = (questionId: string): string => `${questionId}.answer`;

/**
 * A stored chat as the messages of a page that is loaded again: `useChat({ id, messages })`. Its
 * open calls can be answered there. The reasoning and the data parts of the first time are missing.
 */
export function toUiMessages(chat: StoredChat | undefined): ShownMessage[] {
  if (chat == null) return [];
  const { messages, questions, waiting } = chat;
  const results = new Map(
    messages.flatMap(({ role, content }) =>
      role === "tool" ? content.map((result) => [result.id, result] as const) : [],
    ),
  );
  const shown: ShownMessage[] = [];
  const answer = (parts: readonly ShownPart[]): void => {
    const last = shown.at(-1);
    if (last?.role === "assistant") last.parts.push(...parts);
    else shown.push({ id: answerIdOf(last?.id ?? ""), role: "assistant", parts: [...parts] });
  };
  for (const [at, message] of messages.entries())
    if (message.role === "assistant") answer(replyParts(message, results));
    else if (message.role === "user" && message.by !== "loop") {
      const id = questions.find((question) => question.at === at)?.id ?? `message-${at}`;
      shown.push({ id, role: "user", parts: questionParts(message) });
    }
  if (waiting !== undefined) answer(waitingParts(waiting));
  return shown;
}

function questionParts({ content }: UserMessage): ShownPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.flatMap((block): readonly ShownPart[] => {
    if (block.type === "text") return [{ type: "text", text: block.text }];
    const mediaType = block.mediaType ?? `${block.type}/*`;
    const url = block.data === undefined ? block.url : `data:${mediaType};base64,${block.data}`;
    // The page cannot load a file that only the provider has.
    if (url === undefined) return [];
    const name = block.type === "file" ? block.name : undefined;
    return [{ type: "file", mediaType, url, ...(name !== undefined && { filename: name }) }];
  });
}

function replyParts(
  { content }: AssistantMessage,
  results: ReadonlyMap<string, ToolResultBlock>,
): readonly ShownPart[] {
  const parts = content.flatMap((block): readonly ShownPart[] => {
    if (block.type === "text") return [{ type: "text", text: block.text }];
    if (block.type !== "tool-call") return [];
    const { id, name, kind, inputText } = block;
    const input = kind === "text" ? { text: inputText } : parsePlainJson(inputText || "{}");
    return [{ type: `tool-${name}`, toolCallId: id, input, ...stateOf(results.get(id)) }];
  });
  return [{ type: "step-start" }, ...parts];
}

function stateOf(result: ToolResultBlock | undefined): CallState {
  if (result === undefined) return { state: "input-available" };
  if (result.isError) return { state: "output-error", errorText: errorTextOf(result) };
  return { state: "output-available", output: outputOf(result) };
}

function waitingParts({ turn, calls }: NonNullable<StoredChat["waiting"]>): readonly ShownPart[] {
  const text = isFields(turn) && typeof turn["text"] === "string" ? turn["text"] : "";
  return [
    { type: "step-start" },
    ...(text === "" ? [] : [{ type: "text", text } as const]),
    ...calls.map(({ id, name, input, needs }): ShownPart => {
      const call = { type: `tool-${name}`, toolCallId: id, input } as const;
      if (needs !== "decision") return { ...call, state: "input-available" };
      return { ...call, state: "approval-requested", approval: { id } };
    }),
  ];
}
