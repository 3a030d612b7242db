// A file that is longer than one reply: node long-file.ts guide.md "Write a guide to the tides."
// If the output cap cuts the call of `write`, the part that came is kept, and the model adds the rest.
import { readFile, writeFile } from "node:fs/promises";
import { run, tool } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { z } from "zod";

const [file = "guide.md", ...words] = process.argv.slice(2);

const write = tool({
  name: "write",
  description: "Write the whole file.",
  inputSchema: z.object({ content: z.string() }),
  execute: async ({ content }) => {
    await writeFile(file, content);
    return `Wrote ${content.length} characters.`;
  },
  salvage: {
    // The part is used at once. Without `first`, the call is requested again with a larger cap, and
    // the part is used if that does not help.
    first: true,
    continueWith: ["edit"],
    input: ({ incomplete }) =>
      incomplete?.key === "content" ? { content: incomplete.text } : undefined,
  },
});

const edit = tool({
  name: "edit",
  description: "Replace a passage of the file. The passage must occur exactly once.",
  inputSchema: z.object({ passage: z.string().min(1), replacement: z.string() }),
  exclusive: true,
  execute: async ({ passage, replacement }) => {
    const parts = (await readFile(file, "utf8")).split(passage);
    if (parts.length !== 2) throw new Error(`The passage occurs ${parts.length - 1} times.`);
    await writeFile(file, parts.join(replacement));
    return "Changed the file.";
  },
});

const agent = run({
  adapter: anthropic("claude-sonnet-5-5"),
  tools: [write, edit],
  prompt: words.join(" "),
  request: { maxTokens: 4000 },
  limits: { turns: 30 },
});
for await (const event of agent) {
  if (event.type === "tool-call")
    console.log(`${event.call.name}${event.call.by === "loop" ? " (the part that came)" : ""}`);
}
const { status, summary } = await agent.outcome();
console.log(summary);
process.exitCode = status === "done" ? 0 : 1;
