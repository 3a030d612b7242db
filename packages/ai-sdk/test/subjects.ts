import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import type { LoopContext, LoopSubject, Wire } from "@fullstop/conformance";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { fieldsOf } from "@fullstop/core/adapter";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { isFull } from "@tooling/test/full";
import {
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  streamText,
  type ToolSet,
  tool,
} from "ai";
// @boundaries-ignore the wire of a protocol that only its provider's tests have
import { wire as bedrockWire } from "../../provider-bedrock/test/wire.ts";
// @boundaries-ignore the hosts of the dialects, from the server's side
import { rows } from "../../provider-openai-compatible/test/rows.ts";
// @boundaries-ignore the same
import { wireOf } from "../../provider-openai-compatible/test/wire.ts";

type Endpoint = LoopContext["endpoint"];
/** The parameters of `generateText` that choose a model. */
export type Model = Exclude<LanguageModel, string>;

/** One provider of AI SDK, and the wire of the server that it talks to. */
export interface Speaker {
  readonly wire: Wire;
  readonly model: (endpoint: Endpoint) => Model;
}

const withVersion = (
  { baseURL, fetch }: Endpoint,
  path: string,
): { baseURL: string; fetch: typeof globalThis.fetch } => ({
  baseURL: `${baseURL}${path}`,
  fetch: fetch ?? globalThis.fetch,
});

const listIn = (value: unknown, name: string): readonly unknown[] => {
  const list = fieldsOf(value)[name];
  return Array.isArray(list) ? list : [];
};

/** Its requests say in their path whether they ask for a stream. */
const bedrockAgent: NonNullable<Wire["agent"]> = {
  route: /^\/model\//,
  env: () => ({}),
  streams: ({ path }) => path.endsWith("converse-stream"),
  tools: () => [],
  results: (body) =>
    listIn(body, "messages").flatMap((message) =>
      listIn(message, "content").flatMap((block) => {
        const result = fieldsOf(fieldsOf(block)["toolResult"]);
        const text = listIn(result, "content").map((part) => String(fieldsOf(part)["text"]));
        return Object.keys(result).length === 0
          ? []
          : [{ call: String(result["toolUseId"]), text: text.join("") }];
      }),
    ),
};

export const speakers: Readonly<Record<string, Speaker>> = {
  anthropic: {
    wire: anthropicWire,
    model: (endpoint) =>
      createAnthropic({ apiKey: "key", ...withVersion(endpoint, "/v1") })("claude-sonnet-5-5"),
  },
  responses: {
    wire: openaiResponsesWire,
    model: (endpoint) => createOpenAI({ apiKey: "key", ...withVersion(endpoint, "") })("gpt-5.2"),
  },
  chat: {
    wire: openaiChatWire,
    model: (endpoint) =>
      createOpenAI({ apiKey: "key", ...withVersion(endpoint, "") }).chat("gpt-5.2"),
  },
  gemini: {
    wire: geminiWire,
    model: (endpoint) =>
      createGoogleGenerativeAI({ apiKey: "key", ...withVersion(endpoint, "/v1beta") })(
        "gemini-3-pro",
      ),
  },
  bedrock: {
    wire: { ...bedrockWire, agent: bedrockAgent },
    model: (endpoint) =>
      createAmazonBedrock({
        region: "eu-central-1",
        accessKeyId: "AKIDEXAMPLE",
        secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
        ...withVersion(endpoint, ""),
      })("eu.anthropic.claude-sonnet-4-5-20250929-v1:0"),
  },
  openrouter: {
    wire: wireOf("openrouter", rows.openrouter),
    model: (endpoint) =>
      createOpenRouter({ apiKey: "key", ...withVersion(endpoint, "") }).chat("openai/gpt-5.2"),
  },
};

/** AI SDK's loop with a model. `streamed`: `streamText` instead of `generateText`. */
export const aiSdkLoop = (
  { wire, model }: Speaker,
  isStreamed: boolean,
  wrap: (model: Model) => Model = (inner) => inner,
): LoopSubject => ({
  name: `${wire.name}, ${isStreamed ? "streamed" : "whole"}`,
  wire,
  notClaimed: {
    "recovery.leaked": "the middleware gives out calls, and takes no text for one",
  },
  async loop({ endpoint, tools, prompt, signal }) {
    const options = {
      model: wrap(model(endpoint)),
      tools: Object.fromEntries(
        tools.map(({ name, description, inputSchema, execute }) => [
          name,
          tool({ description, inputSchema: jsonSchema(inputSchema), execute }),
        ]),
      ) as ToolSet,
      prompt,
      maxOutputTokens: 1024,
      stopWhen: isStepCount(20),
      abortSignal: signal,
      // It waits two seconds before the first retry.
      maxRetries: isFull ? 1 : 0,
    };
    if (!isStreamed) return generateText(options);
    const result = streamText({ ...options, onError: () => undefined });
    await result.consumeStream();
    return result.finishReason;
  },
});
