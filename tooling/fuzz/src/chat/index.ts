import type { Protocol } from "../protocol.ts";
import { adapters, words } from "./hosts.ts";
import { read } from "./read.ts";
import { replies } from "./write.ts";

/** Chat Completions: OpenAI's own, and hosts that speak it. */
export const chat: Protocol = {
  replies,
  read,
  adapters,
  dialect: {
    wordKey: "finish_reason",
    words: [...words, "end_turn"],
    error: { data: JSON.stringify({ error: { code: 503, message: "The server is overloaded." } }) },
  },
};
