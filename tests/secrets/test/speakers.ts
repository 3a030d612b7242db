import type { Wire } from "@fullstop/conformance";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { interactionsWire } from "@fullstop/conformance/wires/gemini-interactions";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import type { Adapter } from "@fullstop/core";
import { anthropic } from "@fullstop/provider-anthropic";
import { type BedrockOptions, bedrock } from "@fullstop/provider-bedrock";
import { copilot } from "@fullstop/provider-copilot";
import { google, googleInteractions } from "@fullstop/provider-google";
import { mistral } from "@fullstop/provider-mistral";
import { ollama } from "@fullstop/provider-ollama";
import { openai, openaiChat } from "@fullstop/provider-openai";
import { openaiCompatible } from "@fullstop/provider-openai-compatible";
// @boundaries-ignore only the tests of this provider have its wire
import { wire as bedrockWire } from "../../../packages/provider-bedrock/test/wire.ts";
// @boundaries-ignore only the tests of this provider have its wire
import { wire as ollamaWire } from "../../../packages/provider-ollama/test/wire.ts";

/** The options of an adapter. Without `apiKey`, the key is in the environment. */
export interface AdapterOptions {
  readonly apiKey?: string | undefined;
  readonly baseURL: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
}

export interface Speaker {
  readonly wire: Wire;
  /** The environment variable of the key; Copilot has none. */
  readonly variable?: string;
  adapter(reach: AdapterOptions): Adapter;
  /** The key signs requests and is not in them. So it may have any characters. */
  readonly signsWithKey?: true;
  /** What a person reads without a key, if it is not the core's sentence. */
  readonly withoutKey?: RegExp;
  /** What a person reads if the server refuses the connection, if it is not the core's sentence. */
  readonly whatToStart?: string;
  /**
   * The payloads of the first event, of an error in the reply, and of an end with this native stop
   * reason.
   */
  readonly firstEvent: string;
  errorEvent(quoted: string): string;
  endEvents(stop: string): readonly string[];
}

const chunk = (choice: object): string =>
  JSON.stringify({
    id: "c",
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta: {}, ...choice }],
  });
const chat: Omit<Speaker, "adapter"> = {
  wire: openaiChatWire,
  variable: "OPENAI_API_KEY",
  firstEvent: chunk({ delta: { role: "assistant", content: "Hi." } }),
  errorEvent: (quoted) =>
    JSON.stringify({ error: { message: quoted, type: "server_error", code: quoted } }),
  endEvents: (stop) => [chunk({ finish_reason: stop })],
};
const responses: Omit<Speaker, "adapter"> = {
  wire: openaiResponsesWire,
  variable: "OPENAI_API_KEY",
  firstEvent: JSON.stringify({
    type: "response.created",
    response: { id: "r", status: "in_progress", output: [] },
  }),
  errorEvent: (quoted) =>
    JSON.stringify({ type: "error", code: quoted, message: quoted, param: null }),
  endEvents: (stop) => [
    JSON.stringify({
      type: "response.incomplete",
      response: { id: "r", status: "incomplete", incomplete_details: { reason: stop }, output: [] },
    }),
  ],
};
const messages: Omit<Speaker, "adapter"> = {
  wire: anthropicWire,
  variable: "ANTHROPIC_API_KEY",
  firstEvent: JSON.stringify({
    type: "message_start",
    message: {
      id: "m",
      type: "message",
      role: "assistant",
      content: [],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  }),
  errorEvent: (quoted) =>
    JSON.stringify({ type: "error", error: { type: quoted, message: quoted } }),
  endEvents: (stop) => [
    JSON.stringify({
      type: "message_delta",
      delta: { stop_reason: stop },
      usage: { output_tokens: 1 },
    }),
  ],
};
const gemini: Omit<Speaker, "adapter"> = {
  wire: geminiWire,
  variable: "GEMINI_API_KEY",
  firstEvent: JSON.stringify({
    candidates: [{ content: { role: "model", parts: [{ text: "Hi." }] } }],
  }),
  errorEvent: (quoted) =>
    JSON.stringify({ error: { code: 500, status: "INTERNAL", message: quoted } }),
  endEvents: (stop) => [
    JSON.stringify({ candidates: [{ finishReason: stop, finishMessage: stop }] }),
  ],
};

const lines: Omit<Speaker, "adapter"> = {
  wire: ollamaWire,
  whatToStart: "Start it with `ollama serve`, or correct `baseURL` or OLLAMA_HOST.",
  firstEvent: JSON.stringify({ message: { role: "assistant", content: "Hi." }, done: false }),
  errorEvent: (quoted) => JSON.stringify({ error: quoted }),
  endEvents: (stop) => [JSON.stringify({ message: {}, done: true, done_reason: stop })],
};

const converse: Omit<Speaker, "adapter"> = {
  wire: bedrockWire,
  firstEvent: JSON.stringify({
    contentBlockDelta: { contentBlockIndex: 0, delta: { text: "Hi." } },
  }),
  errorEvent: (quoted) => JSON.stringify({ [`${quoted}Exception`]: { message: quoted } }),
  endEvents: (stop) => [
    JSON.stringify({ messageStop: { stopReason: stop } }),
    JSON.stringify({ metadata: { usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } } }),
  ],
};
const claude = (options: BedrockOptions): Adapter =>
  bedrock("eu.anthropic.claude-sonnet-5-5-v1:0", { region: "eu-central-1", ...options });

