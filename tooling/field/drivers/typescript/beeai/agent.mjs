// BeeAI's requirement agent, with its defaults and an output cap. It ends with a tool of its own.
// `node agent.mjs anthropic` speaks Anthropic Messages instead of Chat Completions; `streamed` behind
// each requests streams.
import { writeFile } from "node:fs/promises";
import { AnthropicChatModel } from "beeai-framework/adapters/anthropic/backend/chat";
import { OpenAIChatModel } from "beeai-framework/adapters/openai/backend/chat";
import { RequirementAgent } from "beeai-framework/agents/requirement/agent";
import { DynamicTool, StringToolOutput } from "beeai-framework/tools/base";
import { z } from "zod";

const [way = "chat", form] = process.argv.slice(2);
const parameters = { maxTokens: 1024, stream: form === "streamed" };

const models = {
  chat: () => new OpenAIChatModel("gpt-5.2", parameters, { baseURL: process.env.OPENAI_BASE_URL }),
  anthropic: () =>
    new AnthropicChatModel("claude-sonnet-5-5", parameters, {
      baseURL: `${process.env.ANTHROPIC_BASE_URL}/v1`,
    }),
};

const write = new DynamicTool({
  name: "write",
  description: "Write a text file.",
  inputSchema: z.object({ path: z.string(), content: z.string() }),
  handler: async ({ path, content }) => {
    await writeFile(path, content);
    return new StringToolOutput(`Wrote ${path}.`);
  },
});

const agent = new RequirementAgent({ llm: models[way](), tools: [write] });
const { result } = await agent.run({ prompt: "Write the file." });
console.log(result.text);
