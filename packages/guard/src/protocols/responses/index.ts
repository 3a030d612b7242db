import { type Fields, fieldsOf, isFields } from "@fullstop/core/adapter";
import { parseResponses } from "@fullstop/provider-openai/reply";
import type { BodyEditor, EventClass, Protocol, StreamEditor } from "../protocol.ts";
import { classifyEvent, isLive } from "./classify.ts";
import { editResponse } from "./edit-response.ts";
import { editEvents } from "./edit-stream.ts";
import { failureText, responsesErrorBody } from "./failure.ts";
import { holdsCalls } from "./items.ts";
import { newItems } from "./new-items.ts";
import { numberOf } from "./numbers.ts";
import { createPlaces, isItemEvent, type Places } from "./places.ts";
import { createStreamCalls, isCallPiece, outputSays } from "./read-calls.ts";

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
  addUserMessage(request, text) {
    const { input = [] } = request;
    const message = { role: "user", content: text };
    if (typeof input === "string")
      return { ...request, input: [{ role: "user", content: input }, message] };
    return Array.isArray(input) ? { ...request, input: [...input, message] } : undefined;
  },
};
