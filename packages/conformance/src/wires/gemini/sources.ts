import { pageOf } from "../../pages.ts";
import { documented, made, type ReplySource, type ReplySources, seen } from "../../sources.ts";
import { pageInside, replySources } from "../sources.ts";

const wire = "gemini-generate-content";
const stops = pageOf("stops", wire);

const length = documented(stops, {
  issue: "NousResearch/hermes-agent#43478",
  note: "`MAX_TOKENS` behind streamed calls was reported as the stop reason for calls",
  wire,
});

/** The vendor lists the stop reason; public recordings of it have no content. */
const withoutContent = (issue: string): ReplySource =>
  made(stops, { issue, note: "candidates with only a stop reason, and no content", wire });

/** What shows that the replies to agents are sent. */
export const geminiSources: ReplySources = replySources(wire, {
  cut: seen(
    { issue: "google-gemini/gemini-cli#7851", wire },
    {
      issue: "google-gemini/gemini-cli#8521",
      note: "streams ended without a finish reason",
      wire,
    },
  ),
  errorInStream: seen(
    {
      issue: "diegosouzapw/OmniRoute#4177",
      note: "503 inside a 200, after a part of the reply",
      wire,
    },
    { issue: "theopenco/llmgateway#3616", note: "the same, as the end of the body", wire },
  ),
  usedUp: made(stops),
  unknownStop: made(stops),
  emptyStop: made(stops),
  length,
  others: {
    MAX_TOKENS: length,
    "MAX_TOKENS-sibling-missing": length,
    "MAX_TOKENS-name-only": made(stops),
    CONTINUATION: documented({
      url: "https://github.com/googleapis/js-genai",
      note: "version 3.0: the same request is sent again, with the token",
      wire,
    }),
    SAFETY: withoutContent("vercel/ai#4097"),
    OTHER: withoutContent("BerriAI/litellm#40477"),
    MALFORMED_FUNCTION_CALL: withoutContent("pydantic/pydantic-ai#631"),
    "page-inside": pageInside(wire),
  },
});
