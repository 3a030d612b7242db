import { isObject, tryParseJson } from "../../harness/json.ts";
import type { HeldConversations } from "../../held.ts";
import { heldBy, keepParts, withoutKeys } from "../history.ts";
import { type Fields, fieldsOf, objectsIn, textsOf } from "../shared.ts";
import { inputSteps } from "./turns.ts";

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

/**
 * How Google keeps conversations: `previous_interaction_id`. Instructions and tools are not carried
 * over. https://ai.google.dev/gemini-api/docs/interactions-overview
 */
export const interactionsHeld: HeldConversations = heldBy({
  vendor: "Google",
  readReply: (events) => {
    const body = events.find(({ object }) => object === "interaction");
    const typed = (type: string): Fields | undefined => {
      const event = events.findLast((one) => one["event_type"] === type);
      return event && fieldsOf(event["interaction"]);
    };
    const end = body ?? typed("interaction.completed");
    const listed = objectsIn(end?.["steps"]);
    return {
      id: textsOf(end?.["id"], typed("interaction.created")?.["id"])[0],
      parts: (listed.length > 0 ? listed : streamedSteps(events)).flatMap(toKeptSteps),
      ended: end !== undefined,
      stop: ["status", end?.["status"]],
    };
  },
  storedStops: new Set(["completed", "requires_action", "incomplete"]),
  previous: ({ previous_interaction_id: id }) => textsOf(id)[0],
  refusal: (id, turn) => {
    const notFound = `Interaction '${id}' was not found:`;
    if (turn === undefined) return `${notFound} no reply of this run has this id.`;
    return fieldsOf(turn.body)["store"] === false
      ? `${notFound} its request had \`store: false\`, so it was not stored.`
      : undefined;
  },
  own: ({ input }) => keepParts(inputSteps(input)),
  toBody: (body, input) => ({ ...withoutKeys(body, ["previous_interaction_id", "input"]), input }),
});
