import type { ErrorKind } from "@fullstop/core";
import { parseFixtures } from "../../fixtures/corpus.ts";
import { filesIn } from "../../fixtures/files.ts";
import type { Frames, HttpFailure, Reply, Wire } from "../../wire.ts";
import { type Fields, fieldsOf, listErrors, pieces } from "../shared.ts";
import { sourcesOf } from "../sources.ts";
import { geminiAgent } from "./agent.ts";
import { geminiClient } from "./client.ts";
import { geminiViolations } from "./refusals.ts";

/** https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse */
const promptTokens = 25;
const geminiMetadata = { modelVersion: "gemini-3.1-pro", responseId: "mAEQaZ7pH9OqqtsP4u2S6Q4" };

const candidate = (parts: readonly Fields[], rest: object = {}): object => ({
  content: { parts, role: "model" },
  index: 0,
  ...rest,
});

/** A chunk before the last one. */
const partChunk = (part: Fields): Fields => ({
  candidates: [candidate([part])],
  usageMetadata: { promptTokenCount: promptTokens, totalTokenCount: promptTokens },
  ...geminiMetadata,
});

const lastChunk = (parts: readonly Fields[], { stop, output }: Reply): Fields => ({
  candidates: [candidate(parts, { finishReason: stop })],
  usageMetadata: {
    promptTokenCount: promptTokens,
    candidatesTokenCount: output,
    totalTokenCount: promptTokens + output,
  },
  ...geminiMetadata,
});

/** Any bytes in base64. Gemini 3 signs the first call of a reply. */
const thoughtSignature = btoa("signature 0");

/** The parts of each block: a text in pieces, or a call with all its arguments. */
function partsOf({ blocks }: Reply): readonly (readonly Fields[])[] {
  const firstCall = blocks.findIndex((block) => "name" in block);
  return blocks.map((block, index): readonly Fields[] => {
    if ("text" in block) return pieces(block.text).map((text) => ({ text }));
    const functionCall = { ...(block.id && { id: block.id }), name: block.name, args: block.input };
    return [{ functionCall, ...(index === firstCall && { thoughtSignature }) }];
  });
}

/** The reply as a stream: a chunk for each part, and an empty text in the last one. */
const geminiFrames = (reply: Reply): Frames => {
  const chunks = [...partsOf(reply).flat().map(partChunk), lastChunk([{ text: "" }], reply)];
  return { upToTerminal: chunks.map((chunk) => JSON.stringify(chunk)) };
};

/** The member of a piece that has the value of an argument, by its type. */
const pieceValue = (value: unknown): Fields => {
  if (value === null) return { nullValue: "NULL_VALUE" };
  if (typeof value === "number") return { numberValue: value };
  return typeof value === "boolean" ? { boolValue: value } : { stringValue: String(value) };
};

/** A piece for each value in the arguments. An empty object has none. */
function piecesAt(jsonPath: string, value: unknown): readonly Fields[] {
  if (typeof value !== "object" || value === null) return [{ jsonPath, ...pieceValue(value) }];
  return Object.entries(value).flatMap(([key, inner]) =>
    piecesAt(Array.isArray(value) ? `${jsonPath}[${key}]` : `${jsonPath}.${key}`, inner),
  );
}

/** A call whose arguments are streamed, without the part that ends it. */
function openCall(part: Fields): readonly Fields[] {
  const { functionCall, ...signature } = part;
  const { args, ...named } = fieldsOf(functionCall);
  return [
    { functionCall: { ...named, willContinue: true }, ...signature },
    ...piecesAt("$", args).map((piece) => ({
      functionCall: { partialArgs: [piece], willContinue: true },
    })),
  ];
}

/** The reply as a stream in which the arguments of the last call are streamed, and do not end. */
const geminiUnclosed = (reply: Reply): Frames => {
  const parts = partsOf(reply).flat();
  const open = parts.flatMap((part, index) =>
    index === parts.length - 1 ? openCall(part) : [part],
  );
  const chunks = [...open.map(partChunk), lastChunk([{ text: "" }], reply)];
  return { upToTerminal: chunks.map((chunk) => JSON.stringify(chunk)) };
};

