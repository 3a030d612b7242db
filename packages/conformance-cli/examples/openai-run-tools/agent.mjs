// The tool runner of OpenAI's SDK, with its defaults and an output cap.
// `node agent.mjs whole` requests replies that do not stream.
import { writeFile } from "node:fs/promises";
import OpenAI from "openai";

const write = {
  name: "write",
  description: "Write a text file.",
  parameters: {
    type: "object",
    properties: { path: { type: "string" }, content: { type: "string" } },
    required: ["path", "content"],
  },
  parse: JSON.parse,
  function: async ({ path, content }) => {
    await writeFile(path, content);
    return `Wrote ${path}.`;
  },
};

const runner = new OpenAI().chat.completions.runTools({
  model: "gpt-5.2",
  max_completion_tokens: 1024,
  stream: process.argv[2] !== "whole",
  tools: [{ type: "function", function: write }],
  messages: [{ role: "user", content: "Write the file." }],
});
console.log(await runner.finalContent());
