import { google } from "@fullstop/provider-google";
import { sse } from "../framings/sse.ts";
import type { Protocol } from "../protocol.ts";
import { readGemini } from "./read.ts";
import { geminiStops } from "./stops.ts";
import { geminiReplies } from "./write.ts";

const errorChunk = {
  error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" },
};

/** Gemini generateContent. */
export const gemini: Protocol = {
  replies: geminiReplies,
  read: readGemini,
  framing: sse,
  guarded: { hosts: ["google"] },
  dialect: {
    replyId: "r1",
    stopKey: "finishReason",
    stops: geminiStops,
    errors: [{ data: JSON.stringify(errorChunk) }],
  },
  adapters: (fetch) => ({ google: google("gemini-3-pro", { apiKey: "none", fetch }) }),
};
