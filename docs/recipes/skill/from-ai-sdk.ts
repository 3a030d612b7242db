import { writeFile } from "node:fs/promises";
import { run, tool } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";
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

const outcome = await run({
  adapter: openai("gpt-5.2", { baseURL: process.env["OPENAI_BASE_URL"] }),
  tools: [write],
  prompt: "Write the file.",
  request: { maxTokens: 1024 },
  limits: { turns: 20 },
}).outcome();
console.log(outcome.status === "done" ? outcome.text : outcome.summary);
process.exitCode = outcome.status === "done" ? 0 : 1;