const geminiBody = (reply: Reply): string => {
  const parts = partsOf(reply).flatMap((ofBlock, index): readonly Fields[] => {
    const block = reply.blocks[index];
    return block !== undefined && "text" in block ? [{ text: block.text }] : ofBlock;
  });
  return JSON.stringify(lastChunk(parts, reply));
};

const geminiError = (code: unknown, message: string, rest: object = {}): string =>
  JSON.stringify({ error: { code, message, ...rest } });

const rpc = "type.googleapis.com/google.rpc";
/**
 * https://ai.google.dev/gemini-api/docs/troubleshooting,
 * https://cloud.google.com/apis/design/errors
 */
const geminiRows: Readonly<
  Record<string, readonly [code: number, kind: ErrorKind, status: string, detail?: object]>
> = {
  "Please ensure that function call turn comes immediately after a user turn or after a function response turn.":
    [400, "invalid-request", "INVALID_ARGUMENT"],
  "The input token count (1200321) exceeds the maximum number of tokens allowed (1048576).": [
    400,
    "context-window",
    "INVALID_ARGUMENT",
  ],
  "API key not valid. Please pass a valid API key.": [
    400,
    "auth",
    "INVALID_ARGUMENT",
    { "@type": `${rpc}.ErrorInfo`, reason: "API_KEY_INVALID", domain: "googleapis.com" },
  ],
  "Permission denied on resource project x.": [403, "auth", "PERMISSION_DENIED"],
  "models/gemini-nothing is not found for API version v1beta.": [
    404,
    "invalid-request",
    "NOT_FOUND",
  ],
  "You exceeded your current quota. Please retry in 38.2s.": [
    429,
    "rate-limit",
    "RESOURCE_EXHAUSTED",
    { "@type": `${rpc}.RetryInfo`, retryDelay: "38.2s" },
  ],
  "The operation was cancelled.": [499, "cancelled", "CANCELLED"],
  "An internal error has occurred.": [500, "server", "INTERNAL"],
  "The model is overloaded. Please try again later.": [503, "overloaded", "UNAVAILABLE"],
  "Deadline expired before operation could complete.": [504, "timeout", "DEADLINE_EXCEEDED"],
};
const geminiFailures = Object.entries(geminiRows).map(
  ([message, [code, kind, status, ...details]]): HttpFailure => ({
    status: code,
    body: geminiError(code, message, { status, ...(details.length > 0 && { details }) }),
    kind,
  }),
);

const geminiErrors = listErrors({
  [geminiError(503, "The model is overloaded.", { status: "UNAVAILABLE" })]: "overloaded",
  [geminiError(500, "Internal error encountered.", { status: "INTERNAL" })]: "server",
  [geminiError(429, "Resource has been exhausted.")]: "rate-limit",
  [geminiError(13, "A code that is not HTTP's.")]: "server",
  [geminiError("internal_error", "A code that is a word.")]: "server",
});

/** Gemini's generateContent, from the server's side. https://ai.google.dev/api/generate-content */
export const geminiWire: Wire = {
  name: "gemini-generate-content",
  nativeStops: {
    stop: "STOP",
    /** There is no other native stop reason. */
    "tool-use": "STOP",
    length: "MAX_TOKENS",
    pause: "CONTINUATION",
    "content-filter": "SAFETY",
    "malformed-tool-call": "MALFORMED_FUNCTION_CALL",
    error: "OTHER",
  },
  // Recordings of these have no content: pydantic/pydantic-ai#3300, vercel/ai#5039,
  // 0xPlaygrounds/rig#1030, BerriAI/litellm#40477.
  stopsWithoutCalls: ["SAFETY", "OTHER", "MALFORMED_FUNCTION_CALL"],
  frames: geminiFrames,
  unclosed: geminiUnclosed,
  whole: geminiBody,
  sources: sourcesOf("gemini-generate-content"),
  fixtures: parseFixtures(filesIn("gemini"), "fixtures/gemini"),
  errors: geminiErrors,
  failures: geminiFailures,
  violations: geminiViolations,
  client: geminiClient,
  agent: geminiAgent,
};
