import { openai } from "@fullstop/provider-openai";
import type { Protocol } from "../protocol.ts";
import { read } from "./read.ts";
import { words } from "./words.ts";
import { replies } from "./write.ts";

const error = { type: "error", code: "server_error", message: "The server failed.", param: null };

/** OpenAI Responses. */
export const responses: Protocol = {
  replies,
  read,
  dialect: {
    wordKey: "status",
    words: words.filter((word) => !word.includes(":")),
    error: { name: "error", data: JSON.stringify(error) },
  },
  adapters: (fetch) => ({ openai: openai("gpt-5.5", { apiKey: "none", fetch }) }),
};
