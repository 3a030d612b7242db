import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** The README's prompt in a process of its own, whose terminal is a pipe. */
async function atTerminal(keys: string) {
  const folder = await mkdtemp(join(tmpdir(), "prompt-"));
  try {
    const readme = await readFile(new URL("../guides/people.md", import.meta.url), "utf8");
    const [, sample = ""] = /at a terminal:\n\n```ts\n(.*?)\n```/s.exec(readme) ?? [];
    await writeFile(join(folder, "sample.ts"), sample);
    const program = fileURLToPath(new URL("prompt-process.ts", import.meta.url));
    const child = spawn(process.execPath, [
      "--conditions=@fullstop/source",
      program,
      join(folder, "sample.ts"),
    ]);
    let shown = "";
    child.stderr.on("data", (text) => (shown += String(text)));
    child.stdout.on("data", (text) => {
      shown += String(text);
      if (shown.includes("[y/N]") && !child.stdin.writableEnded) child.stdin.end(keys);
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    const [, ended] = /ENDED (.*)/.exec(shown) ?? [];
    return { code, ended: ended === undefined ? shown : JSON.parse(ended) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

test.each([
  ["yes", "y\n", { status: "done", paid: 1, requests: 2 }],
  ["no", "n\n", { status: "done", paid: 0, requests: 2 }],
  ["Ctrl-C", "\u0003", { status: "aborted", paid: 0, requests: 1 }],
])(
  "at the README's prompt %s means what it says: Ctrl-C ends the run instead of denying one call",
  async (_, keys, ended) => {
    expect(await atTerminal(keys)).toEqual({ code: 0, ended });
  },
);
