import type { Violation } from "../../wire.ts";
import { type Fields, listDoubtful, listViolations } from "../shared.ts";

/** Neighboring messages of one role, merged as the server merges them. */
export interface MergedMessage {
  readonly role: string;
  readonly blocks: readonly Fields[];
}
interface PlacedMerged {
  readonly index: number;
  readonly message: MergedMessage;
  readonly before: MergedMessage;
}

const isToolUse = (type: unknown): boolean => type === "tool_use";
const isToolResult = (type: unknown): boolean => type === "tool_result";
const isThinking = (type: unknown): boolean => type === "thinking" || type === "redacted_thinking";
const isServerCall = (type: unknown): boolean =>
  type === "server_tool_use" || type === "mcp_tool_use";
const isServerResult = (type: unknown): boolean =>
  typeof type === "string" && type.endsWith("_tool_result");
const noMessage: MergedMessage = { role: "none", blocks: [] };

/** Messages as a request holds them. */
const shownMessages = (...messages: readonly MergedMessage[]): readonly unknown[] =>
  messages
    .filter((message) => message !== noMessage)
    .map(({ role, blocks }) => ({ role, content: blocks }));

const idsOfBlocks = (
  { blocks }: MergedMessage,
  key: "id" | "tool_use_id",
  is: (type: unknown) => boolean,
): readonly unknown[] => blocks.filter(({ type }) => is(type)).map((block) => block[key]);
const openServerCalls = (message: MergedMessage): readonly unknown[] => {
  const closed = idsOfBlocks(message, "tool_use_id", isServerResult);
  return idsOfBlocks(message, "id", isServerCall).filter((id) => !closed.includes(id));
};

function userMessageViolations({ index, message, before }: PlacedMerged): readonly Violation[] {
  const calls = idsOfBlocks(before, "id", isToolUse);
  const results = idsOfBlocks(message, "tool_use_id", isToolResult);
  const missing = calls.filter((id) => !results.includes(id));
  const strays = results.filter((id) => !calls.includes(id));
  const types = message.blocks.map(({ type }) => type);
  const other = types.findIndex((type) => !isToolResult(type));
  return listViolations(shownMessages(before, message), {
    [`messages.${index - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}`]:
      missing.length > 0,
    [`messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${strays.join(", ")}`]:
      strays.length > 0,
    [`messages.${index}: each tool_use must have a single result`]:
      new Set(results).size !== results.length,
    [`messages.${index}: \`tool_result\` blocks must come first in the message`]:
      other >= 0 && types.slice(other).some(isToolResult),
    [`messages.${index}: after a server call without its result only \`tool_result\` blocks may follow`]:
      other >= 0 && calls.length > 0 && openServerCalls(before).length > 0,
    [`messages.${index}: \`tool_use\` blocks can only be in assistant messages`]:
      types.some(isToolUse),
  });
}

const assistantMessageViolations = ({ index, message }: PlacedMerged): readonly Violation[] => {
  const hasResult = message.blocks.some(({ type }) => isToolResult(type));
  return listViolations(shownMessages(message), {
    [`messages.${index}: the final block in an assistant message cannot be \`thinking\``]:
      isThinking(message.blocks.at(-1)?.["type"]),
    [`messages.${index}: \`tool_result\` blocks can only be in user messages`]: hasResult,
  });
};

/** A server call and its result are in one assistant message, or in two consecutive ones. */
function serverCallViolations(messages: readonly MergedMessage[]): readonly Violation[] {
  const turns = messages.filter(({ role }) => role === "assistant");
  return turns.flatMap((turn, index) => {
    const known = [turn, turns[index - 1] ?? noMessage].flatMap((message) =>
      idsOfBlocks(message, "id", isServerCall),
    );
    const strays = idsOfBlocks(turn, "tool_use_id", isServerResult).filter(
      (id) => !known.includes(id),
    );
    const later = turns[index + 1];
    const answered =
      later === undefined
        ? openServerCalls(turn)
        : idsOfBlocks(later, "tool_use_id", isServerResult);
    const open = openServerCalls(turn).filter((id) => !answered.includes(id));
    return listViolations(shownMessages(turn, later ?? noMessage), {
      [`the result ${strays.join(", ")} has no server call`]: strays.length > 0,
      [`the server call ${open.join(", ")} has no result block`]: open.length > 0,
    });
  });
}

/**
 * Claude 4.6 and later refuse a conversation that ends with an assistant message. Of a model whose
 * version its name does not tell, nothing is known.
 * https://platform.claude.com/docs/en/about-claude/models/migration-guide, QwenLM/qwen-code#8039
 */
function prefillLevel(model: unknown): Violation["level"] | "allowed" {
  const [, major, minor = "0"] =
    /claude-(?:[a-z]+-)?(\d{1,2})(?:-(\d{1,2}))?(?!\d)/.exec(String(model)) ?? [];
  if (major === undefined) return "should";
  return Number(major) * 100 + Number(minor) >= 406 ? "must" : "allowed";
}

/** A conversation ends with a user message, or with a paused server step. */
function lastMessageViolations(last: MergedMessage, model: unknown): readonly Violation[] {
  if (last.role !== "assistant") return [];
  const paused = last.blocks.some(({ type }) => isServerCall(type) || isServerResult(type));
  const open = idsOfBlocks(last, "id", isToolUse);
  const level = prefillLevel(model);
  return [
    ...(level === "should" ? listDoubtful : listViolations)(shownMessages(last), {
      "This model does not support assistant message prefill. The conversation must end with a user message.":
        !paused && level !== "allowed",
    }),
    ...listViolations(shownMessages(last), {
      [`\`tool_use\` ids without results at the end: ${open.join(", ")}`]: open.length > 0,
    }),
  ];
}

const byRole: Readonly<Record<string, (placed: PlacedMerged) => readonly Violation[]>> = {
  user: userMessageViolations,
  assistant: assistantMessageViolations,
};

/** The broken rules about messages that belong together. */
export function anthropicPairingViolations(
  messages: readonly MergedMessage[],
  model: unknown,
): readonly Violation[] {
  const all = messages.flatMap((message) =>
    idsOfBlocks(message, "id", (type) => isToolUse(type) || isServerCall(type)),
  );
  return [
    ...listViolations(all, {
      "messages: `tool_use` ids must be unique": new Set(all).size !== all.length,
    }),
    ...listViolations(shownMessages(messages[0] ?? noMessage), {
      "messages: the first message must use the user role": messages[0]?.role === "assistant",
    }),
    ...messages.flatMap(
      (message, index) =>
        byRole[message.role]?.({ index, message, before: messages[index - 1] ?? noMessage }) ?? [],
    ),
    ...serverCallViolations(messages),
    ...lastMessageViolations(messages.at(-1) ?? noMessage, model),
  ];
}
