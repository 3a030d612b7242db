import { files } from "../../../fixtures/gemini.js";
import { parseFixtures } from "../../fixtures/corpus.ts";
import type { HttpFailure, InBandError, Wire } from "../../wire.ts";
import { agent } from "./agent.ts";
import { frames, wholeBody } from "./frames.ts";
import { violations } from "./rules.ts";

const error = (code: unknown, message: string, rest: object = {}): string =>
  JSON.stringify({ error: { code, message, ...rest } });

/** https://ai.google.dev/gemini-api/docs/troubleshooting, https://cloud.google.com/apis/design/errors */
const failures: readonly HttpFailure[] = [
  {
    status: 400,
    body: error(
      400,
      "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
      {
        status: "INVALID_ARGUMENT",
      },
    ),
    kind: "invalid-request",
  },
  {
    status: 400,
    body: error(
      400,
      "The input token count (1200321) exceeds the maximum number of tokens allowed (1048576).",
      {
        status: "INVALID_ARGUMENT",
      },
    ),
    kind: "context-window",
  },
  {
    status: 400,
    body: error(400, "API key not valid. Please pass a valid API key.", {
      status: "INVALID_ARGUMENT",
      details: [
        {
          "@type": "type.googleapis.com/google.rpc.ErrorInfo",
          reason: "API_KEY_INVALID",
          domain: "googleapis.com",
        },
      ],
    }),
    kind: "auth",
  },
  {
    status: 403,
    body: error(403, "Permission denied on resource project x.", { status: "PERMISSION_DENIED" }),
    kind: "auth",
  },
  {
    status: 404,
    body: error(404, "models/gemini-nothing is not found for API version v1beta.", {
      status: "NOT_FOUND",
    }),
    kind: "invalid-request",
  },
  {
    status: 429,
    body: error(429, "You exceeded your current quota. Please retry in 38.2s.", {
      status: "RESOURCE_EXHAUSTED",
      details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "38.2s" }],
    }),
    kind: "rate-limit",
  },
  {
    status: 499,
    body: error(499, "The operation was cancelled.", { status: "CANCELLED" }),
    kind: "cancelled",
  },
  {
    status: 500,
    body: error(500, "An internal error has occurred.", { status: "INTERNAL" }),
    kind: "server",
  },
  {
    status: 503,
    body: error(503, "The model is overloaded. Please try again later.", { status: "UNAVAILABLE" }),
    kind: "overloaded",
  },
  {
    status: 504,
    body: error(504, "Deadline expired before operation could complete.", {
      status: "DEADLINE_EXCEEDED",
    }),
    kind: "timeout",
  },
];
const errors: readonly InBandError[] = [
  { frame: error(503, "The model is overloaded.", { status: "UNAVAILABLE" }), kind: "overloaded" },
  { frame: error(500, "Internal error encountered.", { status: "INTERNAL" }), kind: "server" },
  { frame: error(429, "Resource has been exhausted."), kind: "rate-limit" },
  { frame: error(13, "A code that is not HTTP's."), kind: "server" },
  { frame: error("internal_error", "A code that is a word."), kind: "server" },
];

/** Gemini's generateContent, as its servers speak it. https://ai.google.dev/api/generate-content */
export const geminiWire: Wire = {
  name: "gemini-generate-content",
  nativeStops: {
    stop: "STOP",
    /** There is no other word. */
    "tool-use": "STOP",
    length: "MAX_TOKENS",
    pause: "CONTINUATION",
    "content-filter": "SAFETY",
    "malformed-tool-call": "MALFORMED_FUNCTION_CALL",
    error: "OTHER",
    unknown: "FINISH_REASON_UNSPECIFIED",
  },
  frames,
  whole: wholeBody,
  fixtures: parseFixtures(files, "fixtures/gemini"),
  errors,
  failures,
  violations,
  agent,
};
