import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { fullstop, start } from "./fullstop.ts";

const newPath = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "inspect-live-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "run.jsonl");
};
/** The command, and the address that it prints. */
async function startLive(path: string, flags: readonly string[] = []) {
  const started = start(["inspect", "--live", path, ...flags]);
  onTestFinished(() => started[Symbol.dispose]());
  const [line] = await once(createInterface({ input: started.child.stdout }), "line");
  return { ...started, url: String(line) };
}
/** The lines of a stream until it ends, or has `count` of them. */
async function linesOf(url: string, count: number): Promise<readonly string[]> {
  const left = new AbortController();
  const { body } = await fetch(`${url}events`, { signal: left.signal });
  let text = "";
  const lines = (): readonly string[] =>
    [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data ?? "");
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (lines().length >= count && text.endsWith("\n\n")) break;
  }
  left.abort();
  return lines();
}
const fileLines = (path: string): readonly string[] =>
  readFileSync(path, "utf8").trimEnd().split("\n");

test("follows the demo while another process records it, and ends by Ctrl-C", async () => {
  const path = newPath();
  const live = await startLive(path);
  expect(live.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}\/$/);
  expect(await (await fetch(live.url)).text()).toContain("<title>run.jsonl");
  const recorded = fullstop(["demo", "--record", path]);
  // The demo is under way: it has not ended when the first lines arrive.
  const first = await linesOf(live.url, 20);
  expect(first.length).toBeGreaterThanOrEqual(20);
  expect((await recorded).code).toBe(0);
  const all = fileLines(path);
  expect(await linesOf(live.url, all.length)).toEqual(all);
  expect(all.slice(0, first.length)).toEqual(first);
  const open = await fetch(`${live.url}events`);
  live.child.kill("SIGINT");
  const { code, stderr } = await live.ended;
  expect(code).toBe(130);
  expect(stderr).toContain("does not exist yet");
  // The stream ends in order: a connection that breaks would reject.
  await expect(open.text()).resolves.toMatch(/^retry: \d+/);
  await expect(fetch(live.url)).rejects.toThrow();
});

const event = (type: string): string =>
  `${JSON.stringify({ type, runId: "r", path: [], turnNumber: 1, at: 1 })}\n`;

test("with --until-end it ends when the run has ended, and the page has its last line", async () => {
  const path = newPath();
  writeFileSync(path, `{"recording":"fullstop","version":1,"startedAt":1}\n${event("request")}`);
  const live = await startLive(path, ["--until-end"]);
  // The page is connected before the run ends.
  const open = await fetch(`${live.url}events`);
  appendFileSync(path, event("end"));
  const text = await open.text();
  const { code, stderr } = await live.ended;
  expect([code, stderr]).toEqual([0, `Following ${path}. Ctrl-C ends it.\n`]);
  expect([...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data)).toEqual(fileLines(path));
});

test("a port that is in use ends with 2, and names the option", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  const { code, stderr } = await fullstop(["inspect", "--live", newPath(), "--port", `${port}`]);
  expect(stderr).toContain("--port chooses the port");
  expect(code).toBe(2);
});
