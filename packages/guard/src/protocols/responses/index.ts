import { type Fields, fieldsOf, isFields } from "@fullstop/core/adapter";
import { parseResponses } from "@fullstop/provider-openai/reply";
import type { BodyEditor, EventClass, Protocol, StreamEditor } from "../protocol.ts";
import { editResponse } from "./edit-response.ts";
import { editEvents } from "./edit-stream.ts";
import { failureText, responsesErrorBody } from "./failure.ts";
import { asksClient, holdsCalls } from "./items.ts";
import { newItems } from "./new-items.ts";
import { numberOf } from "./numbers.ts";
import { createPlaces, isCallEvent, isItemEvent, type Places } from "./places.ts";
import { createStreamCalls, isCallPiece, outputSays } from "./read-calls.ts";

/** The class of each event that says what it is. All others wait. */
const eventClasses: ReadonlyMap<unknown, EventClass> = new Map<unknown, EventClass>([
  ["response.created", "opening"],
  ["response.queued", "opening"],
  ["response.in_progress", "opening"],
  ["response.content_part.done", "live"],
  ["response.output_text.delta", "live"],
  ["response.output_text.done", "live"],
  ["response.output_text.annotation.added", "live"],
  ["response.refusal.delta", "live"],
  ["response.refusal.done", "live"],
  ["response.reasoning_summary_part.done", "live"],
  ["response.reasoning_summary_text.delta", "live"],
  ["response.reasoning_summary_text.done", "live"],
  ["response.reasoning_text.delta", "live"],
  ["response.reasoning_text.done", "live"],
  ["response.audio.delta", "live"],
  ["response.audio.done", "live"],
  ["response.audio.transcript.delta", "live"],
  ["response.audio.transcript.done", "live"],
  ["response.mcp_list_tools.in_progress", "live"],
  ["response.mcp_list_tools.completed", "live"],
  ["response.mcp_list_tools.failed", "live"],
]);

const isLive = ({ type }: Fields): boolean => eventClasses.get(type) === "live";

/** Complete reasoning waits for the item that follows: it leaves with a call that is withheld. */
const itemClasses: ReadonlyMap<string, EventClass> = new Map<string, EventClass>([
  ["response.output_item.added message", "pending"],
  ["response.output_item.added reasoning", "pending"],
  ["response.output_item.done reasoning", "pending"],
]);

function classifyEvent(event: Fields, places: Places): EventClass {
  const { response, output, type } = event;
  const item = places.itemOf(event);
  if (item !== undefined && asksClient(item)) return "call";
  if (holdsCalls(fieldsOf(response)["output"]) || holdsCalls(output)) return "call";
  if (isItemEvent(event))
    return itemClasses.get(`${String(type)} ${String(item?.["type"])}`) ?? "live";
  return isCallEvent(event) ? "live" : (eventClasses.get(type) ?? "pending");
}

function createResponsesEditor(): StreamEditor {
  const places = createPlaces();
  let response: Fields | undefined;
  let sequence: number | undefined;
  let last: number | undefined;
  let used = -1;
  let hasCalls = false;
  return {
    classify(native) {
      const event = fieldsOf(native);
      const kind = classOfEvent(event, places, hasCalls);
      hasCalls ||= kind === "call";
      last = numberOf(event) ?? last;
      if (kind === "opening" && isFields(event["response"])) response ??= event["response"];
      if (kind === "live" && !hasCalls) {
        sequence = last;
        const { output_index: index } = event;
        if (typeof index === "number") used = Math.max(used, index);
      }
      return kind;
    },
    createCallReader() {
      const stream = createStreamCalls();
      const held = createPlaces(places.all);
      return {
        add(native) {
          const event = fieldsOf(native);
          stream.add(event);
          if (isItemEvent(event) && places.of(event) === undefined) held.add(event);
        },
        says: (calls, isStrict) =>
          (calls.length === 0 || hasOwnIndices(held)) && stream.says({ calls, isStrict }),
      };
    },
    edit: (held, edit) => editEvents(held, edit, { places, used }),
    fail: (failure) => failureText(failure, { response, sequence }),
  };
}

/** Most events are pieces. Their names say enough, and an edit needs no place for them. */
function classOfEvent(event: Fields, places: Places, hasCalls: boolean): EventClass {
  if (isCallPiece(event)) return "call";
  if (!hasCalls && isLive(event)) return "live";
  places.add(event);
  return classifyEvent(event, places);
}

/** Clients merge items with the same index. */
function hasOwnIndices({ all }: Places): boolean {
  const indices = all.map(({ index }) => index).filter((index) => index !== undefined);
  return new Set(indices).size === indices.length;
}

const responsesBody: BodyEditor = {
  hasCalls: (native) => holdsCalls(fieldsOf(native)["output"]),
  says: (native, calls, isStrict) => outputSays(fieldsOf(native)["output"], { calls, isStrict }),
  edit: (native, edit) => editResponse(fieldsOf(native), edit, newItems(edit)),
};

/** https://developers.openai.com/api/reference/resources/responses/streaming-events */
export const responses: Protocol = {
  name: "openai-responses",
  parse: parseResponses,
  failBody: responsesErrorBody,
  // A blank line would end an empty event (https://github.com/openai/openai-python/issues/2722).
  keepAlive: ": \n",
  afterError: "break",
  body: responsesBody,
  createEditor: createResponsesEditor,
};
