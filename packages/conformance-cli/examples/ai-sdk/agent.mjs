// The Vercel AI SDK, with an output cap and twenty steps: without `stopWhen` it ends after the first.
// `node agent.mjs anthropic` speaks Anthropic Messages instead of OpenAI Responses, `chat` Chat Completions.
import { writeFile } from "node:fs/promises";
import { createAnthropic } from "@ai-sdk/anthropic";
import { openai } from "@ai-sdk/openai";
import { isStepCount, streamText, tool } from "ai";
import { z } from "zod";

const write = tool({
  description: "Write a text file.",
  inputSchema: z.object({ path: z.string(), content: z.string() }),
  execute: async ({ path, content }) => {
    await writeFile(path, content);
    return `Wrote ${path}.`;
  },
});

const models = {
  responses: () => openai("gpt-5.2"),
  chat: () => openai.chat("gpt-5.2"),
  // It takes ANTHROPIC_BASE_URL with a version, Anthropic's own SDK without.
  anthropic: () =>
    createAnthropic({ baseURL: `${process.env.ANTHROPIC_BASE_URL}/v1` })("claude-sonnet-5-5"),
};

const result = streamText({
  model: models[process.argv[2] ?? "responses"](),
  tools: { write },
  prompt: "Write the file.",
  maxOutputTokens: 1024,
  stopWhen: isStepCount(20),
  onError: ({ error }) => console.error(error),
});
await result.consumeStream();
console.log(await result.finishReason);
