// A model on your own machine: node local-model.ts ollama qwen3
// The server must support tools: `llama-server --jinja`, vLLM with `--enable-auto-tool-choice` and
// `--tool-call-parser`. Ollama and LM Studio need no option.
import { run, tool } from "@fullstop/loop";
import { openaiCompatible } from "@fullstop/provider-openai-compatible";
import { z } from "zod";

/** What each server needs. The addresses are their defaults, so they could be left out. */
const servers = {
  /** The model is the one that the server was started with: any name will do. */
  llamacpp: { baseURL: "http://localhost:8080/v1" },
  ollama: { baseURL: "http://localhost:11434/v1" },
  lmstudio: { baseURL: "http://localhost:1234/v1" },
  /**
   * It may report a cut call as finished. So calls run only if the usage is below the cap, and the
   * cap should be as large as the context allows.
   */
  vllm: { baseURL: "http://localhost:8000/v1", maxTokens: { default: 8192, ceiling: 16_384 } },
} as const;

const [server = "ollama", model = "qwen3"] = process.argv.slice(2);
if (!isKnown(server)) throw new Error(`Choose one of ${Object.keys(servers).join(", ")}.`);
function isKnown(name: string): name is keyof typeof servers {
  return Object.hasOwn(servers, name);
}

const add = tool({
  name: "add",
  description: "Add two numbers.",
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => a + b,
});
const agent = run({
  adapter: openaiCompatible(server, model, servers[server]),
  tools: [add],
  prompt: "What is 17 + 25?",
  // A small machine may read a long prompt for minutes before its first token. After this silence
  // the reply is requested again. The default is five minutes, which is also the limit of Node's fetch.
  limits: { turns: 10, idleMs: 4 * 60_000 },
});
const { status, text, summary } = await agent.outcome();
console.log(status === "done" ? text : summary);
