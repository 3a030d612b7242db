import { writeFile } from "node:fs/promises";
import { run, tool } from "@fullstop/loop";
import { openai, openaiChat } from "@fullstop/provider-openai";
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

const model = process.argv[2] === "responses" ? openai : openaiChat;
const agent = run({
  adapter: model("gpt-5.2", { baseURL: process.env["OPENAI_BASE_URL"] }),
  request: { maxTokens: 1024 },
  tools: [write],
  prompt: "Write the file.",
});
for await (const text of agent.textStream) process.stdout.write(text);
