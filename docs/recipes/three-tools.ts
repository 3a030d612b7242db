// A report from a library: three tools and a stop condition. node three-tools.ts "Tidal power"
import { readFile, writeFile } from "node:fs/promises";
import { hasToolCall, run, tool } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";
import { z } from "zod";

const search = tool({
  name: "search",
  description: "Search the library. Returns the names of texts.",
  inputSchema: z.object({ words: z.string() }),
  execute: async ({ words }) => [`${words.toLowerCase().replaceAll(" ", "-")}.txt`],
});
const open = tool({
  name: "open",
  description: "Read a text of the library.",
  inputSchema: z.object({ name: z.string().regex(/^[\w-]+\.txt$/) }),
  execute: async ({ name }) => readFile(name, "utf8"),
});
const publish = tool({
  name: "publish",
  description: "Publish the finished report.",
  inputSchema: z.object({ title: z.string(), body: z.string() }),
  execute: async ({ title, body }) => {
    await writeFile("report.md", `# ${title}\n\n${body}\n`);
    return "Published.";
  },
});

const outcome = await run({
  adapter: openai("gpt-5.5"),
  system: "You write short reports from the texts of a library.",
  tools: [search, open, publish],
  prompt: process.argv.slice(2).join(" "),
  stopWhen: hasToolCall("publish"),
}).outcome();
console.log(`${outcome.status} in ${outcome.turns} turns: ${outcome.summary}`);
