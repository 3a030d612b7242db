import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { record } from "@fullstop/inspect";
import { jsonSchema, type Message, run, tool } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { afterAll, describe, expect, it } from "vitest";
import { fullstop } from "./fullstop.ts";

const folder = mkdtempSync(join(tmpdir(), "lint-recording-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const save = tool({
  name: "save",
  description: "Saves a text.",
  inputSchema: jsonSchema({ type: "object" }),
  execute: () => "saved",
});
/** A recording of a run that begins with these messages. */
async function recordRun(
  name: string,
  messages: readonly Message[] = [],
  input: object = {},
): Promise<string> {
  const path = join(folder, name);
  const onEvent = record(path);
  const adapter = mock([{ calls: [{ name: "save", id: "c1", input: { ...input } }] }, "Done."]);
  const options = { adapter, tools: [save], messages, prompt: "Save it.", onEvent };
  await run({ ...options, journal: undefined }).outcome();
  await onEvent.close();
  return path;
}
/** As a client keeps it that sends a cut input back. */
const cut: readonly Message[] = [
  { role: "user", content: "Begin." },
  {
    role: "assistant",
    from: { provider: "mock", protocol: "mock", model: "mock" },
    content: [{ type: "tool-call", id: "c0", name: "save", inputText: '{"text":"He' }],
  },
  { role: "tool", content: [{ type: "tool-result", id: "c0", name: "save", content: "Failed." }] },
];
const privateKey = `-----BEGIN PRIVATE KEY-----\n${"A".repeat(64)}\n-----END PRIVATE KEY-----`;
const linesOf = (text: string) => text.trim().split("\n");

describe("fullstop lint of a recording", () => {
  it("ends with 0 if what the runs sent has no flaw", async () => {
    const path = await recordRun("sound.jsonl");
    const { code, stdout } = await fullstop(["lint", path]);
    expect(stdout).toMatch(/run \S+: fullstop, by a recording of 2 requests; 4 messages/);
    expect(stdout).toMatch(/^1 file, 0 flaws$/m);
    expect(code).toBe(0);
  });

  it("names the run and the first request that has a flaw, and reports it once", async () => {
    const path = await recordRun("cut.jsonl", cut);
    const { code, stdout } = await fullstop(["lint", path, "--json"]);
    const lines = linesOf(stdout).map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { type: "flaw", file: path, request: 1, message: 1, rule: "cut-input", id: "c0" },
      { type: "checked", shape: "fullstop", messages: 7, flaws: 1 },
      { type: "summary", files: 1, flaws: 1 },
    ]);
    expect(lines[0].run).toBe(lines[1].run);
    expect(code).toBe(1);
  });

  it("does not accuse an input that the recorder changed", async () => {
    const input = { text: `Key: "${privateKey}"` };
    const path = await recordRun("redacted.jsonl", [], input);
    expect(readFileSync(path, "utf8")).toContain("[redacted]");
    const sent = cut.map((message) =>
      message.role === "assistant"
        ? {
            ...message,
            content: [
              {
                type: "tool-call" as const,
                id: "c0",
                name: "save",
                inputText: JSON.stringify(input),
              },
            ],
          }
        : message,
    );
    const other = await recordRun("sent.jsonl", sent, input);
    const { code, stdout } = await fullstop(["lint", path, other]);
    expect(stdout).toMatch(/^2 files, 0 flaws$/m);
    expect(code).toBe(0);
  });

  it("finds what another release may have recorded, in sub-agents too", async () => {
    const path = join(folder, "open.jsonl");
    const call = { type: "tool-call", id: "c1", name: "save", inputText: "{}" };
    const messages = [
      { role: "user", content: "Go." },
      { role: "assistant", content: [call] },
      { role: "user", content: "Well?" },
    ];
    const lines = [
      { recording: "fullstop", version: 1, startedAt: 1 },
      { type: "request", runId: "r", path: ["r/1/1"], turnNumber: 1, at: 1, attempt: 1 },
      { type: "prompt", at: 1, request: { messages } },
    ];
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const { code, stdout } = await fullstop(["lint", path]);
    expect(stdout).toContain("run r > r/1/1 request 1 message 1: call-without-result c1");
    expect(code).toBe(1);
  });

  it("says that a line was cut, and checks the rest", async () => {
    const path = await recordRun("torn.jsonl");
    appendFileSync(path, '{"type":"turn","tu');
    const { code, stdout } = await fullstop(["lint", path]);
    expect(stdout).toMatch(/torn\.jsonl: Line \d+ was cut/);
    expect(code).toBe(0);
  });

  it.each([
    ["--fix", [], "It says what happened"],
    [
      "a recording without requests",
      ['{"recording":"fullstop","version":1,"startedAt":1}\n'],
      "no request and no outcome",
    ],
    ["a newer version", ['{"recording":"fullstop","version":99}\n'], "newer release"],
  ])("ends with 2: %s", async (name, [content], sentence) => {
    const path = join(folder, "other.jsonl");
    if (content === undefined) writeFileSync(path, readFileSync(await recordRun("fix.jsonl")));
    else writeFileSync(path, content);
    const { code, stderr } = await fullstop(["lint", path, ...(name === "--fix" ? [name] : [])]);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });
});
