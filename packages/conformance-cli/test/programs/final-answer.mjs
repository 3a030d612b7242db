// A client of Chat Completions that ends only when the model calls final_answer.
import { writeFileSync } from "node:fs";

const functionOf = (name, properties) => ({
  type: "function",
  function: {
    name,
    description: name,
    parameters: { type: "object", properties, required: Object.keys(properties) },
  },
});
const tools = [
  functionOf("final_answer", { answer: { type: "string" } }),
  functionOf("write", { path: { type: "string" }, content: { type: "string" } }),
];
const messages = [{ role: "user", content: "Write the file." }];
for (;;) {
  const body = JSON.stringify({ model: "gpt-5.5", messages, tools });
  const url = `${process.env.OPENAI_BASE_URL}/chat/completions`;
  const response = await fetch(url, { method: "POST", body });
  if (!response.ok) process.exit(1);
  const { finish_reason, message } = (await response.json()).choices[0];
  const calls = finish_reason === "tool_calls" ? message.tool_calls : [];
  if (calls.length === 0) {
    messages.push({ role: "user", content: "Call a tool." });
    continue;
  }
  messages.push(message);
  for (const { id, function: called } of calls) {
    const input = JSON.parse(called.arguments);
    if (called.name === "final_answer") process.exit(input.answer === "" ? 1 : 0);
    writeFileSync(input.path, input.content);
    messages.push({ role: "tool", tool_call_id: id, content: "Written." });
  }
}
