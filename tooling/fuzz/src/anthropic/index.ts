import { anthropic } from "@fullstop/provider-anthropic";
import { sse } from "../framings/sse.ts";
import { members } from "../json.ts";
import type { Protocol } from "../protocol.ts";
import { readAnthropic } from "./read.ts";
import { anthropicStops } from "./stops.ts";
import { anthropicReplies } from "./write.ts";

const errorEvent = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };

/** Anthropic Messages. */
export const anthropicMessages: Protocol = {
  replies: anthropicReplies,
  read: readAnthropic,
  framing: sse,
  guarded: {
    hosts: ["anthropic"],
    isEnd: (event) => members(event)["type"] === "message_stop",
  },
  dialect: {
    replyId: "msg_1",
    stopKey: "stop_reason",
    stops: anthropicStops,
    errors: [{ name: "error", data: JSON.stringify(errorEvent) }],
  },
  adapters: (fetch) => ({
    anthropic: anthropic("claude-sonnet-5", { apiKey: "none", fetch }),
    "without-stop": anthropic("claude-sonnet-5", {
      apiKey: "none",
      fetch,
      messageStop: "optional",
    }),
  }),
};
