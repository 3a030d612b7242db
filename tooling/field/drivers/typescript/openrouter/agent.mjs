// `callModel` of OpenRouter's agent, with its defaults and an output cap. It speaks OpenAI Responses,
// and always streams.
import { writeFile } from "node:fs/promises";
import { callModel, tool } from "@openrouter/agent";
import { OpenRouter } from "@openrouter/sdk";
import { z } from "zod";

const write = tool({
  name: "write",
  description: "Write a text file.",
  inputSchema: z.object({ path: z.string(), content: z.string() }),
  execute: async ({ path, content }) => {
    await writeFile(path, content);
    return `Wrote ${path}.`;
  },
});

// The SDK reads the address from OPENROUTER_BASE_URL, and not from OPENAI_BASE_URL.
const client = new OpenRouter({
  apiKey: process.env.OPENAI_API_KEY,
  serverURL: process.env.OPENAI_BASE_URL,
});
const result = callModel(client, {
  model: "openai/gpt-5.2",
  input: "Write the file.",
  maxOutputTokens: 1024,
  tools: [write],
});
console.log(await result.getText());
