/** A message after the server merged neighbours of one role. */
export interface Content {
  readonly role: string;
  readonly blocks: readonly Readonly<Record<string, unknown>>[];
}

const isThinking = (type: unknown): boolean => type === "thinking" || type === "redacted_thinking";
const isServerCall = (type: unknown): boolean => type === "server_tool_use" || type === "mcp_tool_use";
const isServerResult = (type: unknown): boolean => typeof type === "string" && type.endsWith("_tool_result");
const ids = ({ blocks }: Content, key: string, is: (type: unknown) => boolean): readonly unknown[] =>
  blocks.filter(({ type }) => is(type)).map((block) => block[key]);

const empty: Content = { role: "none", blocks: [] };

function* ofAnswers({ before, at }: { readonly before: Content; readonly at: Content }, n: number): Generator<string> {
  const calls = ids(before, "id", (type) => type === "tool_use");
  const results = ids(at, "tool_use_id", (type) => type === "tool_result");
  const missing = calls.filter((id) => !results.includes(id));
  if (missing.length > 0) yield `messages.${n - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}`;
  for (const id of results.filter((result) => !calls.includes(result)))
    yield `messages.${n}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(id)}`;
  if (new Set(results).size !== results.length) yield `messages.${n}: each tool_use must have a single result`;
  const first = at.blocks.findIndex(({ type }) => type !== "tool_result");
  if (first >= 0 && at.blocks.slice(first).some(({ type }) => type === "tool_result"))
    yield `messages.${n}: \`tool_result\` blocks must come first in the message`;
  const deferred = openServerCalls(before).length > 0 && calls.length > 0;
  if (deferred && first >= 0) yield `messages.${n}: after a server call without its result only \`tool_result\` blocks may follow`;
}

const openServerCalls = (message: Content): readonly unknown[] => {
  const closed = ids(message, "tool_use_id", isServerResult);
  return ids(message, "id", isServerCall).filter((id) => !closed.includes(id));
};

function* ofServerCalls(messages: readonly Content[]): Generator<string> {
  const turns = messages.map((message, n) => ({ message, n })).filter(({ message }) => message.role === "assistant");
  for (const [turn, { message, n }] of turns.entries()) {
    const earlier = turns[turn - 1]?.message ?? empty;
    const later = turns[turn + 1]?.message;
    const known = [...ids(message, "id", isServerCall), ...ids(earlier, "id", isServerCall)];
    for (const id of ids(message, "tool_use_id", isServerResult)) if (!known.includes(id)) yield `messages.${n}: the result ${String(id)} has no server call`;
    if (later === undefined) continue;
    const answered = ids(later, "tool_use_id", isServerResult);
    for (const id of openServerCalls(message)) if (!answered.includes(id)) yield `messages.${n}: the server call ${String(id)} has no result block`;
  }
}

function* ofAssistant({ blocks }: Content, n: number): Generator<string> {
  if (isThinking(blocks.at(-1)?.["type"])) yield `messages.${n}: the final block in an assistant message cannot be \`thinking\``;
  if (blocks.some(({ type }) => type === "tool_result")) yield `messages.${n}: \`tool_result\` blocks can only be in user messages`;
}

/** The rules between messages. */
export function* pairing(messages: readonly Content[]): Generator<string> {
  const last = messages.at(-1) ?? empty;
  const all = messages.flatMap((message) => ids(message, "id", (type) => type === "tool_use" || isServerCall(type)));
  if (new Set(all).size !== all.length) yield "messages: `tool_use` ids must be unique";
  if (messages[0]?.role === "assistant") yield "messages: the first message must use the user role";
  const paused = last.role === "assistant" && last.blocks.some(({ type }) => isServerCall(type) || isServerResult(type));
  if (last.role === "assistant" && !paused) yield "This model does not support assistant message prefill. The conversation must end with a user message.";
  for (const [n, message] of messages.entries()) {
    if (message.role === "user") yield* ofAnswers({ before: messages[n - 1] ?? empty, at: message }, n);
    if (message.role === "assistant") yield* ofAssistant(message, n);
    if (message.role === "user" && message.blocks.some(({ type }) => type === "tool_use")) yield `messages.${n}: \`tool_use\` blocks can only be in assistant messages`;
  }
  if (last.role === "assistant") {
    const unanswered = ids(last, "id", (type) => type === "tool_use");
    if (unanswered.length > 0) yield `messages: \`tool_use\` ids without results at the end: ${unanswered.join(", ")}`;
  }
  yield* ofServerCalls(messages);
}
