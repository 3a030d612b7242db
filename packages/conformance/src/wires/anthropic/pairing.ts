import { type Fields, holding } from "../fields.ts";

/** A message after the server merged neighbours of one role. */
export interface Content {
  readonly role: string;
  readonly blocks: readonly Fields[];
}
/** A message among its neighbours. */
interface Placed {
  readonly n: number;
  readonly message: Content;
  readonly before: Content;
}

const isCall = (type: unknown): boolean => type === "tool_use";
const isResult = (type: unknown): boolean => type === "tool_result";
const isThinking = (type: unknown): boolean => type === "thinking" || type === "redacted_thinking";
const isServerCall = (type: unknown): boolean =>
  type === "server_tool_use" || type === "mcp_tool_use";
const isServerResult = (type: unknown): boolean =>
  typeof type === "string" && type.endsWith("_tool_result");
const none: Content = { role: "none", blocks: [] };

const ids = (
  { blocks }: Content,
  key: "id" | "tool_use_id",
  is: (type: unknown) => boolean,
): readonly unknown[] => blocks.filter(({ type }) => is(type)).map((block) => block[key]);
const unanswered = (message: Content): readonly unknown[] => {
  const closed = ids(message, "tool_use_id", isServerResult);
  return ids(message, "id", isServerCall).filter((id) => !closed.includes(id));
};

function ofUser({ n, message, before }: Placed): readonly string[] {
  const calls = ids(before, "id", isCall);
  const results = ids(message, "tool_use_id", isResult);
  const missing = calls.filter((id) => !results.includes(id));
  const strays = results.filter((id) => !calls.includes(id));
  const types = message.blocks.map(({ type }) => type);
  const other = types.findIndex((type) => !isResult(type));
  return holding({
    [`messages.${n - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}`]:
      missing.length > 0,
    [`messages.${n}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${strays.join(", ")}`]:
      strays.length > 0,
    [`messages.${n}: each tool_use must have a single result`]:
      new Set(results).size !== results.length,
    [`messages.${n}: \`tool_result\` blocks must come first in the message`]:
      other >= 0 && types.slice(other).some(isResult),
    [`messages.${n}: after a server call without its result only \`tool_result\` blocks may follow`]:
      other >= 0 && calls.length > 0 && unanswered(before).length > 0,
    [`messages.${n}: \`tool_use\` blocks can only be in assistant messages`]: types.some(isCall),
  });
}

const ofAssistant = ({ n, message }: Placed): readonly string[] =>
  holding({
    [`messages.${n}: the final block in an assistant message cannot be \`thinking\``]: isThinking(
      message.blocks.at(-1)?.["type"],
    ),
    [`messages.${n}: \`tool_result\` blocks can only be in user messages`]: message.blocks.some(
      ({ type }) => isResult(type),
    ),
  });

/** A server call and its result are in one message, or in neighbours of the assistant's. */
function ofServerCalls(messages: readonly Content[]): readonly string[] {
  const turns = messages.filter(({ role }) => role === "assistant");
  return turns.flatMap((turn, n) => {
    const known = [turn, turns[n - 1] ?? none].flatMap((message) =>
      ids(message, "id", isServerCall),
    );
    const strays = ids(turn, "tool_use_id", isServerResult).filter((id) => !known.includes(id));
    const later = turns[n + 1];
    const answered =
      later === undefined ? unanswered(turn) : ids(later, "tool_use_id", isServerResult);
    const open = unanswered(turn).filter((id) => !answered.includes(id));
    return holding({
      [`the result ${strays.join(", ")} has no server call`]: strays.length > 0,
      [`the server call ${open.join(", ")} has no result block`]: open.length > 0,
    });
  });
}

/** What a conversation may end with: a user's message, or a paused step of the server's. */
function ofEnd(last: Content): readonly string[] {
  if (last.role !== "assistant") return [];
  const paused = last.blocks.some(({ type }) => isServerCall(type) || isServerResult(type));
  const open = ids(last, "id", isCall);
  return holding({
    "This model does not support assistant message prefill. The conversation must end with a user message.":
      !paused,
    [`\`tool_use\` ids without results at the end: ${open.join(", ")}`]: open.length > 0,
  });
}

const byRole: Readonly<Record<string, (placed: Placed) => readonly string[]>> = {
  user: ofUser,
  assistant: ofAssistant,
};

/** The rules between messages. */
export function pairing(messages: readonly Content[]): readonly string[] {
  const all = messages.flatMap((message) =>
    ids(message, "id", (type) => isCall(type) || isServerCall(type)),
  );
  return [
    ...holding({
      "messages: `tool_use` ids must be unique": new Set(all).size !== all.length,
      "messages: the first message must use the user role": messages[0]?.role === "assistant",
    }),
    ...messages.flatMap(
      (message, n) => byRole[message.role]?.({ n, message, before: messages[n - 1] ?? none }) ?? [],
    ),
    ...ofServerCalls(messages),
    ...ofEnd(messages.at(-1) ?? none),
  ];
}
