import type {
  AssistantBlock,
  AssistantMessage,
  Message,
  ToolCallBlock,
  ToolMessage,
  ToolResultBlock,
} from "../contract/message.ts";
import { frozenCopy } from "../json/freeze.ts";
import { checkGiven } from "../options/check-given.ts";
import { createFold } from "./fold.ts";
import { checkMessages, findInvalidMessage } from "./message-shape.ts";

/** What is wrong with a history, and in which message. */
export interface Flaw {
  readonly at: number;
  readonly rule: FlawRule;
  /** The call or result with the fault. */
  readonly id?: string | undefined;
  /** Why the list cannot be read, for `not-messages`. */
  readonly sentence?: string;
}
export type FlawRule =
  /** The list, or one of its members, does not have the shape of messages. Nothing else is checked. */
  | "not-messages"
  | "call-without-result"
  | "result-without-call"
  | "results-out-of-order"
  | "duplicate-call-id"
  | "call-without-name"
  | "empty-message";

const callsOf = (message: Message | undefined): readonly ToolCallBlock[] =>
  message?.role === "assistant"
    ? message.content.filter((block) => block.type === "tool-call")
    : [];

/**
 * Checks a history: every call has exactly one result, in call order, in the next message, and ids
 * are unique. Returns an empty list if the history is valid.
 */
export function validateHistory(messages: readonly Message[]): readonly Flaw[] {
  const invalid = findInvalidMessage(messages);
  if (invalid !== undefined)
    return [
      { at: invalid.at, rule: "not-messages", sentence: `Invalid messages: ${invalid.flaw}.` },
    ];
  const ids = new Set<string>();
  return messages.flatMap((message, at) => [
    ...flawsOf(message, at, ids),
    ...flawsBetween(messages, at),
  ]);
}

function flawsOf(message: Message, at: number, ids: Set<string>): readonly Flaw[] {
  const flaws: Flaw[] =
    message.content.length === 0 && message.role !== "user" ? [{ at, rule: "empty-message" }] : [];
  for (const { id, name } of callsOf(message)) {
    if (name.trim() === "") flaws.push({ at, rule: "call-without-name", id });
    if (ids.has(id)) flaws.push({ at, rule: "duplicate-call-id", id });
    ids.add(id);
  }
  return flaws;
}

function flawsBetween(messages: readonly Message[], at: number): readonly Flaw[] {
  const message = messages[at];
  const results = new Set(resultsAfter(messages, at).map(({ id }) => id));
  const calls = callsOf(message).map(({ id }) => id);
  const unanswered = calls
    .filter((id) => !results.has(id))
    .map((id): Flaw => ({ at, rule: "call-without-result", id }));
  if (message?.role !== "tool") return unanswered;
  const asked = callsOf(messages[at - 1]).map(({ id }) => id);
  const given = message.content.map(({ id }) => id);
  const open = new Set(asked);
  const stray = given.filter((id) => !open.delete(id));
  if (stray.length > 0) return stray.map((id) => ({ at, rule: "result-without-call", id }));
  const inOrder = asked
    .filter((id) => !open.has(id))
    .every((id, position) => id === given[position]);
  return inOrder ? [] : [{ at, rule: "results-out-of-order" }];
}

const resultsAfter = (messages: readonly Message[], at: number): readonly ToolResultBlock[] => {
  const next = messages[at + 1];
  return next?.role === "tool" ? next.content : [];
};
/** Includes results that came one by one, or after a message of a person. */
function laterResults(messages: readonly Message[], at: number): readonly ToolResultBlock[] {
  const results: ToolResultBlock[] = [];
  for (
    let next = at + 1;
    messages[next] !== undefined && messages[next]?.role !== "assistant";
    next++
  ) {
    const message = messages[next];
    if (message?.role === "tool") for (const result of message.content) results.push(result);
  }
  return results;
}

/**
 * Adds a message to a history and keeps the history valid. The message is frozen, or a frozen copy
 * joins, so later requests need not read it again.
 * @throws TypeError if calls would have no results, a result has no call, or an id is not unique.
 */
