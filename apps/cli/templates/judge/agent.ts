// A program for the suite to judge. Put your framework in place of it. It must offer a tool that writes a file,
// begin to work without questions, and end when the model is done. The suite plays the model.
import { writeFileSync } from "node:fs";

interface Block {
  readonly type: string;
  readonly id: string;
  readonly input: { readonly path: string; readonly content: string };
}
interface Reply {
  readonly content: readonly Block[];
  readonly stop_reason: string | null;
}

const maxTokens = 1024;
const tool = {
  name: "write_file",
  description: "Write a file.",
  input_schema: {
    type: "object",
    properties: { path: { type: "string" }, content: { type: "string" } },
    required: ["path", "content"],
  },
};
const messages: unknown[] = [{ role: "user", content: "Write the file." }];

async function ask(): Promise<Reply> {
  const { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key = "" } = process.env;
  const response = await fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      "x-api-key": key,
    },
    body: JSON.stringify({
      model: "claude-sonnet-5-5",
      max_tokens: maxTokens,
      tools: [tool],
      messages,
    }),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Reply;
}

for (;;) {
  const { content, stop_reason: stopReason } = await ask();
  // Without this line, calls of a reply that was cut or filtered run. Remove it, and judge again.
  if (stopReason !== "tool_use") break;
  const calls = content.filter(({ type }) => type === "tool_use");
  for (const { input } of calls) writeFileSync(input.path, input.content);
  const results = calls.map(({ id }) => ({
    type: "tool_result",
    tool_use_id: id,
    content: "Written.",
  }));
  messages.push({ role: "assistant", content }, { role: "user", content: results });
}
