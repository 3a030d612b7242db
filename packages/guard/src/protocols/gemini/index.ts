import { parseJson } from "@fullstop/core/adapter";
import {
  type BodyEditor,
  type EventClass,
  eventText,
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  type Protocol,
  type StreamEditor,
} from "../protocol.ts";
import { saysCalls } from "./calls.ts";
import { editBody, editStream } from "./edit.ts";
import { errorBody } from "./errors.ts";
import {
  candidatesOf,
  eventOf,
  hasContent,
  hasFinishReason,
  holdsCall,
  isUnknownPart,
  partsOf,
} from "./events.ts";

/** A reply without `alt=sse` is a list of events. */
const eventsOf = (body: unknown): readonly Fields[] =>
  (Array.isArray(body) ? body : [body]).map(eventOf);

const body: BodyEditor = {
  hasCalls: (native) => eventsOf(native).some(holdsCall),
  says: (native, calls, isStrict) => saysCalls(eventsOf(native), calls, isStrict),
  edit: editBody,
};

/** Whether an event shows something to a user, and no part of it may be anything else. */
function hasOnlyContent(event: Fields): boolean {
  const parts = candidatesOf(event).flatMap(partsOf);
  return parts.some(hasContent) && !parts.some(isUnknownPart);
}

/** The members that a reply has besides its candidates. */
const replyKeys = ["candidates", "promptFeedback", "usageMetadata", "modelVersion", "responseId"];
const isReply = (event: Fields): boolean => replyKeys.some((key) => key in event);

function createEditor(): StreamEditor {
  /** Some hosts put a finish reason on every event. Then it is not the sign of the last one. */
  let hadEnd = false;
  return {
    classify(native): EventClass {
      const event = eventOf(native);
      if (holdsCall(event)) return "call";
      const speaks = hasOnlyContent(event);
      const ends = candidatesOf(event).some(hasFinishReason);
      const isLast = ends && !hadEnd;
      hadEnd ||= ends && speaks;
      if (speaks) return isLast ? "pending" : "live";
      return ends || !isReply(event) ? "pending" : "opening";
    },
    says: (held, calls, isStrict) =>
      saysCalls(
        held.map(({ native }) => eventOf(native)),
        calls,
        isStrict,
      ),
    edit: editStream,
    fail: (failure) => eventText(errorBody(failure)),
  };
}

/** Turns of the user and of the model alternate. */
function withUserText(contents: readonly unknown[], text: string): readonly unknown[] {
  const last = fieldsOf(contents.at(-1));
  return last["role"] === "user"
    ? [...contents.slice(0, -1), { ...last, parts: [...listOf(last["parts"]), { text }] }]
    : [...contents, { role: "user", parts: [{ text }] }];
}

function addUserMessage(request: Fields, text: string): Fields | undefined {
  const { contents, request: nested } = request;
  if (Array.isArray(contents)) return { ...request, contents: withUserText(contents, text) };
  const added = isFields(nested) ? addUserMessage(nested, text) : undefined;
  return added && { ...request, request: added };
}

/**
 * Gemini's generateContent, also nested by Gemini Code Assist.
 * https://ai.google.dev/api/generate-content
 */
export const gemini: Protocol = {
  name: "gemini-generate-content",
  parse: (data) => (data.startsWith("[DONE]") ? undefined : parseJson(data)),
  read: (native) => (isFields(native) ? eventOf(native) : native),
  failBody: errorBody,
  // Clients read each `data` line, and fail at comments. A chat of the SDK forgets a reply with an
  // event that has no part.
  keepAlive: eventText({
    candidates: [{ content: { parts: [{ text: "" }], role: "model" }, index: 0 }],
  }),
  afterError: "end",
  body,
  createEditor,
  addUserMessage,
};
