// VoltAgent's agent, with its defaults (five steps at most) and an output cap.
// `node agent.mjs chat` speaks Chat Completions instead of OpenAI Responses, `anthropic` Anthropic
// Messages, `gemini` Gemini; `streamed` behind each uses streamText instead of generateText.
import { writeFile } from "node:fs/promises";
import { anthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { openai } from "@ai-sdk/openai";
import { Agent, createTool } from "@voltagent/core";
import { z } from "zod";

const [way = "responses", form] = process.argv.slice(2);

const models = {
  responses: () => openai("gpt-5.2"),
  chat: () => openai.chat("gpt-5.2"),
  anthropic: () => anthropic("claude-sonnet-5-5"),
  gemini: () =>
    // The provider does not read these variables.
    createGoogleGenerativeAI({
      apiKey: process.env.GEMINI_API_KEY,
      baseURL: `${process.env.GOOGLE_GEMINI_BASE_URL}/v1beta`,
    })("gemini-3-pro"),
};

const write = createTool({
  name: "write",
  description: "Write a text file.",
  parameters: z.object({ path: z.string(), content: z.string() }),
  execute: async ({ path, content }) => {
    await writeFile(path, content);
    return `Wrote ${path}.`;
  },
});

const agent = new Agent({
  name: "writer",
  instructions: "Write files.",
  model: models[way](),
  tools: [write],
});
const options = { maxOutputTokens: 1024 };

if (form === "streamed") {
  const { textStream } = await agent.streamText("Write the file.", options);
  for await (const text of textStream) process.stdout.write(text);
} else console.log((await agent.generateText("Write the file.", options)).text);
process.exit();
