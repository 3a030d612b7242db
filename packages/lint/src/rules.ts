import type { validateHistory } from "@fullstop/core";
import type { ShapeName } from "./shape.ts";

/** A rule of core's `validateHistory` about messages. */
type HistoryRule = Exclude<ReturnType<typeof validateHistory>[number]["rule"], "not-messages">;
/** The id of a rule. */
export type LintRule =
  | HistoryRule
  | "cut-input"
  | "empty-input"
  | "denied-call"
  | "detached-reasoning";

/** What happens to a request that breaks a rule. */
export interface RuleEffect {
  /** Who refuses it, or what happens without a refusal. */
  readonly effect: string;
  /** A public page or issue that shows it, or the function that checks it. */
  readonly reference: string;
}

/** A rule about transcripts. */
export interface RuleDescription {
  /** What is wrong with a transcript that breaks the rule. */
  readonly sentence: string;
  /** The shapes for which the rule holds, and what happens there. */
  readonly holds: Readonly<Partial<Record<ShapeName, RuleEffect>>>;
  /** Whether `fixTranscript` repairs it. */
  readonly fixable: boolean;
  /** The shapes that allow it in the last message. */
  readonly allowedLast?: readonly ShapeName[];
}

const refusedByLoop: RuleEffect = {
  effect: "`run` of @fullstop/loop throws a TypeError before it sends anything",
  reference: "`validateHistory` of @fullstop/core",
};
const issue = (id: string): string => `https://github.com/${id.replace("#", "/issues/")}`;
const refused = (who: string, id: string): RuleEffect => ({
  effect: `${who} refuses the request (400)`,
  reference: issue(id),
});

const missingResults: RuleEffect = {
  effect: "the AI SDK throws AI_MissingToolResultsError",
  reference: "https://ai-sdk.dev/docs/troubleshooting/missing-tool-results-error",
};
const olderSdk: RuleEffect = {
  effect: "Anthropic refuses the request (400) if the AI SDK is older than July 2026",
  reference: issue("vercel/ai#16643"),
};
const lostCause: RuleEffect = {
  effect: "the request is accepted; the model reads that it called the tool without an input",
  reference: issue("mattmezza/humux#77"),
};
const contradiction = (reference: string): RuleEffect => ({
  effect:
    "the call has no result, so the request is refused; a result that is added contradicts the note",
  reference,
});

/** The rules, by id. */
export const rules: Readonly<Record<LintRule, RuleDescription>> = {
  "call-without-result": {
    sentence: "A call has no result where the provider expects it.",
    fixable: true,
    holds: {
      fullstop: refusedByLoop,
      "ai-sdk": missingResults,
      "ai-sdk-ui": missingResults,
      "openai-chat": refused("OpenAI", "langgenius/dify#32222"),
      "openai-responses": refused("OpenAI", "RooCodeInc/Roo-Code#12248"),
      anthropic: refused("Anthropic", "anthropics/claude-code#7929"),
      gemini: refused("Gemini", "microsoft/vscode#299295"),
    },
  },
  "result-without-call": {
    sentence: "A result has no call that it answers, or it is the second result of its call.",
    fixable: true,
    holds: {
      fullstop: refusedByLoop,
      "openai-chat": refused("OpenAI", "microsoft/semantic-kernel#12708"),
      "openai-responses": {
        effect:
          "OpenAI refuses a result without a call (400); compatible hosts refuse a second result, too",
        reference: issue("continuedev/continue#10092"),
      },
      anthropic: refused("Anthropic", "anthropics/claude-code#18947"),
      gemini: refused("Gemini", "google-gemini/gemini-cli#16202"),
    },
  },
  "results-out-of-order": {
    sentence: "The results are in another order than their calls.",
    fixable: true,
    holds: { fullstop: refusedByLoop },
  },
  "duplicate-call-id": {
    sentence: "Two calls have the same id.",
    fixable: true,
    holds: {
      fullstop: refusedByLoop,
      "openai-chat": {
        effect:
          "OpenAI-compatible hosts refuse two calls of one message with the same id (400); in different messages the id may return",
        reference: issue("openclaw/openclaw#40996"),
      },
      "openai-responses": {
        effect: "OpenAI-compatible hosts refuse the request (400); of OpenAI it is not known",
        reference: issue("openclaw/openclaw#40996"),
      },
      anthropic: refused("Anthropic", "anthropics/claude-code#28515"),
    },
  },
  "call-without-name": {
    sentence: "A call has no name.",
    fixable: true,
    holds: {
      fullstop: refusedByLoop,
      "openai-chat": refused("OpenAI", "continuedev/continue#11645"),
      "openai-responses": refused("OpenAI", "NousResearch/hermes-agent#55922"),
      anthropic: refused("Anthropic", "sipeed/picoclaw#1658"),
    },
  },
  "empty-message": {
    sentence: "A message of the model, or one with results, is empty.",
    fixable: true,
    allowedLast: ["anthropic"],
    holds: {
      fullstop: refusedByLoop,
      anthropic: refused("Anthropic", "anthropics/claude-code#6774"),
      gemini: {
        effect: "Gemini refuses the request (400)",
        reference: issue("google-gemini/gemini-cli#3814"),
      },
    },
  },
  "cut-input": {
    sentence: "The input of a call is not JSON, as an input is that was cut.",
    fixable: false,
    holds: {
      fullstop: {
        effect:
          "adapters wrap the text as `{ text }`, so the model reads another input than it wrote",
        reference: issue("vllm-project/vllm#43995"),
      },
      "ai-sdk": olderSdk,
      "ai-sdk-ui": olderSdk,
      "openai-chat": {
        effect: "llama.cpp and vLLM refuse this and every later request (400)",
        reference: issue("OpenHands/software-agent-sdk#2887"),
      },
      "openai-responses": {
        effect: "vLLM refuses this and every later request (400)",
        reference: issue("vllm-project/vllm#55495"),
      },
      anthropic: refused("Anthropic", "prism-php/prism#659"),
    },
  },
  "empty-input": {
    sentence:
      "The input of a call is empty, and the schema of its tool requires members: often this is what a client kept of an input that was cut.",
    fixable: false,
    holds: {
      "openai-chat": lostCause,
      "openai-responses": lostCause,
      anthropic: lostCause,
      gemini: lostCause,
    },
  },
  "denied-call": {
    sentence: "A note says that a call did not run, and the call is in the message before it.",
    fixable: true,
    holds: {
      fullstop: contradiction(refusedByLoop.reference),
      "ai-sdk": contradiction(missingResults.reference),
      "ai-sdk-ui": contradiction(missingResults.reference),
      "openai-chat": contradiction(issue("langgenius/dify#32222")),
      "openai-responses": contradiction(issue("RooCodeInc/Roo-Code#12248")),
      anthropic: contradiction(issue("anthropics/claude-code#7929")),
      gemini: contradiction(issue("microsoft/vscode#299295")),
    },
  },
  "detached-reasoning": {
    sentence: "Reasoning of the model is without its signature, or apart from what it belongs to.",
    fixable: false,
    holds: {
      "ai-sdk": refused("OpenAI", "vercel/ai#7099"),
      "openai-responses": refused("OpenAI", "openai/openai-node#1567"),
      anthropic: {
        effect:
          "Anthropic refuses thinking without its signature, or at the end of a message (400)",
        reference: "https://platform.claude.com/docs/en/build-with-claude/extended-thinking",
      },
      gemini: {
        effect: "Gemini 3 refuses a step whose first call has no signature (400)",
        reference: "https://ai.google.dev/gemini-api/docs/thought-signatures",
      },
    },
  },
};
