import { googleInteractions } from "@fullstop/provider-google";
import { sse } from "../framings/sse.ts";
import { members } from "../json.ts";
import type { Protocol } from "../protocol.ts";
import { readInteraction } from "./read.ts";
import { interactionsStops } from "./stops.ts";
import { interactionReplies } from "./write.ts";

const interactionError = {
  event_type: "error",
  error: { code: "service_unavailable", message: "The model is overloaded." },
};

/** Gemini Interactions. */
export const interactions: Protocol = {
  replies: interactionReplies,
  read: readInteraction,
  framing: sse,
  guarded: {
    hosts: ["google"],
    isEnd: (event) => members(event)["event_type"] === "interaction.completed",
  },
  dialect: {
    replyId: "v1_r1",
    stopKey: "status",
    stops: interactionsStops,
    errors: [{ name: "error", data: JSON.stringify(interactionError) }],
  },
  adapters: (fetch) => ({
    google: googleInteractions("gemini-3.8-flash", { apiKey: "none", fetch }),
  }),
};
