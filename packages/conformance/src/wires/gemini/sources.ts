import { pageOf } from "../../pages.ts";
import { documented, made, type ReplySource, type ReplySources, seen } from "../../sources.ts";
import { pageInside, replySources } from "../sources.ts";

const geminiName = "gemini-generate-content";
const geminiStops = pageOf("stops", geminiName);

/** The vendor lists the stop reason; public recordings of it have no content. */
const withoutContent = (issue: string): ReplySource =>
  made(geminiStops, { [issue]: "candidates with only a stop reason, and no content" });

/** What shows that the replies to agents are sent. */
export const geminiSources: ReplySources = replySources(geminiName, {
  cut: seen({
    "google-gemini/gemini-cli#7851, google-gemini/gemini-cli#8521":
      "streams ended without a finish reason",
  }),
  errorInStream: seen({
    "diegosouzapw/OmniRoute#4177": "503 inside a 200, after a part of the reply",
    "theopenco/llmgateway#3616": "the same, as the end of the body",
  }),
  usedUp: made(geminiStops),
  unknownStop: made(geminiStops),
  emptyStop: made(geminiStops),
  lengthStop: "MAX_TOKENS",
  length: documented(geminiStops, {
    "NousResearch/hermes-agent#43478":
      "`MAX_TOKENS` behind streamed calls was reported as the stop reason for calls",
  }),
  nameOnly: made(geminiStops),
  secondReply: made({
    "https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse":
      "`responseId` identifies each response",
  }),
  others: {
    CONTINUATION: documented({
      "https://github.com/googleapis/js-genai":
        "version 3.0: the same request is sent again, with the token",
    }),
    SAFETY: withoutContent("vercel/ai#4097"),
    OTHER: withoutContent("BerriAI/litellm#40477"),
    MALFORMED_FUNCTION_CALL: withoutContent("pydantic/pydantic-ai#631"),
    "page-inside": pageInside(geminiName),
  },
});
