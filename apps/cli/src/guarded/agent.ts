import { appendFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { messageOf } from "../files.ts";

/** How a run of the agent ended. */
export interface AgentEnd {
  /** The last text of the model, or the error. */
  readonly text: string;
  readonly requests: number;
}
interface AgentOptions {
  readonly url: string;
  readonly folder: string;
  readonly prompt: string;
  readonly maxTokens: number;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

type ToolInput = Readonly<Record<string, string | undefined>>;

/** The tools of the agent. Each does what its input says. */
const tools: Readonly<Record<string, (input: ToolInput, folder: string) => string>> = {
  delete_files: ({ folder: name = "", pattern = "" }, folder) => {
    const path = join(folder, name);
    const names = readdirSync(path).filter((file) => file.endsWith(pattern.replace("*", "")));
    for (const file of names) rmSync(join(path, file));
    return `Deleted ${names.length} files.`;
  },
  write_file: ({ path = "", content = "" }, folder) => {
    writeFileSync(join(folder, path), content);
    return `Wrote ${content.length} characters.`;
  },
  pay: ({ amount = "" }, folder) => {
    appendFileSync(join(folder, "payments.txt"), `paid ${amount}\n`);
    return `Paid ${amount}.`;
  },
};
const toolDefinitions = Object.keys(tools).map((name) => ({
  name,
  input_schema: { type: "object" as const },
}));

const maxRequests = 6;

/**
 * An agent as many are written: it runs each call as soon as its block is complete, asks again after
 * an error, and does not look at the stop reason. It is the same with and without the guard.
 */
export async function runAgent(options: AgentOptions): Promise<AgentEnd> {
  const { url, prompt, maxTokens, fetch, signal } = options;
  const client = new Anthropic({ apiKey: "no-key-needed", baseURL: url, fetch, logLevel: "off" });
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: prompt }];
  let text = "";
  let requests = 0;
  while (requests < maxRequests) {
    requests++;
    const results: Anthropic.ToolResultBlockParam[] = [];
    const params = {
      model: "claude-demo",
      max_tokens: maxTokens,
      messages,
      tools: toolDefinitions,
    };
    const stream = client.messages.stream(params, { signal });
    stream.on("contentBlock", (block) => {
      if (block.type === "tool_use") results.push(runCall(block, options.folder));
    });
    try {
      const { content } = await stream.finalMessage();
      text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
      if (results.length === 0) return { text, requests };
      messages.push({ role: "assistant", content }, { role: "user", content: results });
    } catch (thrown) {
      signal.throwIfAborted();
      text = messageOf(thrown);
    }
  }
  return { text, requests };
}

function runCall(
  { id, name, input }: Anthropic.ToolUseBlock,
  folder: string,
): Anthropic.ToolResultBlockParam {
  const content = tools[name]?.((input ?? {}) as ToolInput, folder) ?? "Unknown tool.";
  return { type: "tool_result", tool_use_id: id, content };
}
