import type { Adapter, Endpoint } from "@fullstop/core";
import { anthropicMessages } from "./protocols/anthropic.ts";
import { compatibleChatCompletions, openaiChatCompletions } from "./protocols/chat.ts";
import { generateContent } from "./protocols/gemini.ts";
import type { Protocol } from "./protocols/protocol.ts";
import { openaiResponses } from "./protocols/responses.ts";

/** What the demo says to every adapter. */
export interface Connection extends Pick<Endpoint, "fetch"> {
  /** Of the demo's server. */
  readonly url: string;
  readonly apiKey: string;
  readonly maxTokens: NonNullable<Adapter["maxTokens"]>;
}
/** An adapter that the demo can run with, and how its provider speaks. */
export interface Provider {
  /** Its factory, its protocol and its SDK, in a few words. */
  readonly about: string;
  readonly protocol: Protocol;
  /** Where its SDK sends requests. */
  readonly path: string;
  /** Loads the adapter with its SDK, and no other. */
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
    protocol: openaiChatCompletions,
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
    protocol: compatibleChatCompletions,
    path: "/v1/chat/completions",
    connect: async ({ url, ...options }) => {
      const { openaiCompatible } = await import("@fullstop/provider-openai-compatible");
      return openaiCompatible("vllm", "Qwen/Qwen3-Coder", { ...options, baseURL: `${url}/v1` });
    },
  },
  copilot: {
    about: "copilot(): Chat Completions, over openai",
    protocol: compatibleChatCompletions,
    path: "/chat/completions",
    connect: async ({ url: baseURL, apiKey, ...options }) => {
      const { copilot } = await import("@fullstop/provider-copilot");
      return copilot("gpt-4.1", { ...options, baseURL, token: async () => ({ token: apiKey }) });
    },
  },
};

export const providerNames = Object.keys(providers) as readonly ProviderName[];
