import { isObject, tryParseJson } from "../../harness/json.ts";
import type { HeldConversations, JoinedRequest, KeptReply, KeptTurn } from "../../held.ts";
import {
  append,
  doubtInTransfer,
  type EarlierTurns,
  type KeptHistory,
  keepParts,
  noHistory,
  refuse,
  toJoinedRequest,
  withoutKeys,
} from "../history.ts";
import { type Fields, fieldsOf, objectsIn, textsOf } from "../shared.ts";

/**
 * The vendor documents that it stores the conversation with the reply. These stop reasons end a
 * reply that belongs to the conversation. The vendor's SDK takes a refused turn out of it.
 */
const storedStops: ReadonlySet<unknown> = new Set([
  "end_turn",
  "tool_use",
  "max_tokens",
  "stop_sequence",
  "pause_turn",
  "model_context_window_exceeded",
]);

/** Thinking is the provider's own business, and so is an input that it cut. */
function toKeptBlocks(block: Fields): readonly Fields[] {
  const { type, text, input } = block;
  if (type === "thinking" || type === "redacted_thinking" || (type === "text" && text === ""))
    return [];
  return [{ ...block, ...("input" in block && !isObject(input) && { input: {} }) }];
}

/** The content blocks of a stream. */
function assembleBlocks(events: readonly Fields[]): readonly Fields[] {
  const starts = events.filter(({ type }) => type === "content_block_start");
  return starts.map(({ index, content_block: start }) => {
    const deltas = events
      .filter((event) => event["type"] === "content_block_delta" && event["index"] === index)
      .map(({ delta }) => fieldsOf(delta));
    const block = fieldsOf(start);
    if (block["type"] === "text")
      return { ...block, text: deltas.map(({ text }) => String(text ?? "")).join("") };
    const json = deltas.map(({ partial_json: piece }) => String(piece ?? "")).join("");
    return json === "" ? block : { ...block, input: tryParseJson(json) };
  });
}

function keepMessage(events: readonly unknown[]): KeptReply | undefined {
  const all = events.map(fieldsOf);
  const body = all.find(({ type }) => type === "message");
  const start = all.find(({ type }) => type === "message_start");
  const { id } = body ?? fieldsOf(start?.["message"]);
  if (typeof id !== "string") return undefined;
  const delta = all.findLast(({ type }) => type === "message_delta");
  const { stop_reason: stop } = body ?? fieldsOf(delta?.["delta"]);
  const ended = body !== undefined || all.some(({ type }) => type === "message_stop");
  const blocks = body === undefined ? assembleBlocks(all) : objectsIn(body["content"]);
  const doubt =
    doubtInTransfer(events, ended) ??
    (storedStops.has(stop) ? undefined : `a reply with the stop reason "${String(stop)}"`);
  return { id, parts: blocks.flatMap(toKeptBlocks), ...(doubt !== undefined && { doubt }) };
}

const threadOf = (body: unknown): Fields => fieldsOf(fieldsOf(body)["thread"]);

/** Marks for caching count in the request that sets them, and not in the next ones. */
function withoutCacheMarks(block: Fields): Fields {
  const kept = withoutKeys(block, ["cache_control"]);
  const { content } = kept;
  return Array.isArray(content)
    ? { ...kept, content: objectsIn(content).map(withoutCacheMarks) }
    : kept;
}

/** The request that created the thread of a turn. It has the thread's `system` and `tools`. */
function creationOf(turn: KeptTurn, earlier: EarlierTurns): Fields {
  const { previous_message_id: previous } = threadOf(turn.body);
  const before = earlier.find(({ reply }) => reply.id === previous);
  return before === undefined ? fieldsOf(turn.body) : creationOf(before, earlier);
}

const messagesOf = (body: unknown): KeptHistory =>
  keepParts(objectsIn(fieldsOf(body)["messages"]).map(withoutCacheMarks));

function historyAfterMessage(turn: KeptTurn, earlier: EarlierTurns): KeptHistory {
  const before = earlier.slice(0, earlier.indexOf(turn));
  const { parts, doubt } = turn.reply;
  const message = parts.length === 0 ? [] : [{ role: "assistant", content: parts }];
  const whole = [
    historyOfThread(turn.body, before),
    messagesOf(turn.body),
    keepParts(message, doubt),
  ];
  return { ...whole.reduce(append), refusals: [] };
}

/**
 * Each response of a thread can be continued only once, and only a response to a request with
 * `thread` can be continued.
 */
function historyOfThread(body: unknown, earlier: EarlierTurns): KeptHistory {
  const { type, previous_message_id: previous } = threadOf(body);
  if (type !== "continue") return noHistory;
  const id = String(previous);
  const turn = earlier.find(({ reply }) => reply.id === id);
  if (turn === undefined)
    return refuse(`thread_not_found: no reply of this run has the id '${id}'.`);
  if (threadOf(turn.body)["type"] === undefined)
    return refuse(`thread_not_found: the request that '${id}' answers had no 'thread'.`);
  const wasContinued = earlier.some(
    (other) =>
      threadOf(other.body)["previous_message_id"] === previous && other.reply.doubt === undefined,
  );
  return wasContinued
    ? refuse(`thread_already_continued: the reply '${id}' was continued by an earlier request.`)
    : historyAfterMessage(turn, earlier);
}

function joinMessages(request: unknown, earlier: EarlierTurns): JoinedRequest {
  const body = fieldsOf(request);
  const { previous_message_id: previous } = threadOf(body);
  const turn = earlier.find(({ reply }) => reply.id === previous);
  const history = historyOfThread(body, earlier);
  if (history === noHistory || turn === undefined)
    return { possible: [request], refusals: history.refusals };
  const { system, tools } = creationOf(turn, earlier);
  const own = keepParts(objectsIn(body["messages"]));
  return toJoinedRequest("Anthropic", append(history, own), (messages) => ({
    ...withoutKeys(body, ["thread", "system", "tools"]),
    ...(system !== undefined && { system }),
    ...(tools !== undefined && { tools }),
    messages,
  }));
}

/**
 * How Anthropic keeps conversations: `thread`.
 * https://platform.claude.com/docs/en/build-with-claude/message-threads
 */
export const anthropicHeld: HeldConversations = {
  keep: keepMessage,
  previousReply: (body) => textsOf(threadOf(body)["previous_message_id"])[0],
  join: joinMessages,
};
