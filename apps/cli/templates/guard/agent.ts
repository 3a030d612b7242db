// An agent as many are written: it runs each call that it sees. `guard()` is the only line for it.
import Anthropic from "@anthropic-ai/sdk";
import { guard } from "@fullstop/guard";
import { startModel } from "./model.ts";

const isGuarded = !process.argv.includes("--unguarded");
const model = await startModel();
// A real model: leave out `apiKey` and `baseURL`, and set ANTHROPIC_API_KEY.
const client = new Anthropic({
  apiKey: "none",
  baseURL: model.url,
  fetch: isGuarded ? guard() : fetch,
});

const deleteFiles: Anthropic.Tool = {
  name: "delete_files",
  description: "Delete the files of a folder whose names fit a pattern.",
  input_schema: {
    type: "object",
    properties: { folder: { type: "string" }, pattern: { type: "string" } },
  },
};
const messages: Anthropic.MessageParam[] = [
  { role: "user", content: "Delete the temporary files in data." },
];

for (;;) {
  const reply = await client.messages
    .stream({ model: "claude-sonnet-5-5", max_tokens: 64, tools: [deleteFiles], messages })
    .finalMessage();
  messages.push({ role: "assistant", content: reply.content });
  const results: Anthropic.ToolResultBlockParam[] = [];
  for (const block of reply.content) {
    if (block.type === "text") console.log(block.text);
    if (block.type !== "tool_use") continue;
    console.log(`delete_files would run with ${JSON.stringify(block.input)}`);
    results.push({ type: "tool_result", tool_use_id: block.id, content: "Deleted." });
  }
  if (results.length === 0) break;
  messages.push({ role: "user", content: results });
}
await model.close();
