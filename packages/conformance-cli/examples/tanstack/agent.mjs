// TanStack AI, with its defaults (five turns at most) and an output cap.
// `node agent.mjs chat` speaks Chat Completions instead of OpenAI Responses, `anthropic` Anthropic Messages.
import { writeFile } from "node:fs/promises";
import { chat, toolDefinition } from "@tanstack/ai";
import { anthropicText } from "@tanstack/ai-anthropic";
import { openaiChatCompletions, openaiText } from "@tanstack/ai-openai";
import { z } from "zod";

const write = toolDefinition({
  name: "write",
  description: "Write a text file.",
  inputSchema: z.object({ path: z.string(), content: z.string() }),
}).server(async ({ path, content }) => {
  await writeFile(path, content);
  return `Wrote ${path}.`;
});

const models = {
  responses: () => ({ adapter: openaiText("gpt-5.2"), modelOptions: { max_output_tokens: 1024 } }),
  chat: () => ({
    adapter: openaiChatCompletions("gpt-5.2"),
    modelOptions: { max_completion_tokens: 1024 },
  }),
  anthropic: () => ({
    adapter: anthropicText("claude-sonnet-5"),
    modelOptions: { max_tokens: 1024 },
  }),
};

const messages = [{ role: "user", content: "Write the file." }];
for await (const event of chat({
  ...models[process.argv[2] ?? "responses"](),
  messages,
  tools: [write],
})) {
  if (event.type === "TEXT_MESSAGE_CONTENT") process.stdout.write(event.delta);
  if (event.type === "RUN_ERROR") console.error(event);
}
