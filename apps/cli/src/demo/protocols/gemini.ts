import { geminiWire as wire } from "@fullstop/conformance/wires/gemini";
import { type Fields, list, type Protocol } from "./protocol.ts";

export const generateContent: Protocol = {
  wire,
  idPrefix: "call",
  pieces: { text: { at: ["candidates", 0, "content", "parts", 0, "text"] } },
  read: ({ generationConfig, contents }) => ({
    cap: (generationConfig as Fields | undefined)?.["maxOutputTokens"],
    // The path says so.
    streams: true,
    messages: list(contents),
  }),
  isModels: ({ role }) => role === "model",
  refusal: (message) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
};
