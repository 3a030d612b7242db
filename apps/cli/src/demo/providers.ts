import type { Wire } from "@fullstop/conformance";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import type { Adapter, Endpoint } from "@fullstop/core";

export type Fields = Readonly<Record<string, unknown>>;

/** Where an event holds the string that it adds to the reply. */
export interface TextPath {
  /** Events of another type add nothing. By default: any type. */
  readonly eventType?: string;
  readonly keys: readonly (string | number)[];
}

/** The parts of a request that the server checks. */
export interface ParsedRequest {
  readonly cap: unknown;
  readonly streams: boolean;
  readonly messages: readonly Fields[];
}

/** What the server knows about a protocol, besides its wire. */
export interface Protocol {
  readonly wire: Wire;
  /** The beginning of each tool call id. */
  readonly idPrefix: string;
  /** Where streamed text stands. Without `input`, the protocol sends each input in one piece. */
  readonly textPaths: { readonly text: TextPath; readonly input?: TextPath };
  /** Replaces an input that an event repeats as a whole. */
  replaceInput?(event: Fields, complete: string, replacement: string): Fields;
  parseRequest(body: Fields): ParsedRequest;
  isFromModel(message: Fields): boolean;
  /** The body of an answer with status 400. */
  badRequest(message: string): Fields;
}

export const sendsWholeInputs = ({ textPaths }: Protocol): boolean => textPaths.input === undefined;

const asList = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value : []);

const anthropicMessages: Protocol = {
  wire: anthropicWire,
  idPrefix: "toolu",
  textPaths: { text: { keys: ["delta", "text"] }, input: { keys: ["delta", "partial_json"] } },
  parseRequest: ({ max_tokens: cap, stream, messages }) => ({
    cap,
    streams: stream === true,
    messages: asList(messages),
  }),
  isFromModel: ({ role }) => role === "assistant",
  badRequest: (message) => ({ type: "error", error: { type: "invalid_request_error", message } }),
};

const openaiBadRequest = (message: string): Fields => ({
  error: { message, type: "invalid_request_error", param: null, code: null },
});

/** OpenAI calls the cap `max_completion_tokens`, other hosts `max_tokens`. */
const chatCompletions = (capName: "max_completion_tokens" | "max_tokens"): Protocol => ({
  wire: openaiChatWire,
  idPrefix: "call",
  textPaths: {
    text: { keys: ["choices", 0, "delta", "content"] },
    input: { keys: ["choices", 0, "delta", "tool_calls", 0, "function", "arguments"] },
  },
  parseRequest: ({ [capName]: cap, stream, messages }) => ({
    cap,
    streams: stream === true,
    messages: asList(messages),
  }),
  isFromModel: ({ role }) => role === "assistant",
  badRequest: openaiBadRequest,
});

const openaiResponses: Protocol = {
  wire: openaiResponsesWire,
  idPrefix: "call",
  textPaths: {
    text: { eventType: "response.output_text.delta", keys: ["delta"] },
    input: { eventType: "response.function_call_arguments.delta", keys: ["delta"] },
  },
  replaceInput: (event, complete, replacement) =>
    JSON.parse(JSON.stringify(event), (_, part: Fields | null) =>
      part?.["arguments"] === complete
        ? { ...part, arguments: replacement, ...("status" in part && { status: "incomplete" }) }
        : part,
    ),
  parseRequest: ({ max_output_tokens: cap, stream, input }) => ({
    cap,
    streams: stream === true,
    messages: asList(input),
  }),
  isFromModel: ({ type, role }) =>
    role === "assistant" || type === "function_call" || type === "reasoning",
  badRequest: openaiBadRequest,
};

const generateContent: Protocol = {
  wire: geminiWire,
  idPrefix: "call",
  textPaths: { text: { keys: ["candidates", 0, "content", "parts", 0, "text"] } },
  parseRequest: ({ generationConfig, contents }) => ({
    cap: (generationConfig as Fields | undefined)?.["maxOutputTokens"],
    // The path of the request decides, and the server checks the path.
    streams: true,
    messages: asList(contents),
  }),
  isFromModel: ({ role }) => role === "model",
  badRequest: (message) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
};

/** What the demo gives to every adapter. */
export interface Connection extends Pick<Endpoint, "fetch"> {
  /** The address of the demo's server. */
  readonly url: string;
  readonly apiKey: string;
  readonly maxTokens: NonNullable<Adapter["maxTokens"]>;
}

/** An adapter that the demo can run with, and the protocol of its provider. */
export interface Provider {
  /** The factory, the protocol and the SDK, in a few words. */
  readonly about: string;
  readonly protocol: Protocol;
  /** The path that the SDK sends requests to. */
  readonly path: string;
  /** Loads this adapter and its SDK, and no other. */
  connect(connection: Connection): Promise<Adapter>;
}
export type ProviderName =
  | "anthropic"
  | "openai"
  | "openai-chat"
  | "google"
  | "openai-compatible"
  | "copilot";

export const providers: Readonly<Record<ProviderName, Provider>> = {
  anthropic: {
    about: "anthropic(): Messages, over @anthropic-ai/sdk",
    protocol: anthropicMessages,
    path: "/v1/messages",
    connect: async ({ url, ...options }) => {
      const { anthropic } = await import("@fullstop/provider-anthropic");
      return anthropic("claude-sonnet-5-5", { ...options, baseURL: url });
    },
  },
  openai: {
    about: "openai(): Responses, over openai",
    protocol: openaiResponses,
    path: "/v1/responses",
    connect: async ({ url, ...options }) => {
      const { openai } = await import("@fullstop/provider-openai");
      return openai("gpt-5.5", { ...options, baseURL: `${url}/v1` });
    },
  },
  "openai-chat": {
    about: "openaiChat(): Chat Completions, over openai",
    protocol: chatCompletions("max_completion_tokens"),
    path: "/v1/chat/completions",
    connect: async ({ url, ...options }) => {
      const { openaiChat } = await import("@fullstop/provider-openai");
      return openaiChat("gpt-5.5", { ...options, baseURL: `${url}/v1` });
    },
  },
  google: {
    about: "google(): generateContent, over @google/genai",
    protocol: generateContent,
    path: "/v1beta/models/gemini-3.1-pro:streamGenerateContent",
    connect: async ({ url, ...options }) => {
      const { google } = await import("@fullstop/provider-google");
      return google("gemini-3.1-pro", { ...options, baseURL: url });
    },
  },
  "openai-compatible": {
    about: 'openaiCompatible("vllm"): Chat Completions, over openai',
    protocol: chatCompletions("max_tokens"),
    path: "/v1/chat/completions",
    connect: async ({ url, ...options }) => {
      const { openaiCompatible } = await import("@fullstop/provider-openai-compatible");
      return openaiCompatible("vllm", "Qwen/Qwen3-Coder", { ...options, baseURL: `${url}/v1` });
    },
  },
  copilot: {
    about: "copilot(): Chat Completions, over openai",
    protocol: chatCompletions("max_tokens"),
    path: "/chat/completions",
    connect: async ({ url: baseURL, apiKey, ...options }) => {
      const { copilot } = await import("@fullstop/provider-copilot");
      return copilot("gpt-4.1", { ...options, baseURL, token: async () => ({ token: apiKey }) });
    },
  },
};

export const providerNames = Object.keys(providers) as readonly ProviderName[];
