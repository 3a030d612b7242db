import { google } from "@fullstop/provider-google";
import type { Protocol } from "../protocol.ts";
import { read } from "./read.ts";
import { words } from "./words.ts";
import { replies } from "./write.ts";

const error = { error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } };

/** Gemini generateContent. */
export const gemini: Protocol = {
  replies,
  read,
  dialect: { wordKey: "finishReason", words, error: { data: JSON.stringify(error) } },
  adapters: (fetch) => ({ google: google("gemini-3-pro", { apiKey: "none", fetch }) }),
};
