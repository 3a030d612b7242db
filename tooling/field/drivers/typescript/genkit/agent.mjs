// Genkit's generate, with its defaults (five turns at most) and an output cap.
// `node agent.mjs google` speaks Gemini instead of Chat Completions, `anthropic` Anthropic Messages;
// `whole` behind each requests replies that do not stream.
import { writeFile } from "node:fs/promises";
import { anthropic } from "@genkit-ai/anthropic";
import { openAI } from "@genkit-ai/compat-oai/openai";
import { googleAI } from "@genkit-ai/google-genai";
import { genkit, z } from "genkit";

const [way = "chat", form] = process.argv.slice(2);

const models = {
  chat: () => ({
    plugin: openAI(),
    model: openAI.model("gpt-5.2"),
    config: { max_completion_tokens: 1024 },
  }),
  google: () => ({
    // The plugin does not read GOOGLE_GEMINI_BASE_URL.
    plugin: googleAI({ baseUrl: process.env.GOOGLE_GEMINI_BASE_URL }),
    model: googleAI.model("gemini-3-pro"),
    config: { maxOutputTokens: 1024 },
  }),
  anthropic: () => ({
    plugin: anthropic(),
    model: anthropic.model("claude-sonnet-5-5"),
    config: { maxOutputTokens: 1024 },
  }),
};

const { plugin, model, config } = models[way]();
const ai = genkit({ plugins: [plugin] });
const write = ai.defineTool(
  {
    name: "write",
    description: "Write a text file.",
    inputSchema: z.object({ path: z.string(), content: z.string() }),
    outputSchema: z.string(),
  },
  async ({ path, content }) => {
    await writeFile(path, content);
    return `Wrote ${path}.`;
  },
);

const request = { model, config, prompt: "Write the file.", tools: [write] };
if (form === "whole") console.log((await ai.generate(request)).text);
else {
  const { stream, response } = ai.generateStream(request);
  for await (const { text } of stream) process.stdout.write(text);
  await response;
}
