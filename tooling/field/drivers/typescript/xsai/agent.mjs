// xsAI's generateText with several steps and an output cap; `streamed` uses streamText instead.
import { writeFile } from "node:fs/promises";
import { generateText } from "@xsai/generate-text";
import { streamText } from "@xsai/stream-text";
import { tool } from "@xsai/tool";
import { z } from "zod";

const write = await tool({
  name: "write",
  description: "Write a text file.",
  parameters: z.object({ path: z.string(), content: z.string() }),
  execute: async ({ path, content }) => {
    await writeFile(path, content);
    return `Wrote ${path}.`;
  },
});

const options = {
  apiKey: process.env.OPENAI_API_KEY,
  baseURL: process.env.OPENAI_BASE_URL,
  model: "gpt-5.2",
  max_completion_tokens: 1024,
  maxSteps: 10,
  messages: [{ role: "user", content: "Write the file." }],
  tools: [write],
};

if (process.argv.includes("streamed"))
  for await (const text of streamText(options).textStream) process.stdout.write(text);
else console.log((await generateText(options)).text);
