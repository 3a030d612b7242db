import { isObject, tryParseJson } from "../../harness/json.ts";
import type { HeldConversations, KeptTurn } from "../../held.ts";
import {
  type EarlierTurns,
  heldBy,
  joinHistories,
  type KeptHistory,
  keepParts,
  refuse,
  withoutKeys,
} from "../history.ts";
import { type Fields, fieldsOf, objectsIn, textsOf } from "../shared.ts";

const sentItems = ({ input }: Fields): readonly Fields[] =>
  typeof input === "string" ? [{ role: "user", content: input }] : objectsIn(input);

/** The provider does not refuse the arguments that it wrote itself, so they are not judged again. */
const toKeptItem = (item: Fields): Fields =>
  item["type"] === "function_call" && !isObject(tryParseJson(String(item["arguments"])))
    ? { ...item, arguments: "{}" }
    : item;

function statusOf({ status, incomplete_details: details }: Fields): string {
  const { reason } = fieldsOf(details);
  return reason === undefined ? String(status) : `${String(status)}:${String(reason)}`;
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

const isStored = ({ body }: KeptTurn): boolean => fieldsOf(body)["store"] !== false;
const conversationOf = ({ conversation }: Fields): unknown =>
  typeof conversation === "string" ? conversation : fieldsOf(conversation)["id"];
const previousOf = ({ previous_response_id: id }: Fields): string | undefined => textsOf(id)[0];

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
  return wasSeen ? keepParts([]) : refuse(`Item with id '${String(id)}' not found.`);
}

/**
 * The items of a conversation in this run. The provider adds the items of a request and of its
 * reply after the response completes.
 */
function historyOfConversation(body: Fields, earlier: EarlierTurns): KeptHistory | undefined {
  const id = conversationOf(body);
  if (id === undefined) {
    const refersToItems = previousOf(body) === undefined && sentItems(body).some(isReference);
    return refersToItems ? keepParts([]) : undefined;
  }
  if (previousOf(body) !== undefined)
    return refuse("'previous_response_id' cannot be used in conjunction with 'conversation'.");
  return joinHistories(
    earlier
      .filter((turn) => conversationOf(fieldsOf(turn.body)) === id)
      .map((turn) => {
        const added = [...sentItems(fieldsOf(turn.body)), ...turn.reply.parts];
        return keepParts(added, isStored(turn) ? turn.reply.doubt : "a reply with `store: false`");
      }),
  );
}

/**
 * How OpenAI keeps conversations: `previous_response_id`, `conversation` and `item_reference`. Tools
 * and instructions are not carried over.
 * https://developers.openai.com/api/docs/guides/conversation-state
 */
export const responsesHeld: HeldConversations = heldBy({
  vendor: "OpenAI",
  readReply: (events) => {
    const body = events.find(({ object }) => object === "response");
    const last = events.findLast(({ type }) => endTypes.has(type));
    const end = body ?? (last === undefined ? undefined : fieldsOf(last["response"]));
    const started = events.find(({ response }) => response !== undefined);
    const output = objectsIn(end?.["output"]);
    return {
      id: (end ?? fieldsOf(started?.["response"]))["id"],
      parts: (output.length > 0 ? output : streamedItems(events)).map(toKeptItem),
      ended: end !== undefined,
      stop: ["status", end && statusOf(end)],
    };
  },
  // https://developers.openai.com/api/reference/resources/responses/create (`store`)
  storedStops: new Set(["completed", "incomplete:max_output_tokens"]),
  previous: previousOf,
  refusal: (id, turn) => {
    const notFound = `Previous response with id '${id}' not found.`;
    if (turn === undefined) return `${notFound} No reply of this run has this id.`;
    return isStored(turn)
      ? undefined
      : `${notFound} Its request had \`store: false\`, so it was not stored.`;
  },
  otherHistory: historyOfConversation,
  own: (body, earlier) =>
    joinHistories(
      sentItems(body).map((item) =>
        isReference(item) ? findItem(item["id"], earlier) : keepParts([item]),
      ),
    ),
  // The provider brings its own reasoning.
  later: (item) => (item["type"] === "reasoning" ? [] : [item]),
  toBody: (body, input) => ({
    ...withoutKeys(body, ["previous_response_id", "conversation", "input"]),
    input,
  }),
});
