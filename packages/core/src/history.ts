import type { AssistantBlock, AssistantMessage, Message, ToolCallBlock, ToolMessage, ToolResultBlock } from "./message.ts";

/** What is wrong with a history, and in which message. */
export interface Flaw {
  readonly at: number;
  readonly rule: FlawRule;
  /** The call or result that it is about. */
  readonly id?: string | undefined;
}
/** The rules that a history may break. */
export type FlawRule =
  | "call-without-result"
  | "result-without-call"
  | "results-out-of-order"
  | "duplicate-call-id"
  | "call-without-name"
  | "empty-message";

const callsOf = (message: Message | undefined): readonly ToolCallBlock[] =>
  message?.role === "assistant" ? message.content.filter((block) => block.type === "tool-call") : [];

/** Every call has exactly one result, in call order, in the message next to it; ids are unique. Empty where a history keeps that. */
export function validateHistory(messages: readonly Message[]): readonly Flaw[] {
  const ids = new Set<string>();
  return messages.flatMap((message, at) => [...flawsOf(message, at, ids), ...flawsBetween(messages, at)]);
}

function flawsOf(message: Message, at: number, ids: Set<string>): readonly Flaw[] {
  const flaws: Flaw[] = message.content.length === 0 && message.role !== "user" ? [{ at, rule: "empty-message" }] : [];
  for (const { id, name } of callsOf(message)) {
    if (name.trim() === "") flaws.push({ at, rule: "call-without-name", id });
    if (ids.has(id)) flaws.push({ at, rule: "duplicate-call-id", id });
    ids.add(id);
  }
  return flaws;
}

function flawsBetween(messages: readonly Message[], at: number): readonly Flaw[] {
  const message = messages[at];
  const results = resultsAfter(messages, at).map(({ id }) => id);
  const calls = callsOf(message).map(({ id }) => id);
  const unanswered = calls.filter((id) => !results.includes(id)).map((id): Flaw => ({ at, rule: "call-without-result", id }));
  if (message?.role !== "tool") return unanswered;
  const asked = callsOf(messages[at - 1]).map(({ id }) => id);
  const given = message.content.map(({ id }) => id);
  const stray = given.filter((id, position) => !asked.includes(id) || given.indexOf(id) !== position);
  if (stray.length > 0) return stray.map((id) => ({ at, rule: "result-without-call", id }));
  const inOrder = asked.filter((id) => given.includes(id)).every((id, position) => id === given[position]);
  return inOrder ? [] : [{ at, rule: "results-out-of-order" }];
}

const resultsAfter = (messages: readonly Message[], at: number): readonly ToolResultBlock[] => {
  const next = messages[at + 1];
  return next?.role === "tool" ? next.content : [];
};
/** Also those that came one by one, or after what a person said meanwhile. */
function laterResults(messages: readonly Message[], at: number): readonly ToolResultBlock[] {
  const end = messages.findIndex((message, position) => position > at && message.role === "assistant");
  return messages.slice(at + 1, end < 0 ? undefined : end).flatMap((message) => (message.role === "tool" ? message.content : []));
}

/**
 * Adds a message to a history that is being written, and keeps its invariant.
 * @throws TypeError where calls would stay without results, results answer no call, or an id is taken.
 */
export function appendMessage(history: Message[], message: Message): void {
  const open = callsOf(history.at(-1)).map(({ id }) => id);
  const given = message.role === "tool" ? message.content.map(({ id }) => id) : [];
  if (given.length !== open.length || given.some((id, position) => id !== open[position])) {
    throw new TypeError(
      `History expects results for [${open.join(", ")}] next, in this order, and got [${given.join(", ")}] from a ${message.role} message.`,
    );
  }
  if (message.role === "tool" && given.length === 0) throw new TypeError("A tool message without results cannot join a history.");
  const [flaw] = flawsOf(message, history.length, takenOf(message, history));
  if (flaw !== undefined)
    throw new TypeError(`This message cannot join a history: ${flaw.rule}${flaw.id === undefined ? "" : ` (${flaw.id})`}.`);
  history.push(message);
}

/** The ids of the message that the history has already: one pass, and none for most messages. */
function takenOf(message: Message, history: readonly Message[]): Set<string> {
  const ids = new Set(callsOf(message).map(({ id }) => id));
  const taken = new Set<string>();
  if (ids.size > 0) for (const one of history) for (const { id } of callsOf(one)) if (ids.has(id)) taken.add(id);
  return taken;
}

const unknownResult = "No result was recorded for this call: it may or may not have run. Check before you repeat it.";

/**
 * A copy that keeps the rules of `validateHistory`, with what was done to it: unanswered calls get a truthful error result, stray results go, taken ids change.
 */
export function repairHistory(messages: readonly Message[]): { readonly messages: readonly Message[]; readonly repaired: readonly Flaw[] } {
  const repaired = validateHistory(messages);
  if (repaired.length === 0) return { messages, repaired };
  const ids = new Set<string>();
  const kept: Message[] = [];
  messages.forEach((message, at) => {
    if (message.role === "user") kept.push(message);
    if (message.role !== "assistant") return;
    const { renamed, content } = repairCalls(message, ids);
    if (content.length === 0) return;
    kept.push({ ...message, content });
    if (renamed.length > 0) kept.push(answer(renamed, laterResults(messages, at)));
  });
  return { messages: kept, repaired };
}

interface Renamed {
  readonly from: string;
  readonly call: ToolCallBlock;
}
function repairCalls(
  message: AssistantMessage,
  ids: Set<string>,
): { readonly renamed: readonly Renamed[]; readonly content: AssistantMessage["content"] } {
  const renamed: Renamed[] = [];
  const content = message.content.flatMap((block): readonly AssistantBlock[] => {
    if (block.type !== "tool-call") return [block];
    if (block.name.trim() === "") return [];
    let id = block.id;
    for (let again = 2; ids.has(id); again++) id = `${block.id}_${again}`;
    ids.add(id);
    const call = { ...block, id };
    renamed.push({ from: block.id, call });
    return [call];
  });
  return { renamed, content };
}

function answer(renamed: readonly Renamed[], results: readonly ToolResultBlock[]): ToolMessage {
  const left = [...results];
  const content = renamed.map(({ from, call: { id, name } }): ToolResultBlock => {
    const at = left.findIndex((result) => result.id === from);
    const [found] = at < 0 ? [] : left.splice(at, 1);
    return found === undefined ? { type: "tool-result", id, name, content: unknownResult, isError: true } : { ...found, id };
  });
  return { role: "tool", content };
}
