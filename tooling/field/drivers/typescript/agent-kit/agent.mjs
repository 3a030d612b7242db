// A network of AgentKit with one agent, with its defaults and an output cap. It never streams.
// `node agent.mjs anthropic` speaks Anthropic Messages instead of Chat Completions, `gemini` Gemini.
import { writeFile } from "node:fs/promises";
import {
  anthropic,
  createAgent,
  createNetwork,
  createTool,
  gemini,
  openai,
} from "@inngest/agent-kit";
import { z } from "zod";

const [way = "chat"] = process.argv.slice(2);

const models = {
  chat: () =>
    openai({
      model: "gpt-5.2",
      baseUrl: process.env.OPENAI_BASE_URL,
      defaultParameters: { max_completion_tokens: 1024 },
    }),
  anthropic: () =>
    anthropic({
      model: "claude-sonnet-5-5",
      baseUrl: `${process.env.ANTHROPIC_BASE_URL}/v1`,
      defaultParameters: { max_tokens: 1024 },
    }),
  gemini: () =>
    gemini({
      model: "gemini-2.5-flash",
      baseUrl: `${process.env.GOOGLE_GEMINI_BASE_URL}/v1beta`,
      defaultParameters: { generationConfig: { maxOutputTokens: 1024 } },
    }),
};

const write = createTool({
  name: "write",
  description: "Write a text file.",
  parameters: z.object({ path: z.string(), content: z.string() }),
  handler: async ({ path, content }) => {
    await writeFile(path, content);
    return `Wrote ${path}.`;
  },
});

const writer = createAgent({
  name: "writer",
  system: "Write files.",
  model: models[way](),
  tools: [write],
});
const network = createNetwork({
  name: "files",
  agents: [writer],
  maxIter: 10,
  router: ({ lastResult }) =>
    lastResult === undefined || lastResult.toolCalls.length > 0 ? writer : undefined,
});
const { state } = await network.run("Write the file.");
console.log(JSON.stringify(state.results.at(-1)?.output));
