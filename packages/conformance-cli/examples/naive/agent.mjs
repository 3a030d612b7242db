// An agent like many others: it runs every call that it sees. Anthropic Messages, streamed, without an SDK.
import { writeFileSync } from "node:fs";

const properties = { path: { type: "string" }, content: { type: "string" } };
const tools = [
  {
    name: "write",
    description: "Write a file.",
    input_schema: { type: "object", properties, required: ["path", "content"] },
  },
];
const headers = {
  "content-type": "application/json",
  "x-api-key": process.env.ANTHROPIC_API_KEY,
  "anthropic-version": "2023-06-01",
};
const messages = [{ role: "user", content: "Write the file." }];

/** Repairs JSON: tries other endings, and returns an empty object if none parses. */
function lenient(text) {
  for (const end of [text, `${text}"}`, `${text}}`, text.slice(0, -1), `${text.slice(0, -2)}}`]) {
    try {
      return JSON.parse(end);
    } catch {}
  }
  return {};
}

async function reply() {
  const body = JSON.stringify({
    model: "claude-sonnet-5-5",
    max_tokens: 1024,
    stream: true,
    tools,
    messages,
  });
  const response = await fetch(`${process.env.ANTHROPIC_BASE_URL}/v1/messages`, {
    method: "POST",
    headers,
    body,
  });
  const content = [];
  const text = await response.text().catch(() => "");
  for (const line of text.split("\n").filter((line) => line.startsWith("data:"))) {
    const event = lenient(line.slice(5));
    if (event.content_block) content[event.index] = { ...event.content_block, written: "" };
    if (event.delta?.partial_json) content[event.index].written += event.delta.partial_json;
    if (event.delta?.text) content[event.index].text += event.delta.text;
  }
  return content.map(({ written, ...block }) =>
    block.type === "tool_use" ? { ...block, input: lenient(written) } : block,
  );
}

for (;;) {
  const content = await reply();
  const calls = content.filter(({ type }) => type === "tool_use");
  if (calls.length === 0) break;
  for (const { input } of calls) writeFileSync(input.path ?? "unnamed", input.content ?? "");
  const results = calls.map(({ id }) => ({
    type: "tool_result",
    tool_use_id: id,
    content: "Written.",
  }));
  messages.push({ role: "assistant", content }, { role: "user", content: results });
}
