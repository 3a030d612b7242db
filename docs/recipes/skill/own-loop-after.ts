import { writeFile } from "node:fs/promises";
import { guard } from "@fullstop/guard";
import OpenAI from "openai";

const client = new OpenAI({ fetch: guard() });
const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: "function",
    function: {
      name: "write",
      description: "Write a text file.",
      parameters: {
        type: "object",
        properties: { path: { type: "string" }, content: { type: "string" } },
        required: ["path", "content"],
      },
    },
  },
];
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: "user", content: process.argv[2] ?? "Write the file." },
];
for (;;) {
  const { choices } = await client.chat.completions.create({ model: "gpt-5.5", messages, tools });
  const [{ message } = { message: undefined }] = choices;
  if (message === undefined) break;
  messages.push(message);
  if (message.tool_calls === undefined) {
    console.log(message.content);
    break;
  }
  for (const call of message.tool_calls) {
    if (call.type !== "function") continue;
    const { path, content } = JSON.parse(call.function.arguments);
    await writeFile(path, content);
    messages.push({ role: "tool", tool_call_id: call.id, content: `Wrote ${path}.` });
  }
}
