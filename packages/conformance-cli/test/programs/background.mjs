// A client of Messages that starts another conversation after its answer: the same history with
// other instructions and fewer tools. It runs all calls there.
import { writeFileSync } from "node:fs";

const toolOf = (name, properties) => ({
  name,
  description: name,
  input_schema: { type: "object", properties, required: Object.keys(properties) },
});
const write = toolOf("write", { path: { type: "string" }, content: { type: "string" } });
const read = toolOf("read", { path: { type: "string" } });
const messages = [{ role: "user", content: "Write the file." }];

async function ask(system, tools) {
  const body = JSON.stringify({ model: "claude", max_tokens: 1024, system, tools, messages });
  const url = `${process.env.ANTHROPIC_BASE_URL}/v1/messages`;
  const response = await fetch(url, { method: "POST", body });
  const { stop_reason, content } = await response.json().catch(() => process.exit(1));
  messages.push({ role: "assistant", content });
  return { stop_reason, calls: content.filter(({ type }) => type === "tool_use") };
}
function runCalls(calls) {
  for (const { input } of calls) writeFileSync(input.path, input.content);
  const content = calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "Ok." }));
  messages.push({ role: "user", content });
}

for (let turn = 0; ; turn++) {
  // The date is another one in each request, as a clock in it would be.
  const system = `You are a coding agent that writes the files which its user asks for.\nNow: ${turn}`;
  const { stop_reason, calls } = await ask(system, [read, write]);
  if (stop_reason !== "tool_use") break;
  runCalls(calls);
}
if (messages.at(-1).content.some(({ type }) => type === "tool_use")) messages.pop();
else messages.push({ role: "user", content: "Extract memories." });
for (let turn = 0; turn < 3; turn++) {
  const { calls } = await ask("You are the memory of another agent.", [write]);
  if (calls.length === 0) break;
  runCalls(calls);
}
