import { anthropicWire as wire } from "@fullstop/conformance/wires/anthropic";
import { list, type Protocol } from "./protocol.ts";

export const anthropicMessages: Protocol = {
  wire,
  idPrefix: "toolu",
  pieces: { text: { at: ["delta", "text"] }, input: { at: ["delta", "partial_json"] } },
  read: ({ max_tokens: cap, stream, messages }) => ({
    cap,
    streams: stream === true,
    messages: list(messages),
  }),
  isModels: ({ role }) => role === "assistant",
  refusal: (message) => ({ type: "error", error: { type: "invalid_request_error", message } }),
};
