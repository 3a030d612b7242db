import { isObject, tryParseJson } from "../../harness/json.ts";
import type { HeldConversations, JoinedRequest, KeptReply, KeptTurn } from "../../held.ts";
import {
  append,
  doubtInTransfer,
  type EarlierTurns,
  type KeptHistory,
  keepParts,
  keptPartsOf,
  noHistory,
  refuse,
  toJoinedRequest,
  withoutKeys,
} from "../history.ts";
import { type Fields, fieldsOf, objectsIn, textsOf } from "../shared.ts";

const sentItems = ({ input }: Fields): readonly Fields[] =>
  typeof input === "string" ? [{ role: "user", content: input }] : objectsIn(input);

/** What of earlier items is judged again: the provider brings its own reasoning. */
const withoutReasoning = (items: readonly Fields[]): readonly Fields[] =>
  items.filter(({ type }) => type !== "reasoning");

/** The provider does not refuse the arguments that it wrote itself, so they are not judged again. */
const toKeptItem = (item: Fields): Fields =>
  item["type"] === "function_call" && !isObject(tryParseJson(String(item["arguments"])))
    ? { ...item, arguments: "{}" }
    : item;

/**
 * A reply with one of these statuses ended by itself, so it is stored.
 * https://developers.openai.com/api/reference/resources/responses/create (`store`)
 */
const storedStatuses: ReadonlySet<string> = new Set(["completed", "incomplete:max_output_tokens"]);

function statusOf({ status, incomplete_details: details }: Fields): string {
  const { reason } = fieldsOf(details);
  return reason === undefined ? String(status) : `${String(status)}:${String(reason)}`;
}

function doubtAboutResponse(
  events: readonly unknown[],
  end: Fields | undefined,
): string | undefined {
  const doubt = doubtInTransfer(events, end !== undefined);
  if (doubt !== undefined || end === undefined) return doubt;
  const status = statusOf(end);
  return storedStatuses.has(status) ? undefined : `a reply with the status "${status}"`;
}

const endTypes: ReadonlySet<unknown> = new Set([
  "response.done", // of a host such as OpenRouter
  "response.completed",
  "response.incomplete",
  "response.failed",
]);

/** The items of a stream, also those that are not done: the provider may have more of them. */
function streamedItems(events: readonly Fields[]): readonly Fields[] {
  const items = events.filter(({ item }) => item !== undefined);
  return [
    ...new Map(items.map((event) => [event["output_index"], fieldsOf(event["item"])])).values(),
  ];
}

function keepResponse(events: readonly unknown[]): KeptReply | undefined {
  const all = events.map(fieldsOf);
  const body = all.find(({ object }) => object === "response");
  const last = all.findLast(({ type }) => endTypes.has(type));
  const end = body ?? (last === undefined ? undefined : fieldsOf(last["response"]));
  const started = all.find(({ response }) => response !== undefined);
  const { id } = end ?? fieldsOf(started?.["response"]);
  if (typeof id !== "string") return undefined;
  const output = objectsIn(end?.["output"]);
  const parts = (output.length > 0 ? output : streamedItems(all)).map(toKeptItem);
  const doubt = doubtAboutResponse(events, end);
  return { id, parts, ...(doubt !== undefined && { doubt }) };
}

const isStored = ({ body }: KeptTurn): boolean => fieldsOf(body)["store"] !== false;

const conversationOf = ({ conversation }: Fields): unknown =>
  typeof conversation === "string" ? conversation : fieldsOf(conversation)["id"];

/** `{ type: "item_reference", id }`; the type is optional. */
const isReference = ({ type, id, role }: Fields): boolean =>
  type === "item_reference" || ((type ?? null) === null && role === undefined && id !== undefined);

/** The output item that a reference names. */
function findItem(id: unknown, earlier: EarlierTurns): KeptHistory {
  for (const turn of earlier.filter(isStored)) {
    const item = turn.reply.parts.find((part) => part["id"] === id);
    if (item !== undefined) return keepParts([item], turn.reply.doubt);
  }
  // An item that a program sent with an id, or one that was not stored, is judged by its pair.
  const wasSeen = JSON.stringify(earlier).includes(JSON.stringify(String(id)));
  return wasSeen ? noHistory : refuse(`Item with id '${String(id)}' not found.`);
}

const ownItems = (body: Fields, earlier: EarlierTurns): KeptHistory =>
  sentItems(body)
    .map((item) => (isReference(item) ? findItem(item["id"], earlier) : keepParts([item])))
    .reduce(append, noHistory);

/** What the provider has after a reply. Tools and instructions are not carried over. */
function historyAfterResponse(turn: KeptTurn, earlier: EarlierTurns): KeptHistory {
  const before = earlier.slice(0, earlier.indexOf(turn));
  const body = fieldsOf(turn.body);
  const whole = [historyOfRequest(body, before), ownItems(body, before), keptPartsOf(turn.reply)];
  return { ...whole.reduce(append), refusals: [] };
}

function historyOfResponse(id: string, earlier: EarlierTurns): KeptHistory {
  const turn = earlier.find(({ reply }) => reply.id === id);
  const notFound = `Previous response with id '${id}' not found.`;
  if (turn === undefined) return refuse(`${notFound} No reply of this run has this id.`);
  return isStored(turn)
    ? historyAfterResponse(turn, earlier)
    : refuse(`${notFound} Its request had \`store: false\`, so it was not stored.`);
}

/**
 * The items of a conversation in this run. The provider adds the items of a request and of its
 * reply after the response completes.
 */
const historyOfConversation = (id: unknown, earlier: EarlierTurns): KeptHistory =>
  earlier
    .filter(({ body }) => conversationOf(fieldsOf(body)) === id)
    .map((turn) => {
      const added = [...sentItems(fieldsOf(turn.body)), ...turn.reply.parts];
      return keepParts(added, isStored(turn) ? turn.reply.doubt : "a reply with `store: false`");
    })
    .reduce(append, noHistory);

function historyOfRequest(body: Fields, earlier: EarlierTurns): KeptHistory {
  const { previous_response_id: previous } = body;
  const conversation = conversationOf(body);
  if (typeof previous !== "string")
    return conversation === undefined ? noHistory : historyOfConversation(conversation, earlier);
  return conversation === undefined
    ? historyOfResponse(previous, earlier)
    : refuse("'previous_response_id' cannot be used in conjunction with 'conversation'.");
}

function joinResponses(request: unknown, earlier: EarlierTurns): JoinedRequest {
  const body = fieldsOf(request);
  const history = historyOfRequest(body, earlier);
  if (history === noHistory && !sentItems(body).some(isReference))
    return { possible: [request], refusals: [] };
  const kept = { ...history, all: withoutReasoning(history.all) };
  const certain = withoutReasoning(history.certain);
  const rest = withoutKeys(body, ["previous_response_id", "conversation", "input"]);
  return toJoinedRequest(
    "OpenAI",
    append({ ...kept, certain }, ownItems(body, earlier)),
    (input) => ({
      ...rest,
      input,
    }),
  );
}

/**
 * How OpenAI keeps conversations: `previous_response_id`, `conversation` and `item_reference`.
 * https://developers.openai.com/api/docs/guides/conversation-state
 */
export const responsesHeld: HeldConversations = {
  keep: keepResponse,
  previousReply: (body) => textsOf(fieldsOf(body)["previous_response_id"])[0],
  join: joinResponses,
};
