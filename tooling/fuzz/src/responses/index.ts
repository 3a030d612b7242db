import { openai } from "@fullstop/provider-openai";
import { sse } from "../framings/sse.ts";
import { members } from "../json.ts";
import type { Protocol } from "../protocol.ts";
import { readResponses } from "./read.ts";
import { responsesStops } from "./stops.ts";
import { responsesReplies } from "./write.ts";

const errorResponse = {
  type: "error",
  code: "server_error",
  message: "The server failed.",
  param: null,
};

/** OpenAI Responses. */
export const responses: Protocol = {
  replies: responsesReplies,
  read: readResponses,
  framing: sse,
  guarded: {
    hosts: ["openai"],
    isEnd: (event) =>
      /^response\.(completed|incomplete|failed)$/.test(String(members(event)["type"])),
  },
  dialect: {
    replyId: "resp_1",
    stopKey: "status",
    stops: responsesStops.filter((stop) => !stop.includes(":")),
    errors: [{ name: "error", data: JSON.stringify(errorResponse) }],
  },
  adapters: (fetch) => ({ openai: openai("gpt-5.5", { apiKey: "none", fetch }) }),
};
