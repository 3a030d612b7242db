import type { ClaimedStop } from "@fullstop/core/adapter";
import type { WireName } from "../replay/builtin.ts";

/**
 * The replies that the vendor documents. Another host of the protocol, an older server or a damaged
 * reply may send the rest, and a gateway that translates may not know them.
 */
interface Documented {
  /** The stop reasons whose native values the vendor documents, with the same meaning. */
  readonly stops: readonly ClaimedStop[];
  /** The fixtures, by the names of their files. */
  readonly fixtures: readonly string[];
}

/** What each vendor documents. */
export const documented: Readonly<Record<WireName, Documented>> = {
  anthropic: {
    stops: ["stop", "tool-use", "length", "context-window", "pause", "refusal"],
    fixtures: [
      "call-without-input",
      "cap-in-call",
      "citations",
      "mcp-call",
      "parallel-calls",
      "paused",
      "paused-with-client-call",
      "redacted-thinking",
      "refusal",
      "refusal-after-call",
      "stop-sequence",
      "text",
      "thinking-and-cut-call",
      "thinking-before-call",
      "thinking-call",
      "thinking-only-at-cap",
      "two-thinking-blocks",
      "web-search",
    ],
  },
  "openai-chat": {
    stops: ["stop", "tool-use", "length", "content-filter"],
    fixtures: [
      "call",
      "cap-in-call",
      "content-filter",
      "named-choice",
      "parallel-calls",
      "refusal",
      "text",
    ],
  },
  "openai-responses": {
    stops: ["stop", "tool-use", "length", "content-filter", "refusal", "context-window", "error"],
    fixtures: [
      "cap-in-call",
      "content-filter",
      "failed",
      "failed-context-window",
      "failed-rate-limit",
      "parallel-calls",
      "reasoning-before-call",
      "reasoning-before-text",
      "reasoning-call",
      "reasoning-only-at-cap",
      "refusal",
      "text",
      "text-phases",
      "web-search",
    ],
  },
  gemini: {
    stops: ["stop", "tool-use", "length", "content-filter", "malformed-tool-call"],
    fixtures: [
      "blocked-prompt",
      "call",
      "call-without-arguments",
      "cap-after-call",
      "code-execution",
      "malformed-call",
      "parallel-calls-first-signed",
      "safety",
      "search",
      "signed-text",
      "signed-thought",
      "stop-in-later-chunk",
      "text",
      "thought-and-signed-call",
      "two-calls-one-chunk",
    ],
  },
};
