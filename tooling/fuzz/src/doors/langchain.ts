import { finishedCalls } from "@fullstop/langchain";
import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { type AIMessageChunk, HumanMessage } from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";
import { ChatGoogle } from "@langchain/google";
import { ChatOpenAI } from "@langchain/openai";
import { readGuarded } from "../guarded.ts";
import { cap, request } from "../tools.ts";
import type { Door, GivenCall, Model } from "./door.ts";

const apiKey = "none";
const shared = { apiKey, maxRetries: 0, maxTokens: cap };
const toolDefinitions = (request.tools ?? []).flatMap((tool) =>
  "inputSchema" in tool && typeof tool.inputSchema === "object"
    ? [{ name: tool.name, description: tool.description, schema: { ...tool.inputSchema } }]
    : [],
);
const prompt = [new HumanMessage("Go on.")];

interface AskedModel {
  readonly model: BaseChatModel;
}
type ModelHandler = (request: AskedModel) => Promise<AIMessageChunk>;
/** What `createAgent` calls for each request to the model. */
type Wrap = (request: object, handler: ModelHandler) => Promise<AIMessageChunk>;

function guardedChatModel(model: BaseChatModel): Model {
  const wrap = finishedCalls().wrapModelCall as unknown as Wrap;
  return {
    async ask({ whole, isGuarded }) {
      const handler: ModelHandler = (one) => readChatMessage(one.model, whole);
      const asked = { model, messages: prompt, tools: toolDefinitions, runtime: {}, state: {} };
      const reply = await (isGuarded ? wrap(asked, handler) : handler(asked));
      return (reply.tool_calls ?? []).map(
        ({ name, args, ...call }): GivenCall =>
          "isCustomTool" in call ? { name, input: args["input"] } : { name, input: args },
      );
    },
  };
}

async function readChatMessage(model: BaseChatModel, whole: boolean): Promise<AIMessageChunk> {
  const bound = model.bindTools?.(toolDefinitions);
  if (bound === undefined) throw new Error("The model takes no tools.");
  if (whole) return (await bound.invoke(prompt)) as AIMessageChunk;
  let reply: AIMessageChunk | undefined;
  for await (const chunk of await bound.stream(prompt))
    reply =
      reply === undefined ? (chunk as AIMessageChunk) : concat(reply, chunk as AIMessageChunk);
  if (reply === undefined) throw new Error("The reply was empty.");
  return reply;
}

const openAI =
  (useResponsesApi: boolean, baseURL?: string) =>
  (fetch: typeof globalThis.fetch): Model =>
    guardedChatModel(
      new ChatOpenAI({
        ...shared,
        model: "gpt-5.5",
        useResponsesApi,
        configuration: { fetch, ...(baseURL !== undefined && { baseURL }) },
      }),
    );

export const langchain: Door = {
  takes: () => true,
  read: readGuarded,
  models: {
    anthropic: {
      anthropic: (fetch) =>
        guardedChatModel(
          new ChatAnthropic({ ...shared, model: "claude-sonnet-5", clientOptions: { fetch } }),
        ),
    },
    responses: { openai: openAI(true) },
    chat: {
      openai: openAI(false),
      nim: openAI(false, "https://integrate.api.nvidia.com/v1"),
      xai: openAI(false, "https://api.x.ai/v1"),
    },
    gemini: {
      google: (fetch) =>
        guardedChatModel(
          new ChatGoogle({
            model: "gemini-3-pro",
            apiKey,
            maxRetries: 0,
            maxOutputTokens: cap,
            apiClient: { fetch: (sent: Request) => fetch(sent), hasApiKey: () => true } as never,
          }),
        ),
    },
  },
};
