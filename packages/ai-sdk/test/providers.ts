import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type Evidence, finishedCalls } from "@fullstop/ai-sdk";
import type { Turn } from "@fullstop/core";
import { type Answer, jsonResponse, sseBytes, sseResponse } from "@tooling/test/fake-server";
import {
  generateText,
  isStepCount,
  simulateStreamingMiddleware,
  streamText,
  wrapLanguageModel,
} from "ai";
import { world } from "./replies.ts";

export type Inner = Parameters<typeof wrapLanguageModel>[0]["model"];
type Fetch = typeof globalThis.fetch;
export type InnerMiddleware = Parameters<typeof wrapLanguageModel>[0]["middleware"];

/** Providers whose names are the program's own: no name of a vendor is among them. */
export const proxies = {
  messages: (fetch: Fetch): Inner =>
    createAnthropic({ apiKey: "key", name: "proxy", fetch })("claude-sonnet-5-5"),
  responses: (fetch: Fetch): Inner =>
    createOpenAI({ apiKey: "key", name: "proxy", fetch })("gpt-5.5"),
  chat: (fetch: Fetch): Inner =>
    createOpenAI({ apiKey: "key", name: "proxy", fetch }).chat("gpt-5.5"),
  compatible: (fetch: Fetch): Inner =>
    createOpenAICompatible({ name: "proxy", baseURL: "https://host.test/v1", fetch })("qwen"),
  gemini: (fetch: Fetch): Inner =>
    createGoogleGenerativeAI({ apiKey: "key", name: "proxy", fetch })("gemini-3-pro"),
  interactions: (fetch: Fetch): Inner =>
    createGoogleGenerativeAI({ apiKey: "key", name: "proxy", fetch }).interactions("gemini-3-pro"),
};

export type Form = "streamed" | "whole" | "simulated";

export interface Ran {
  readonly ran: readonly string[];
  readonly turns: readonly Turn[];
  readonly evidence: readonly Evidence["from"][];
  readonly error: unknown;
}

interface Asked {
  readonly form?: Form;
  /** Between the model and `finishedCalls()`. */
  readonly inner?: InnerMiddleware;
}

/** What runs of one reply behind `finishedCalls()`. */
export async function runReply(
  provider: (fetch: Fetch) => Inner,
  answer: Answer,
  { form = "streamed", inner = [] }: Asked = {},
): Promise<Ran> {
  const { fetch, ran, tools } = world([answer]);
  const turns: Turn[] = [];
  const evidence: Evidence["from"][] = [];
  const middleware = finishedCalls({
    onReply(turn, { from }) {
      turns.push(turn);
      evidence.push(from);
    },
  });
  const model = wrapLanguageModel({
    model: wrapLanguageModel({
      model: provider(fetch),
      middleware: form === "simulated" ? simulateStreamingMiddleware() : inner,
    }),
    middleware,
  });
  const asked = { model, tools, prompt: "Write.", stopWhen: isStepCount(1), maxRetries: 0 };
  let error: unknown;
  try {
    if (form === "whole") await generateText(asked);
    else
      await streamText({ ...asked, onError: () => undefined }).consumeStream({
        onError(thrown) {
          error = thrown;
        },
      });
  } catch (thrown) {
    error = thrown;
  }
  return { ran, turns, evidence, error };
}

export const stream =
  (...events: readonly (object | string)[]): Answer =>
  () =>
    sseResponse(sseBytes(events));
export const body =
  (value: object): Answer =>
  () =>
    jsonResponse(value);

export const chatCall = {
  index: 0,
  id: "call_1",
  type: "function",
  function: { name: "write", arguments: '{"path":"a"}' },
};
export const chunk = (
  delta: object,
  finish_reason: string | null = null,
  rest: object = {},
): object => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "qwen",
  choices: [{ index: 0, delta, finish_reason }],
  ...rest,
});
export const chatUsage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };
