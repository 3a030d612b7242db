// An agent on @fullstop/loop with one tool. `node agent.ts openai` speaks another protocol.
import { writeFile } from "node:fs/promises";
import { type Adapter, run, tool } from "@fullstop/loop";
import { z } from "zod";

const write = tool({
  name: "write",
  description: "Write a text file.",
  inputSchema: z.object({ path: z.string(), content: z.string() }),
  execute: async ({ path, content }) => {
    await writeFile(path, content);
    return `Wrote ${path}.`;
  },
});

const { ANTHROPIC_BASE_URL, OPENAI_BASE_URL, GOOGLE_GEMINI_BASE_URL, GEMINI_API_KEY } = process.env;
const adapters: Readonly<Record<string, () => Promise<Adapter>>> = {
  anthropic: async () =>
    (await import("@fullstop/provider-anthropic")).anthropic("claude-sonnet-5-5", {
      baseURL: ANTHROPIC_BASE_URL,
    }),
  openai: async () =>
    (await import("@fullstop/provider-openai")).openai("gpt-5.2", { baseURL: OPENAI_BASE_URL }),
  "openai-chat": async () =>
    (await import("@fullstop/provider-openai")).openaiChat("gpt-5.2", { baseURL: OPENAI_BASE_URL }),
  google: async () =>
    (await import("@fullstop/provider-google")).google("gemini-3-pro", {
      baseURL: GOOGLE_GEMINI_BASE_URL,
      apiKey: GEMINI_API_KEY,
    }),
};

const [name = "anthropic"] = process.argv.slice(2);
const adapter = await adapters[name]?.();
if (adapter === undefined)
  throw new Error(`Unknown adapter "${name}". Choose one of ${Object.keys(adapters).join(", ")}.`);
const outcome = await run({
  adapter,
  tools: [write],
  prompt: "Write the file.",
  request: { maxTokens: 1024 },
}).outcome();
console.log(outcome.summary);
process.exitCode = outcome.status === "done" ? 0 : 1;
