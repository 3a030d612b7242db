// The agent of Strands, with its defaults and an output cap. It always streams.
// `node agent.mjs chat` speaks Chat Completions instead of OpenAI Responses, `anthropic` Anthropic
// Messages, `google` Gemini.
import { writeFile } from "node:fs/promises";
import { Agent, tool } from "@strands-agents/sdk";
import { AnthropicModel } from "@strands-agents/sdk/models/anthropic";
import { GoogleModel } from "@strands-agents/sdk/models/google";
import { OpenAIModel } from "@strands-agents/sdk/models/openai";
import { z } from "zod";

const write = tool({
  name: "write",
  description: "Write a text file.",
  inputSchema: z.object({ path: z.string(), content: z.string() }),
  callback: async ({ path, content }) => {
    await writeFile(path, content);
    return `Wrote ${path}.`;
  },
});

const models = {
  responses: () => new OpenAIModel({ modelId: "gpt-5.2", maxTokens: 1024 }),
  chat: () => new OpenAIModel({ api: "chat", modelId: "gpt-5.2", maxTokens: 1024 }),
  anthropic: () => new AnthropicModel({ modelId: "claude-sonnet-5-5", maxTokens: 1024 }),
  google: () => new GoogleModel({ modelId: "gemini-3-pro", params: { maxOutputTokens: 1024 } }),
};

const agent = new Agent({ model: models[process.argv[2] ?? "responses"](), tools: [write] });
const { stopReason } = await agent.invoke("Write the file.");
console.log(stopReason);
