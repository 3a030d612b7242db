import { anthropic } from "@fullstop/provider-anthropic";
import type { Protocol } from "../protocol.ts";
import { read } from "./read.ts";
import { words } from "./words.ts";
import { replies } from "./write.ts";

const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };

/** Anthropic Messages. */
export const messages: Protocol = {
  replies,
  read,
  dialect: { wordKey: "stop_reason", words, error: { name: "error", data: JSON.stringify(error) } },
  adapters: (fetch) => ({
    anthropic: anthropic("claude-sonnet-5", { apiKey: "none", fetch }),
    "without-stop": anthropic("claude-sonnet-5", {
      apiKey: "none",
      fetch,
      messageStop: "optional",
    }),
  }),
};
