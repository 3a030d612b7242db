import { openaiChatWire as wire } from "@fullstop/conformance/wires/openai-chat";
import { list, type Protocol } from "./protocol.ts";

/** OpenAI itself takes the cap under its second name, other hosts under the first. */
const chat = (capName: "max_completion_tokens" | "max_tokens"): Protocol => ({
  wire,
  idPrefix: "call",
  pieces: {
    text: { at: ["choices", 0, "delta", "content"] },
    input: { at: ["choices", 0, "delta", "tool_calls", 0, "function", "arguments"] },
  },
  read: ({ [capName]: cap, stream, messages }) => ({
    cap,
    streams: stream === true,
    messages: list(messages),
  }),
  isModels: ({ role }) => role === "assistant",
  refusal: (message) => ({
    error: { message, type: "invalid_request_error", param: null, code: null },
  }),
});

export const openaiChatCompletions: Protocol = chat("max_completion_tokens");
export const compatibleChatCompletions: Protocol = chat("max_tokens");
