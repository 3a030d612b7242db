import type { LoopSubject, Wire } from "@fullstop/conformance";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { ChatAnthropic } from "@langchain/anthropic";
import type {
  BaseChatModel,
  BaseChatModelParams,
} from "@langchain/core/language_models/chat_models";
import { ChatGoogle } from "@langchain/google";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { ChatOpenAI, type ChatOpenAIFields } from "@langchain/openai";
import { isFull } from "@tooling/test/full";
import { type AgentMiddleware, createAgent, tool } from "langchain";

/** Options that each model has. */
type SharedOptions = Pick<BaseChatModelParams, "cache" | "maxRetries">;

/** One model of LangChain, and the wire of the server that it talks to. */
export interface Speaker {
  readonly wire: Wire;
  readonly model: (baseURL: string, options?: SharedOptions) => BaseChatModel;
  readonly notClaimed?: LoopSubject["notClaimed"];
}

const apiKey = "key";
// It waits a second before the first retry.
const maxRetries = isFull ? 1 : 0;
const openAI = (baseURL: string, fields: ChatOpenAIFields): ChatOpenAI =>
  new ChatOpenAI({
    model: "gpt-5.2",
    apiKey,
    maxRetries,
    maxTokens: 1024,
    configuration: { baseURL },
    ...fields,
  });

const manyMessages = "`@langchain/google-genai` sends each result in a message of its own";

type SpeakerName = "claude" | "chat" | "responses" | "gemini" | "google";
export const speakers: Readonly<Record<SpeakerName, Speaker>> = {
  claude: {
    wire: anthropicWire,
    model: (baseURL, options) =>
      new ChatAnthropic({
        model: "claude-sonnet-4-5",
        apiKey,
        maxRetries,
        maxTokens: 1024,
        anthropicApiUrl: baseURL,
        ...options,
      }),
  },
  chat: {
    wire: openaiChatWire,
    model: (baseURL, options) => openAI(baseURL, { ...options, useResponsesApi: false }),
  },
  responses: {
    wire: openaiResponsesWire,
    model: (baseURL, options) => openAI(baseURL, { ...options, useResponsesApi: true }),
  },
  gemini: {
    wire: geminiWire,
    notClaimed: { "request.valid": manyMessages, "request.every-host": manyMessages },
    model: (baseURL, options) =>
      new ChatGoogleGenerativeAI({
        model: "gemini-2.5-flash",
        apiKey,
        maxRetries,
        maxOutputTokens: 1024,
        baseUrl: baseURL,
        ...options,
      }),
  },
  google: {
    wire: geminiWire,
    model: (baseURL, options) =>
      new ChatGoogle({
        model: "gemini-2.5-flash",
        maxRetries,
        maxOutputTokens: 1024,
        apiKey,
        endpoint: baseURL,
        ...options,
      }),
  },
};

/** LangChain's agent with a model. `streamed`: `stream` instead of `invoke`. */
export const langchainLoop = (
  { wire, model, notClaimed }: Speaker,
  isStreamed: boolean,
  middleware: readonly AgentMiddleware[],
): LoopSubject => ({
  name: `${wire.name}, ${isStreamed ? "streamed" : "whole"}`,
  wire,
  notClaimed: {
    ...notClaimed,
    "recovery.leaked": "the middleware gives out calls, and takes no text for one",
  },
  async loop({ endpoint, tools, prompt, signal }) {
    const agent = createAgent({
      model: model(endpoint.baseURL ?? ""),
      tools: tools.map(({ name, description, inputSchema, execute }) =>
        tool(execute, { name, description, schema: inputSchema }),
      ),
      middleware,
    });
    const question = { messages: [{ role: "user", content: prompt }] };
    if (!isStreamed) return agent.invoke(question, { signal });
    for await (const _ of await agent.stream(question, { signal, streamMode: "messages" }));
    return undefined;
  },
});
