// LangChain's own agent, with its defaults and an output cap.
// `node agent.mjs responses` speaks OpenAI Responses instead of Chat Completions.
import { writeFile } from "node:fs/promises";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, tool } from "langchain";
import { z } from "zod";

const write = tool(
  async ({ path, content }) => {
    await writeFile(path, content);
    return `Wrote ${path}.`;
  },
  {
    name: "write",
    description: "Write a text file.",
    schema: z.object({ path: z.string(), content: z.string() }),
  },
);

const model = new ChatOpenAI({
  model: "gpt-5.2",
  maxTokens: 1024,
  useResponsesApi: process.argv[2] === "responses",
});
const agent = createAgent({ model, tools: [write] });
const question = { messages: [{ role: "user", content: "Write the file." }] };
for await (const [message] of await agent.stream(question, { streamMode: "messages" }))
  process.stdout.write(message.text);
