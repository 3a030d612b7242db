// OpenAI's Agents SDK, with its defaults and an output cap.
// `node agent.mjs chat` speaks Chat Completions instead of Responses.
import { writeFile } from "node:fs/promises";
import { Agent, run, setOpenAIAPI, setTracingDisabled, tool } from "@openai/agents";
import { z } from "zod";

setTracingDisabled(true);
setOpenAIAPI(process.argv[2] === "chat" ? "chat_completions" : "responses");

const write = tool({
  name: "write",
  description: "Write a text file.",
  parameters: z.object({ path: z.string(), content: z.string() }),
  execute: async ({ path, content }) => {
    await writeFile(path, content);
    return `Wrote ${path}.`;
  },
});

const agent = new Agent({
  name: "Writer",
  model: "gpt-5.2",
  modelSettings: { maxTokens: 1024 },
  tools: [write],
});
const result = await run(agent, "Write the file.", { stream: true });
await result.completed;
console.log(result.finalOutput);
