import { isObject, tryParseJson } from "../../harness/json.ts";
import type { HeldConversations, KeptTurn } from "../../held.ts";
import { type EarlierTurns, heldBy, keepParts, withoutKeys } from "../history.ts";
import { type Fields, fieldsOf, objectsIn, wordsIn } from "../shared.ts";

/** Thinking is the provider's own business, and so is an input that it cut. */
function toKeptBlocks(block: Fields): readonly Fields[] {
  const { type, text, input } = block;
  if (type === "thinking" || type === "redacted_thinking" || (type === "text" && text === ""))
    return [];
  return [{ ...block, ...("input" in block && !isObject(input) && { input: {} }) }];
}

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

const threadOf = (body: unknown): Fields => fieldsOf(fieldsOf(body)["thread"]);

/** Marks for caching count in the request that sets them, and not in the next ones. */
function withoutCacheMarks(block: Fields): Fields {
  const kept = withoutKeys(block, ["cache_control"]);
  const { content } = kept;
  return Array.isArray(content)
    ? { ...kept, content: objectsIn(content).map(withoutCacheMarks) }
    : kept;
}

/** The request that created the thread of another. It has the thread's `system` and `tools`. */
function creationOf(body: unknown, earlier: EarlierTurns): Fields {
  const { previous_message_id: previous } = threadOf(body);
  const before = earlier.find(({ reply }) => reply.id === previous);
  return before === undefined ? fieldsOf(body) : creationOf(before.body, earlier);
}

/** Each response of a thread can be continued once, and only one to a request with `thread`. */
function refusalOfThread(
  id: string,
  turn: KeptTurn | undefined,
  earlier: EarlierTurns,
): string | undefined {
  if (turn === undefined) return `thread_not_found: no reply of this run has the id '${id}'.`;
  if (threadOf(turn.body)["type"] === undefined)
    return `thread_not_found: the request that '${id}' answers had no 'thread'.`;
  return earlier.some(
    ({ body, reply }) => threadOf(body)["previous_message_id"] === id && reply.doubt === undefined,
  )
    ? `thread_already_continued: the reply '${id}' was continued by an earlier request.`
    : undefined;
}

/**
 * How Anthropic keeps conversations: `thread`.
 * https://platform.claude.com/docs/en/build-with-claude/message-threads
 */
export const anthropicHeld: HeldConversations = heldBy({
  vendor: "Anthropic",
  readReply: (events) => {
    const body = events.find(({ type }) => type === "message");
    const start = events.find(({ type }) => type === "message_start");
    const delta = events.findLast(({ type }) => type === "message_delta");
    const { id } = body ?? fieldsOf(start?.["message"]);
    const { stop_reason: stop } = body ?? fieldsOf(delta?.["delta"]);
    const blocks = body === undefined ? assembleBlocks(events) : objectsIn(body["content"]);
    const content = blocks.flatMap(toKeptBlocks);
    return {
      id,
      parts: content.length === 0 ? [] : [{ role: "assistant", content }],
      ended: body !== undefined || events.some(({ type }) => type === "message_stop"),
      stop: ["stop reason", stop],
    };
  },
  // The vendor's SDK takes a refused turn out of the conversation.
  storedStops: new Set(
    wordsIn(`
      end_turn tool_use max_tokens stop_sequence pause_turn model_context_window_exceeded
    `),
  ),
  previous: (body) => {
    const { type, previous_message_id: previous } = threadOf(body);
    return type === "continue" ? String(previous) : undefined;
  },
  refusal: refusalOfThread,
  own: ({ messages }) => keepParts(objectsIn(messages)),
  later: (message) => [withoutCacheMarks(message)],
  toBody: (body, messages, earlier) => {
    const { system, tools } = creationOf(body, earlier);
    return {
      ...withoutKeys(body, ["thread", "system", "tools"]),
      ...(system !== undefined && { system }),
      ...(tools !== undefined && { tools }),
      messages,
    };
  },
});
