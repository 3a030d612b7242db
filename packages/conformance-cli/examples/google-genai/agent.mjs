// Automatic function calling of Google's Gen AI SDK, with its defaults and an output cap.
// `node agent.mjs whole` requests replies that do not stream.
import { writeFile } from "node:fs/promises";
import { GoogleGenAI } from "@google/genai";

const declaration = {
  name: "write",
  description: "Write a text file.",
  parametersJsonSchema: {
    type: "object",
    properties: { path: { type: "string" }, content: { type: "string" } },
    required: ["path", "content"],
  },
};
const answer = async ({ id, name, args: { path, content } }) => {
  await writeFile(path, content);
  return { functionResponse: { id, name, response: { output: `Wrote ${path}.` } } };
};
const files = {
  tool: async () => ({ functionDeclarations: [declaration] }),
  callTool: (calls) => Promise.all(calls.map(answer)),
};

const { models } = new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY });
const request = {
  model: "gemini-3-pro",
  contents: "Write the file.",
  config: { tools: [files], maxOutputTokens: 1024 },
};
if (process.argv[2] === "whole") console.log((await models.generateContent(request)).text);
else
  for await (const { text } of await models.generateContentStream(request))
    process.stdout.write(text ?? "");