/** Credentials of a signature, of which this part is the key of the user. */
const signed = (
  part: "accessKeyId" | "secretAccessKey" | "sessionToken",
): Pick<Speaker, "adapter"> => ({
  adapter: ({ apiKey, ...reach }) => {
    const { sessionToken, ...keys } = { ...otherCredentials, [part]: apiKey };
    return claude({ ...reach, credentials: { ...keys, sessionToken } });
  },
});
/** Of the documents of AWS. */
const otherCredentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  sessionToken: "AQoDYXdzEJr1K7EXAMPLE",
};

/** The token exchange of Copilot returns the key. */
const withExchange = ({ apiKey = "", ...reach }: AdapterOptions, model: string): Adapter =>
  copilot(model, { token: async () => ({ token: apiKey }), ...reach });

const interactions: Omit<Speaker, "adapter"> = {
  wire: interactionsWire,
  variable: "GEMINI_API_KEY",
  firstEvent: JSON.stringify({
    event_type: "interaction.created",
    interaction: { id: "", status: "in_progress" },
  }),
  errorEvent: (quoted) =>
    JSON.stringify({ event_type: "error", error: { message: quoted, code: quoted } }),
  endEvents: (stop) => [
    JSON.stringify({ event_type: "interaction.completed", interaction: { id: "", status: stop } }),
  ],
};

export const speakers: Readonly<Record<string, Speaker>> = {
  anthropic: { ...messages, adapter: (reach) => anthropic("claude-sonnet-5-5", reach) },
  google: { ...gemini, adapter: (reach) => google("gemini-3.1-pro", reach) },
  "google-interactions": {
    ...interactions,
    adapter: (reach) => googleInteractions("gemini-3.8-flash", reach),
  },
  openai: { ...responses, adapter: (reach) => openai("gpt-6", reach) },
  "openai-chat": { ...chat, adapter: (reach) => openaiChat("gpt-6", reach) },
  "openai-compatible": {
    ...chat,
    variable: "GROQ_API_KEY",
    adapter: (reach) => openaiCompatible("groq", "llama", reach),
  },
  mistral: {
    ...chat,
    variable: "MISTRAL_API_KEY",
    adapter: (reach) => mistral("mistral-large-latest", reach),
  },
  bedrock: {
    ...converse,
    variable: "AWS_BEARER_TOKEN_BEDROCK",
    withoutKey: /No credentials for Amazon Bedrock: pass `apiKey` or `credentials`, .+\.$/,
    adapter: claude,
  },
  "bedrock, with its access key": { ...converse, ...signed("accessKeyId") },
  "bedrock, with its secret key": {
    ...converse,
    ...signed("secretAccessKey"),
    signsWithKey: true,
  },
  "bedrock, with its session token": { ...converse, ...signed("sessionToken") },
  ollama: { ...lines, adapter: (reach) => ollama("qwen3", reach) },
  "copilot-chat": { ...without(chat), adapter: (reach) => withExchange(reach, "gpt-4.1") },
  "copilot-messages": {
    ...without(messages),
    adapter: (reach) => withExchange(reach, "claude-sonnet-5-5"),
  },
};

function without({ variable: _, ...rest }: Omit<Speaker, "adapter">): Omit<Speaker, "adapter"> {
  return rest;
}
