// LangChain as in `examples/langchain`, with the middleware `finishedCalls()`.
import { writeFile } from "node:fs/promises";
import { finishedCalls } from "@fullstop/langchain";
import { ChatAnthropic } from "@langchain/anthropic";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
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

const { ANTHROPIC_BASE_URL, GOOGLE_GEMINI_BASE_URL } = process.env;
const models = {
  chat: () => new ChatOpenAI({ model: "gpt-5.2", maxTokens: 1024 }),
  responses: () => new ChatOpenAI({ model: "gpt-5.2", maxTokens: 1024, useResponsesApi: true }),
  anthropic: () =>
    new ChatAnthropic({
      model: "claude-sonnet-4-5",
      maxTokens: 1024,
      anthropicApiUrl: ANTHROPIC_BASE_URL,
    }),
  google: () =>
    new ChatGoogleGenerativeAI({
      model: "gemini-2.5-flash",
      maxOutputTokens: 1024,
      baseUrl: GOOGLE_GEMINI_BASE_URL,
    }),
};

const [protocol = "chat"] = process.argv.slice(2);
const agent = createAgent({
  model: models[protocol](),
  tools: [write],
  // The server stands for OpenAI, which never leaves the stop reason out.
  middleware: [finishedCalls({ host: () => ({ doneEnds: false }) })],
});
const question = { messages: [{ role: "user", content: "Write the file." }] };
for await (const [message] of await agent.stream(question, { streamMode: "messages" }))
  process.stdout.write(message.text);
