// The agent of LlamaIndex.TS, with its defaults and an output cap. It always streams.
// `node agent.mjs responses` speaks OpenAI Responses instead of Chat Completions, `anthropic` Anthropic
// Messages, `gemini` Gemini.
import { writeFile } from "node:fs/promises";
import { anthropic } from "@llamaindex/anthropic";
import { gemini } from "@llamaindex/google";
import { openai, openaiResponses } from "@llamaindex/openai";
import { agent, agentStreamEvent } from "@llamaindex/workflow";
import { tool } from "llamaindex";
import { z } from "zod";

const write = tool({
  name: "write",
  description: "Write a text file.",
  parameters: z.object({ path: z.string(), content: z.string() }),
  execute: async ({ path, content }) => {
    await writeFile(path, content);
    return `Wrote ${path}.`;
  },
});

const models = {
  chat: () => openai({ model: "gpt-5.2", maxTokens: 1024 }),
  responses: () => openaiResponses({ model: "gpt-5.2", maxOutputTokens: 1024 }),
  anthropic: () => anthropic({ model: "claude-sonnet-4-5", maxTokens: 1024 }),
  gemini: () => gemini({ model: "gemini-2.5-pro", maxTokens: 1024 }),
};

const writer = agent({ tools: [write], llm: models[process.argv[2] ?? "chat"]() });
for await (const event of writer.runStream("Write the file."))
  if (agentStreamEvent.include(event)) process.stdout.write(event.data.delta);
