import { isObject, tryParseJson } from "../../harness/json.ts";
import type { HeldConversations, KeptReply } from "../../held.ts";
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
import { inputSteps } from "./turns.ts";

/** A reply with one of these statuses ended by itself. */
const endedStatuses: ReadonlySet<unknown> = new Set(["completed", "requires_action", "incomplete"]);

/** The steps of a stream, also those that did not end: the API may have more of them. */
const streamedSteps = (events: readonly Fields[]): readonly Fields[] =>
  events
    .filter((event) => event["event_type"] === "step.start")
    .map(({ index, step }) => {
      const deltas = events
        .filter((event) => event["event_type"] === "step.delta" && event["index"] === index)
        .map(({ delta }) => fieldsOf(delta));
      const joined = (member: string): string =>
        deltas.map((delta) => String(delta[member] ?? "")).join("");
      const { type, ...rest } = fieldsOf(step);
      if (type === "model_output")
        return { type, ...rest, content: [{ type: "text", text: joined("text") }] };
      const input = joined("arguments");
      return { type, ...rest, ...(input !== "" && { arguments: tryParseJson(input) }) };
    });

/** The API keeps signatures and thoughts, and does not refuse what it wrote itself. */
function toKeptSteps(step: Fields): readonly Fields[] {
  const { type, arguments: input, content } = step;
  if (type === "thought") return [];
  if (type === "model_output")
    return [{ ...step, content: objectsIn(content).filter(({ text }) => text !== "") }];
  if (type !== "function_call") return [step];
  return [{ ...step, arguments: isObject(input) ? input : {}, signature: "kept" }];
}

function keepInteraction(events: readonly unknown[]): KeptReply | undefined {
  const all = events.map(fieldsOf);
  const body = all.find(({ object }) => object === "interaction");
  const typed = (type: string): Fields | undefined => {
    const event = all.findLast((one) => one["event_type"] === type);
    return event && fieldsOf(event["interaction"]);
  };
  const end = body ?? typed("interaction.completed");
  const [id] = textsOf(end?.["id"], typed("interaction.created")?.["id"]);
  if (id === undefined || id === "") return undefined;
  const listed = objectsIn(end?.["steps"]);
  const doubt =
    doubtInTransfer(events, end !== undefined) ??
    (endedStatuses.has(end?.["status"])
      ? undefined
      : `a reply with the status "${String(end?.["status"])}"`);
  const parts = (listed.length > 0 ? listed : streamedSteps(all)).flatMap(toKeptSteps);
  return { id, parts, ...(doubt !== undefined && { doubt }) };
}

const previousReply = (body: unknown): string | undefined =>
  textsOf(fieldsOf(body)["previous_interaction_id"])[0];

const ownSteps = (body: Fields): KeptHistory => keepParts(inputSteps(body["input"]));

function historyOf(body: Fields, earlier: EarlierTurns): KeptHistory {
  const id = previousReply(body);
  if (id === undefined) return noHistory;
  const turn = earlier.find(({ reply }) => reply.id === id);
  if (turn === undefined)
    return refuse(`Interaction '${id}' was not found: no reply of this run has this id.`);
  const asked = fieldsOf(turn.body);
  if (asked["store"] === false)
    return refuse(
      `Interaction '${id}' was not found: its request had \`store: false\`, so it was not stored.`,
    );
  const before = earlier.slice(0, earlier.indexOf(turn));
  const whole = [historyOf(asked, before), ownSteps(asked), keptPartsOf(turn.reply)];
  return { ...whole.reduce(append), refusals: [] };
}

/**
 * How Google keeps conversations: `previous_interaction_id`. Instructions and tools are not carried
 * over. https://ai.google.dev/gemini-api/docs/interactions-overview
 */
export const interactionsHeld: HeldConversations = {
  keep: keepInteraction,
  previousReply,
  join: (request, earlier) => {
    const body = fieldsOf(request);
    const history = historyOf(body, earlier);
    if (history === noHistory) return { possible: [request], refusals: [] };
    const rest = withoutKeys(body, ["previous_interaction_id", "input"]);
    return toJoinedRequest("Google", append(history, ownSteps(body)), (input) => ({
      ...rest,
      input,
    }));
  },
};
