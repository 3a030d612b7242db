// The LlmAgent of Google's Agent Development Kit, with its defaults and an output cap.
// `node agent.mjs streamed` requests replies that stream, which is not the default.
import { writeFile } from "node:fs/promises";
import { FunctionTool, InMemoryRunner, LlmAgent, StreamingMode } from "@google/adk";
import { z } from "zod";

const write = new FunctionTool({
  name: "write",
  description: "Write a text file.",
  parameters: z.object({ path: z.string(), content: z.string() }),
  execute: async ({ path, content }) => {
    await writeFile(path, content);
    return { status: "success", report: `Wrote ${path}.` };
  },
});

const agent = new LlmAgent({
  name: "writer",
  model: "gemini-3-pro",
  instruction: "Write files.",
  tools: [write],
  generateContentConfig: { maxOutputTokens: 1024 },
});

const run = new InMemoryRunner({ agent }).runEphemeral({
  userId: "user",
  newMessage: { role: "user", parts: [{ text: "Write the file." }] },
  ...(process.argv[2] === "streamed" && { runConfig: { streamingMode: StreamingMode.SSE } }),
});
for await (const { content, errorCode, errorMessage } of run) {
  for (const { text } of content?.parts ?? []) process.stdout.write(text ?? "");
  if (errorCode) console.error(errorCode, errorMessage);
}
