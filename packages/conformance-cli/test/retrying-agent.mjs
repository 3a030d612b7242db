// An agent over Anthropic Messages, streamed, without an SDK. It asks again when a reply breaks off.
// Arguments: its tool (shell, write), and what it does wrong.
import { execSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const [toolName, fault] = process.argv.slice(2);
const text = { type: "string" };
const kinds = {
  shell: { properties: { command: text }, run: ({ command }) => execSync(command) },
  write: {
    properties: { path: text, content: text },
    run: ({ path, content }) => writeFileSync(path, content),
  },
};
const { properties, run } = kinds[toolName];
const tools = [{ name: toolName, input_schema: { type: "object", properties } }];
const begin = () => [{ role: "user", content: "Do it." }];

/** A failed request throws. `isWhole` is false if the reply broke off. */
async function reply(messages) {
  const response = await fetch(`${process.env.ANTHROPIC_BASE_URL}/v1/messages`, {
    method: "POST",
    body: JSON.stringify({ model: "claude", max_tokens: 1024, stream: true, tools, messages }),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const decoder = new TextDecoder();
  let received = "";
  let isWhole = true;
  try {
    for await (const chunk of response.body) received += decoder.decode(chunk, { stream: true });
  } catch {
    isWhole = false;
  }
  const content = [];
  for (const line of received.split("\n").filter((line) => line.startsWith("data:"))) {
    const event = JSON.parse(line.slice(5));
    if (event.content_block) content[event.index] = { ...event.content_block, written: "" };
    if (event.delta?.partial_json) content[event.index].written += event.delta.partial_json;
    if (event.delta?.text) content[event.index].text += event.delta.text;
  }
  const blocks = content.map(({ written, ...block }) =>
    block.type === "tool_use" ? { ...block, input: JSON.parse(written) } : block,
  );
  return { blocks, calls: blocks.filter(({ type }) => type === "tool_use"), isWhole };
}

let messages = begin();
for (let failures = 0; failures < 4; ) {
  const next = await reply(messages).catch(() => undefined);
  if (next === undefined) {
    failures++;
    if (fault === "begins-again") messages = begin();
    continue;
  }
  const { blocks, calls, isWhole } = next;
  if (!isWhole) {
    failures++;
    if (fault === "gives-up") break;
    if (fault === "runs-broken-calls") for (const { input } of calls) run(input);
    continue;
  }
  if (calls.length === 0) break;
  const results = calls.map(({ id, input }) => {
    run(input);
    return { type: "tool_result", tool_use_id: id, content: "Done." };
  });
  messages.push({ role: "assistant", content: blocks }, { role: "user", content: results });
}
