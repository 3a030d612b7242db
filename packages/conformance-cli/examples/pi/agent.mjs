// pi's agent core, with its defaults: the output cap is that of its table of models.
// `node agent.mjs anthropic` speaks Anthropic Messages instead of OpenAI Responses.
// 0.87.1 is the newest release of which npm finds all dependencies: of 1.x, @earendil-works/pi-telemetry is missing.
import { writeFile } from "node:fs/promises";
import { Agent } from "@earendil-works/pi-agent-core";
import { createModels } from "@earendil-works/pi-ai";
import { anthropicProvider } from "@earendil-works/pi-ai/providers/anthropic";
import { openaiProvider } from "@earendil-works/pi-ai/providers/openai";
import { Type } from "typebox";

const write = {
  name: "write",
  label: "Write",
  description: "Write a text file.",
  parameters: Type.Object({ path: Type.String(), content: Type.String() }),
  execute: async (_id, { path, content }) => {
    await writeFile(path, content);
    return { content: [{ type: "text", text: `Wrote ${path}.` }], details: {} };
  },
};

const { ANTHROPIC_BASE_URL, OPENAI_BASE_URL } = process.env;
const chosen = {
  openai: { provider: openaiProvider, name: "gpt-5.2", baseUrl: OPENAI_BASE_URL },
  anthropic: {
    provider: anthropicProvider,
    name: "claude-sonnet-4-6",
    baseUrl: ANTHROPIC_BASE_URL,
  },
};
const id = process.argv[2] ?? "openai";
const { provider, name, baseUrl } = chosen[id];
const models = createModels();
models.setProvider(provider());
const agent = new Agent({
  initialState: {
    systemPrompt: "You are a helpful assistant.",
    model: { ...models.getModel(id, name), baseUrl },
    tools: [write],
  },
  streamFn: models.streamSimple.bind(models),
});
await agent.prompt("Write the file.");
console.log(agent.state.errorMessage ?? agent.state.messages.at(-1));
