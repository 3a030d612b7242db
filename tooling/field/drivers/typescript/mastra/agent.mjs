// Mastra's agent, with its defaults (its model router, five steps at most) and an output cap.
// `node agent.mjs anthropic` speaks Anthropic Messages instead of OpenAI Responses;
// `whole` behind each requests replies that do not stream.
import { writeFile } from "node:fs/promises";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";

process.env.MASTRA_TELEMETRY_DISABLED = "1";
const [way = "responses", form] = process.argv.slice(2);

const write = createTool({
  id: "write",
  description: "Write a text file.",
  inputSchema: z.object({ path: z.string(), content: z.string() }),
  execute: async ({ path, content }) => {
    await writeFile(path, content);
    return `Wrote ${path}.`;
  },
});

const models = {
  responses: "openai/gpt-5.2",
  anthropic: "anthropic/claude-sonnet-5-5",
};

const agent = new Agent({
  id: "writer",
  name: "Writer",
  instructions: "Write files.",
  model: models[way],
  tools: { write },
});
const options = { modelSettings: { maxOutputTokens: 1024 } };

if (form === "whole") console.log((await agent.generate("Write the file.", options)).text);
else {
  const { textStream } = await agent.stream("Write the file.", options);
  for await (const text of textStream) process.stdout.write(text);
}
