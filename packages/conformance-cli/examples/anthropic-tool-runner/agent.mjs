// The tool runner of Anthropic's SDK, without `max_iterations`, which has no default.
// `node agent.mjs whole` requests replies that do not stream.
import { writeFile } from "node:fs/promises";
import Anthropic from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { z } from "zod";

const write = betaZodTool({
  name: "write",
  description: "Write a text file.",
  inputSchema: z.object({ path: z.string(), content: z.string() }),
  run: async ({ path, content }) => {
    await writeFile(path, content);
    return `Wrote ${path}.`;
  },
});

const runner = new Anthropic().beta.messages.toolRunner({
  model: "claude-sonnet-5-5",
  max_tokens: 1024,
  stream: process.argv[2] !== "whole",
  tools: [write],
  messages: [{ role: "user", content: "Write the file." }],
});
console.log((await runner.runUntilDone()).stop_reason);
