// AI SDK as in `examples/ai-sdk`, with the middleware `finishedCalls()`, or with an adapter of
// Fullstop as its model: `node agent.mjs responses adapter`.
import { writeFile } from "node:fs/promises";
import { createAnthropic } from "@ai-sdk/anthropic";
import { openai } from "@ai-sdk/openai";
import { finishedCalls, languageModel } from "@fullstop/ai-sdk";
import { anthropic as anthropicAdapter } from "@fullstop/provider-anthropic";
import { openai as openaiAdapter, openaiChat } from "@fullstop/provider-openai";
import { isStepCount, streamText, tool, wrapLanguageModel } from "ai";
import { z } from "zod";

const write = tool({
  description: "Write a text file.",
  inputSchema: z.object({ path: z.string(), content: z.string() }),
  execute: async ({ path, content }) => {
    await writeFile(path, content);
    return `Wrote ${path}.`;
  },
});

const { ANTHROPIC_BASE_URL, OPENAI_BASE_URL } = process.env;
const models = {
  responses: () => openai("gpt-5.2"),
  chat: () => openai.chat("gpt-5.2"),
  anthropic: () => createAnthropic({ baseURL: `${ANTHROPIC_BASE_URL}/v1` })("claude-sonnet-5-5"),
};
const adapters = {
  responses: () => openaiAdapter("gpt-5.2", { baseURL: OPENAI_BASE_URL }),
  chat: () => openaiChat("gpt-5.2", { baseURL: OPENAI_BASE_URL }),
  anthropic: () => anthropicAdapter("claude-sonnet-5-5", { baseURL: ANTHROPIC_BASE_URL }),
};

const [protocol = "responses", way] = process.argv.slice(2);
const model =
  way === "adapter"
    ? languageModel(adapters[protocol]())
    : wrapLanguageModel({ model: models[protocol](), middleware: finishedCalls() });
const result = streamText({
  model,
  tools: { write },
  prompt: "Write the file.",
  maxOutputTokens: 1024,
  stopWhen: isStepCount(20),
  onError: ({ error }) => console.error(error),
});
await result.consumeStream();
console.log(await result.finishReason);
