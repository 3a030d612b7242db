import { openaiResponsesWire as wire } from "@fullstop/conformance/wires/openai-responses";
import { type Fields, list, type Protocol } from "./protocol.ts";

const models: ReadonlySet<unknown> = new Set(["function_call", "reasoning"]);

export const openaiResponses: Protocol = {
  wire,
  idPrefix: "call",
  pieces: {
    text: { type: "response.output_text.delta", at: ["delta"] },
    input: { type: "response.function_call_arguments.delta", at: ["delta"] },
  },
  recut: (event, whole, cut) =>
    JSON.parse(JSON.stringify(event), (_, part: Fields | null) =>
      part?.["arguments"] === whole
        ? { ...part, arguments: cut, ...("status" in part && { status: "incomplete" }) }
        : part,
    ),
  read: ({ max_output_tokens: cap, stream, input }) => ({
    cap,
    streams: stream === true,
    messages: list(input),
  }),
  isModels: ({ type, role }) => role === "assistant" || models.has(type),
  refusal: (message) => ({
    error: { message, type: "invalid_request_error", param: null, code: null },
  }),
};
