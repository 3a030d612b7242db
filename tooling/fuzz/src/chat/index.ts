import { sse } from "../framings/sse.ts";
import type { Protocol } from "../protocol.ts";
import { doneMarker } from "../received.ts";
import { chatAdapters, chatStops } from "./hosts.ts";
import { readChat } from "./read.ts";
import { chatReplies } from "./write.ts";

/** Chat Completions: OpenAI's own, and hosts that speak it. */
export const chat: Protocol = {
  replies: chatReplies,
  read: readChat,
  adapters: chatAdapters,
  framing: sse,
  guarded: { hosts: ["openai", "nim", "xai"], isEnd: (event) => event === doneMarker },
  dialect: {
    replyId: "chatcmpl-1",
    stopKey: "finish_reason",
    stops: [...chatStops, "end_turn"],
    errors: [
      { data: JSON.stringify({ error: { code: 503, message: "The server is overloaded." } }) },
    ],
  },
};
