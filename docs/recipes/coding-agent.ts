// A coding agent for the terminal: node coding-agent.ts "Make the test in sum.test.js pass."
// It reads and writes only below the current folder, and asks before it changes or runs anything.
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import { createInterface } from "node:readline/promises";
import { promisify } from "node:util";
import { type Approve, run, tool } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { z } from "zod";

const root = process.cwd();
function inside(path: string): string {
  const full = resolve(root, path);
  if (full !== root && !full.startsWith(root + sep)) throw new Error(`${path} is outside ${root}`);
  return full;
}

const list = tool({
  name: "list",
  description: "List the files of a folder.",
  inputSchema: z.object({ folder: z.string().default(".") }),
  needsApproval: false,
  execute: async ({ folder }) => (await readdir(inside(folder))).join("\n"),
});
const read = tool({
  name: "read",
  description: "Read a text file.",
  inputSchema: z.object({ path: z.string() }),
  needsApproval: false,
  execute: async ({ path }) => readFile(inside(path), "utf8"),
});
const edit = tool({
  name: "edit",
  description: "Replace a passage of a file. The passage must occur exactly once.",
  inputSchema: z.object({ path: z.string(), passage: z.string().min(1), replacement: z.string() }),
  exclusive: true,
  execute: async ({ path, passage, replacement }) => {
    const parts = (await readFile(inside(path), "utf8")).split(passage);
    if (parts.length !== 2) throw new Error(`The passage occurs ${parts.length - 1} times.`);
    await writeFile(inside(path), parts.join(replacement));
    return `Changed ${relative(root, inside(path))}.`;
  },
});
const shell = tool({
  name: "shell",
  description: "Run a shell command, and get its output.",
  inputSchema: z.object({ command: z.string() }),
  exclusive: true,
  timeoutMs: 300_000,
  execute: async ({ command }, { signal }) => {
    const { stdout, stderr } = await promisify(execFile)("sh", ["-c", command], {
      cwd: root,
      signal,
    });
    return stdout + stderr;
  },
});

const interrupt = new AbortController();
process.once("SIGINT", () => interrupt.abort());

const approve: Approve = async ({ name, input }, { signal }) => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.once("SIGINT", () => interrupt.abort());
  try {
    const answer = await terminal.question(`\n${name} ${JSON.stringify(input)}? [y/N] `, {
      signal,
    });
    return /^y/i.test(answer) || { deny: "The user declined. Ask what to do instead." };
  } finally {
    terminal.close();
  }
};

const agent = run({
  adapter: anthropic("claude-sonnet-5-5"),
  system: `You are a coding agent. You work in ${root}. Look before you change something, and run the tests afterwards.`,
  tools: [list, read, edit, shell],
  prompt: process.argv.slice(2).join(" "),
  approve,
  request: { cache: "auto" },
  limits: { turns: 50, deadlineMs: 30 * 60_000 },
  signal: interrupt.signal,
});
for await (const event of agent) {
  if (event.type === "text") process.stdout.write(event.text);
  if (event.type === "turn" && !event.kept) process.stdout.write("\n(that was cut: once more)\n");
  if (event.type === "tool-result")
    console.log(`\n${event.result.isError ? "✖" : "✔"} ${event.call.name}`);
}
const { status, summary } = await agent.outcome();
console.log(`\n${summary}`);
process.exitCode = status === "done" ? 0 : 1;
process.stdin.destroy();