export function appendMessage(history: Message[], message: Message): void {
  checkGiven(Array.isArray(history) && message, "appendMessage", "a history and a message");
  const open = callsOf(history.at(-1)).map(({ id }) => id);
  const given = message.role === "tool" ? message.content.map(({ id }) => id) : [];
  if (given.length !== open.length || given.some((id, position) => id !== open[position])) {
    throw new TypeError(
      `History expects results for [${open.join(", ")}] next, in this order, and got [${given.join(", ")}] from a ${message.role} message.`,
    );
  }
  if (message.role === "tool" && given.length === 0)
    throw new TypeError("A tool message without results cannot join a history.");
  const [flaw] = flawsOf(message, history.length, takenIds(message, history));
  if (flaw !== undefined)
    throw new TypeError(
      `This message cannot join a history: ${flaw.rule}${flaw.id === undefined ? "" : ` (${flaw.id})`}.`,
    );
  history.push(frozenCopy(message));
}

export const allCallIds = (messages: readonly Message[]): ReadonlySet<string> =>
  new Set(messages.flatMap(callsOf).map(({ id }) => id));
/** The same for a history that grows. */
export const callIdsIn: typeof allCallIds = /* @__PURE__ */ createFold<Set<string>>({
  begin: () => new Set(),
  add: (ids, message) => {
    for (const { id } of callsOf(message)) ids.add(id);
  },
});

function takenIds(message: Message, history: readonly Message[]): Set<string> {
  const calls = callsOf(message);
  if (calls.length === 0) return new Set();
  const taken = callIdsIn(history);
  return new Set(calls.flatMap(({ id }) => (taken.has(id) ? [id] : [])));
}

const unknownResult =
  "No result was recorded for this call: it may or may not have run. Check before you repeat it.";

/**
 * A copy that is valid by `validateHistory`, and the list of repairs. Calls without results get an
 * error result that says so, results without calls are removed, and repeated ids change.
 * @throws TypeError if these are not messages.
 */
export function repairHistory(messages: readonly Message[]): {
  readonly messages: readonly Message[];
  readonly repaired: readonly Flaw[];
} {
  checkMessages(messages, "messages");
  const repaired = validateHistory(messages);
  if (repaired.length === 0) return { messages, repaired };
  const freeId = createFreeIds();
  const kept: Message[] = [];
  messages.forEach((message, at) => {
    if (message.role === "user") kept.push(message);
    if (message.role !== "assistant") return;
    const { renamed, content } = repairCalls(message, freeId);
    if (content.length === 0) return;
    kept.push({ ...message, content });
    if (renamed.length > 0) kept.push(toolMessage(renamed, laterResults(messages, at)));
  });
  return { messages: kept, repaired };
}

function createFreeIds(): (id: string) => string {
  const used = new Set<string>();
  const lastNumber = new Map<string, number>();
  return (wanted) => {
    let id = wanted;
    let number = lastNumber.get(wanted) ?? 1;
    while (used.has(id)) id = `${wanted}_${++number}`;
    lastNumber.set(wanted, number);
    used.add(id);
    return id;
  };
}

interface Renamed {
  readonly from: string;
  readonly call: ToolCallBlock;
}
function repairCalls(
  message: AssistantMessage,
  freeId: (id: string) => string,
): { readonly renamed: readonly Renamed[]; readonly content: AssistantMessage["content"] } {
  const renamed: Renamed[] = [];
  const content = message.content.flatMap((block): readonly AssistantBlock[] => {
    if (block.type !== "tool-call") return [block];
    if (block.name.trim() === "") return [];
    const call = { ...block, id: freeId(block.id) };
    renamed.push({ from: block.id, call });
    return [call];
  });
  return { renamed, content };
}

function toolMessage(
  renamed: readonly Renamed[],
  results: readonly ToolResultBlock[],
): ToolMessage {
  const left = new Map<string, ToolResultBlock[]>();
  for (const result of results.toReversed()) {
    const same = left.get(result.id);
    if (same === undefined) left.set(result.id, [result]);
    else same.push(result);
  }
  const content = renamed.map(({ from, call: { id, name } }): ToolResultBlock => {
    const found = left.get(from)?.pop();
    return found === undefined
      ? { type: "tool-result", id, name, content: unknownResult, isError: true }
      : { ...found, id };
  });
  return { role: "tool", content };
}
