import { type Fields, fieldsOf, isFields } from "@fullstop/core/adapter";
import { parseChat } from "@fullstop/provider-openai/reply";
import type { EventClass, Failure, Protocol, StreamEditor } from "../protocol.ts";
import { chatBody } from "./body.ts";
import { createReplyReader, saysCalls } from "./calls.ts";
import {
  choicesOf,
  hasCalls,
  hasEnding,
  hasForeignPart,
  hasRole,
  isVisible,
  type PlacedChoice,
} from "./choice.ts";
import { editChatStream, type SeenChunks } from "./edit.ts";

function createChatEditor(): StreamEditor {
  const seen: SeenChunks = {
    head: undefined,
    opening: undefined,
    chunks: new Map(),
    repeated: new WeakSet(),
  };
  return {
    classify(native) {
      const choices = choicesOf(native);
      if (choices.length > 0) seen.head ??= headOf(fieldsOf(native));
      if (choices.some(opensMain)) seen.opening ??= native;
      for (const placed of choices) countChoice(seen, placed);
      return classOf(choices.map(({ choice }) => choice));
    },
    hasForeignCall: (native) => choicesOf(native).some(({ choice }) => hasForeignPart(choice)),
    createCallReader() {
      const reader = createReplyReader("stream");
      return {
        add: reader.add,
        says: (calls, isStrict) => saysCalls(reader.read(), calls, isStrict),
      };
    },
    edit: (held, edit) => editChatStream(held, edit, seen),
  };
}

const headMembers = ["id", "object", "created", "model"];
const headOf = (chunk: Fields): Fields =>
  Object.fromEntries(headMembers.flatMap((name) => (name in chunk ? [[name, chunk[name]]] : [])));

const opensMain = ({ choice, isMain }: PlacedChoice): boolean => isMain && hasRole(choice);

function countChoice(seen: SeenChunks, { choice, index }: PlacedChoice): void {
  const count = seen.chunks.get(index) ?? 0;
  if (count > 0 && isFields(choice["message"]) && !isFields(choice["delta"]))
    seen.repeated.add(choice);
  seen.chunks.set(index, count + 1);
}

/** A chunk with text and the end waits, because the end depends on the verdict. */
function classOf(choices: readonly Fields[]): EventClass {
  if (choices.some(hasCalls)) return "call";
  if (choices.some(hasEnding)) return "pending";
  if (choices.some(isVisible)) return "live";
  return choices.some(hasRole) ? "opening" : "pending";
}

/** Errors by status. https://developers.openai.com/api/docs/guides/error-codes */
const chatErrorTypes: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  400: ["invalid_request_error", null],
  401: ["invalid_request_error", "invalid_api_key"],
  402: ["insufficient_quota", "insufficient_quota"],
  415: ["invalid_request_error", null],
  429: ["rate_limit_error", "rate_limit_exceeded"],
};

/** Some clients send a request again if a word of the error is one of a server's failure. */
function chatErrorBody({ status, message, isRetryable }: Failure): Fields {
  const otherType = isRetryable ? "server_error" : "invalid_request_error";
  const [type, code] = chatErrorTypes[status] ?? [otherType, null];
  return { error: { message, type, param: null, code } };
}

/**
 * Chat Completions of all hosts.
 * https://developers.openai.com/api/reference/resources/chat/subresources/completions/streaming-events
 */
export const chat: Protocol = {
  name: "openai-chat",
  parse: parseChat,
  failBody: chatErrorBody,
  // A blank line after a comment is an empty event for openai-python (openai-python#2722).
  keepAlive: ": \n",
  afterError: "break",
  body: chatBody,
  createEditor: createChatEditor,
};
