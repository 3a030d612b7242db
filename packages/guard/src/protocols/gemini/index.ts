import { type Fields, isFields } from "@fullstop/core/adapter";
import { parseGoogle } from "@fullstop/provider-google/reply";
import {
  type BodyEditor,
  type EventClass,
  eventText,
  type Failure,
  type Protocol,
  type StreamEditor,
} from "../protocol.ts";
import { createGeminiCallReader } from "./calls.ts";
import { editGeminiBody, editGeminiStream } from "./edit.ts";
import {
  candidatesOf,
  hasFinishReason,
  holdsCall,
  innerEvent,
  isUnknownPart,
  partsOf,
  showsContent,
} from "./events.ts";

/** https://cloud.google.com/apis/design/errors#handling_errors */
const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  402: "FAILED_PRECONDITION",
  415: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
};
/** Google's own code for an overloaded service. */
const codes: Readonly<Record<number, number>> = { 529: 503 };

const googleErrorBody = ({ status, message }: Failure): Fields => ({
  error: {
    code: codes[status] ?? status,
    message,
    status: statusNames[status] ?? "UNAVAILABLE",
  },
});

/** A reply without `alt=sse` is a list of events. */
const eventsInBody = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : [body]);

const geminiBody: BodyEditor = {
  hasCalls: (native) => eventsInBody(native).map(innerEvent).some(holdsCall),
  says(native, calls, isStrict) {
    const reader = createGeminiCallReader();
    for (const event of eventsInBody(native)) reader.add(event);
    return reader.says(calls, isStrict);
  },
  edit: editGeminiBody,
};

/** Whether an event shows something to a user, and no part of it may be anything else. */
function hasOnlyContent(event: Fields): boolean {
  const parts = candidatesOf(event).flatMap(partsOf);
  return parts.some(showsContent) && !parts.some(isUnknownPart);
}

const replyKeys = ["candidates", "promptFeedback", "usageMetadata", "modelVersion", "responseId"];
const isReply = (event: Fields): boolean => replyKeys.some((key) => key in event);

function createGeminiEditor(): StreamEditor {
  /** Some hosts put a finish reason on every event. Then it is not the sign of the last one. */
  let hadEnd = false;
  return {
    classify(native): EventClass {
      const event = innerEvent(native);
      if (holdsCall(event)) return "call";
      const speaks = hasOnlyContent(event);
      const ends = candidatesOf(event).some(hasFinishReason);
      const isLast = ends && !hadEnd;
      hadEnd ||= ends && speaks;
      if (speaks) return isLast ? "pending" : "live";
      return ends || !isReply(event) ? "pending" : "opening";
    },
    createCallReader: createGeminiCallReader,
    edit: editGeminiStream,
  };
}

/** Also nested by Gemini Code Assist. https://ai.google.dev/api/generate-content */
export const gemini: Protocol = {
  name: "gemini-generate-content",
  parse: parseGoogle,
  read: (native) => (isFields(native) ? innerEvent(native) : native),
  failBody: googleErrorBody,
  // Clients read each `data` line, and fail at comments. A chat of the SDK forgets a reply with an
  // event that has no part.
  keepAlive: eventText({
    candidates: [{ content: { parts: [{ text: "" }], role: "model" }, index: 0 }],
  }),
  afterError: "end",
  body: geminiBody,
  createEditor: createGeminiEditor,
};
