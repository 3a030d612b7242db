import type { ClaimedStop } from "@fullstop/core/adapter";
import type { WireName } from "../replay/builtin.ts";

/**
 * The stop reasons whose native values the vendor documents, with the same meaning. Another host of
 * the protocol or an older server may send the rest, and a gateway that translates may not know
 * them.
 */
export const documentedStops: Readonly<Record<WireName, readonly ClaimedStop[]>> = {
  anthropic: ["stop", "tool-use", "length", "context-window", "pause", "refusal"],
  "openai-chat": ["stop", "tool-use", "length", "content-filter"],
  "openai-responses": [
    "stop",
    "tool-use",
    "length",
    "content-filter",
    "refusal",
    "context-window",
    "error",
  ],
  gemini: ["stop", "tool-use", "length", "content-filter", "malformed-tool-call"],
  "gemini-interactions": ["stop", "tool-use", "length"],
};
