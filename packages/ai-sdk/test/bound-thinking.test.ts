import { createAnthropic } from "@ai-sdk/anthropic";
import { finishedCalls, languageModel } from "@fullstop/ai-sdk";
import { anthropic } from "@fullstop/provider-anthropic";
import { type Ask, askAll, laterRuns, ways } from "@tooling/test/prefix-cells";
import {
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  streamText,
  wrapLanguageModel,
} from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { world } from "./replies.ts";

/** Thinking without its signature is left out, and AI SDK says so each time. */
const setWarnings = (isOn: boolean): void =>
  void Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: isOn });
beforeAll(() => setWarnings(false));
afterAll(() => setWarnings(true));

const modelName = "claude-sonnet-5-5";
const doors: Readonly<Record<string, (baseURL: string, stream: boolean) => LanguageModel>> = {
  finishedCalls: (baseURL) =>
    wrapLanguageModel({
      model: createAnthropic({ apiKey: "key", baseURL: `${baseURL}/v1` })(modelName),
      middleware: finishedCalls(),
    }),
  "languageModel(adapter)": (baseURL, stream) =>
    languageModel(anthropic(modelName, { apiKey: "key", baseURL, stream })),
};

/** A conversation of AI SDK: each question continues with the messages of its answers. */
function createConversation(modelAt: (baseURL: string) => LanguageModel, stream: boolean) {
  const { ran, tools } = world([]);
  let messages: ModelMessage[] = [];
  const ask: Ask = async (url, question) => {
    const asked: ModelMessage[] = [...messages, { role: "user", content: question }];
    const options = {
      model: modelAt(url),
      messages: asked,
      tools,
      stopWhen: isStepCount(4),
      maxRetries: 0,
      maxOutputTokens: 1024,
    };
    try {
      const { responseMessages } = stream ? await streamed(options) : await generateText(options);
      messages = [...asked, ...responseMessages];
    } catch {
      // The reply broke off: the same question is asked again.
    }
  };
  return { ran, ask };
}

async function streamed(options: Parameters<typeof streamText>[0]) {
  const result = streamText({ ...options, onError: () => undefined });
  await result.consumeStream();
  return { responseMessages: await result.responseMessages };
}

describe.each(Object.entries(doors))("%s", (_, modelAt) => {
  test.each(ways)("no request is refused behind a reply: $name", async ({ stream, cell }) => {
    const { ran, ask } = createConversation((url) => modelAt(url, stream), stream);
    expect(await askAll(cell, ask)).toEqual([]);
    expect(ran).toEqual([...cell.runs, ...laterRuns]);
  });
});
