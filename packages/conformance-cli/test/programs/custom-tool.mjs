// A client of Responses that offers a custom tool in a namespace of `additional_tools`, as Codex
// does. With the argument "careless" it runs every call, also of a reply that did not finish.
import { writeFileSync } from "node:fs";

const careless = process.argv.includes("careless");
const custom = { type: "custom", name: "exec", description: "Run a script." };
const wait = {
  type: "function",
  name: "wait",
  parameters: { type: "object", properties: { cell: { type: "string" } }, required: ["cell"] },
};
const namespace = { type: "namespace", name: "code", description: "Code.", tools: [wait, custom] };
const input = [
  { type: "additional_tools", role: "developer", tools: [namespace] },
  { type: "message", role: "user", content: [{ type: "input_text", text: "Run it." }] },
];
for (let turn = 0; turn < 5; turn++) {
  const body = JSON.stringify({
    model: "gpt-6",
    instructions: "You run scripts.",
    input,
    store: false,
    tool_choice: "auto",
  });
  const url = `${process.env.OPENAI_BASE_URL}/responses`;
  const response = await fetch(url, { method: "POST", body });
  const { status, output } = await response.json().catch(() => process.exit(1));
  const calls = output.filter(({ type }) => type === "custom_tool_call");
  const refused = output.some(({ content }) => content?.some(({ type }) => type === "refusal"));
  const finished = status === "completed" && !refused;
  if (calls.length === 0 || (!finished && !careless)) break;
  input.push(...output);
  for (const { input: script, call_id, namespace: place } of calls) {
    if (place !== "code") process.exit(1);
    // The language of the tool: lines "name = text".
    for (const line of script.split("\n").filter((one) => one.includes(" = ")))
      writeFileSync(...line.split(" = "));
    input.push({ type: "custom_tool_call_output", call_id, output: "Ran." });
  }
}
