import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { record } from "@fullstop/inspect";
import { jsonSchema, run, tool } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { playDemo } from "../src/demo/demo.ts";
import { fullstop, tooWide } from "./fullstop.ts";

const folder = mkdtempSync(join(tmpdir(), "inspect-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const pathOf = (name: string): string => join(folder, name);
const write = (name: string, content: string): string => {
  writeFileSync(pathOf(name), content);
  return pathOf(name);
};
const copy = (from: string, name: string): string => {
  copyFileSync(from, pathOf(name));
  return pathOf(name);
};
const ofType = (stdout: string, type: string) =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter((line) => line.type === type);

const demo = pathOf("demo.jsonl");
/** A call whose outcome is not known, and names that a terminal must not get. */
const doubtful = pathOf("doubtful.jsonl");

beforeAll(async () => {
  const recorder = record(demo);
  await playDemo({
    provider: "anthropic",
    onEvent: () => undefined,
    signal: new AbortController().signal,
    recorder,
  });
  await recorder.close();
  const onEvent = record(doubtful);
  const pay = tool({
    name: "pay",
    description: "Pays.",
    inputSchema: jsonSchema({ type: "object" }),
    timeoutMs: 1,
    execute: () => new Promise(() => undefined),
  });
  const hostile = "\u001b[2J\u202epay\u009b";
  const adapter = mock([
    { calls: [{ name: "pay", id: "c1", input: {} }] },
    { calls: [{ name: hostile, id: "c2", inputText: '{"a":' }], stop: "length" },
    "I look whether it was paid.",
  ]);
  await run({ adapter, tools: [pay], prompt: "Pay.", onEvent, journal: undefined }).outcome();
  await onEvent.close();
});

describe("fullstop inspect", () => {
  it("teaches in its help", async () => {
    const { code, stdout } = await fullstop(["inspect", "--help"]);
    expect(code).toBe(0);
    for (const words of ["record(", "--live", "--save", "Exit codes:", "Examples:"])
      expect(stdout).toContain(words);
    expect(Math.max(...stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  it("writes the page beside the recording, for its owner only", async () => {
    const { code, stdout, stderr } = await fullstop(["inspect", demo]);
    expect([code, stdout, stderr]).toEqual([0, `${pathOf("demo.html")}\n`, ""]);
    const page = readFileSync(pathOf("demo.html"), "utf8");
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain("<title>demo.jsonl");
    expect(page).toContain("rm -rf");
    if (process.platform !== "win32")
      expect(statSync(pathOf("demo.html")).mode & 0o777).toBe(0o600);
  });

  it("does not write over a page that is not one of a recording, unless it is named", async () => {
    const recording = copy(demo, "report.jsonl");
    const report = write("report.html", "<p>My report.</p>\n");
    const refused = await fullstop(["inspect", recording]);
    expect(refused.stderr).toContain("report.html is not the page of a recording");
    expect([refused.code, readFileSync(report, "utf8")]).toEqual([2, "<p>My report.</p>\n"]);
    for (const args of [["-o", report], []]) {
      expect((await fullstop(["inspect", recording, ...args])).code).toBe(0);
      expect(readFileSync(report, "utf8")).toContain("<title>report.jsonl");
    }
  });

  it("writes the page to standard output, and says what cannot be read", async () => {
    const cut = copy(demo, "cut.jsonl");
    appendFileSync(cut, '{"type":"turn","tu');
    const { code, stdout, stderr } = await fullstop(["inspect", cut, "-o", "-"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    expect(stderr).toMatch(/cut\.jsonl: Line \d+ was cut/);
    expect(existsSync(pathOf("cut.html"))).toBe(false);
  });

  it.runIf(process.platform === "linux")("opens the page, or says that it cannot", async () => {
    const seen = pathOf("seen.txt");
    const browser = write("browser.sh", `#!/bin/sh\nprintf %s "$1" > ${seen}\n`);
    chmodSync(browser, 0o755);
    const opened = await fullstop(["inspect", demo, "--open"], { BROWSER: browser });
    expect(opened).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(seen, "utf8")).toBe(`file://${pathOf("demo.html")}`);
    const failed = await fullstop(["inspect", demo, "--open"], { BROWSER: pathOf("none") });
    expect(failed.code).toBe(0);
    expect(failed.stderr).toContain(`Open ${pathOf("demo.html")} yourself.`);
  });

  it("says in the terminal what was withheld, by which rule, and what followed", async () => {
    const { code, stdout } = await fullstop(["inspect", demo, "--text"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/✖ turn 2 reply \S+ {2}tool_use → length · 240 of 240 output tokens/);
    expect(stdout).toMatch(/belowCap: .+ Held back write/);
    expect(stdout).toMatch(/withheld write: cap-reached, \d+ bytes\. The usage is 240 of 240/);
    expect(stdout).toMatch(/the loop: raise-cap \(1 request, \d+ output tokens\)/);
    expect(stdout).toMatch(/^3 runs, 16 requests, 13 calls issued, 6 withheld$/m);
  });

  it("breaks its lines where a narrow terminal ends, also with colours", async () => {
    for (const env of [{ COLUMNS: "40" }, { COLUMNS: "40", FORCE_COLOR: "1" }]) {
      const { stdout } = await fullstop(["inspect", demo, "--text"], env);
      const wide = tooWide(stripVTControlCharacters(stdout), 40);
      expect(wide.filter((line) => !line.startsWith("── run "))).toEqual([]);
    }
  });

  it("names doubts, and shows escapes and marks as text", async () => {
    const { code, stdout } = await fullstop(["inspect", doubtful, "--text"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/In doubt:[\s\S]*pay \S+\/1\/1[\s\S]*journal\.settle/);
    expect(stdout).toMatch(/^1 run, .*, 1 in doubt$/m);
    expect(stdout).toContain("\\u001b[2J?pay?");
    for (const mark of ["\u001b", "\u202e", "\u009b"]) expect(stdout).not.toContain(mark);
  });

  it("prints lines for programs", async () => {
    const { code, stdout } = await fullstop(["inspect", demo, "--json"]);
    expect(code).toBe(0);
    const statuses = ofType(stdout, "run").map(({ status }) => status);
    expect(statuses).toEqual(["refused", "done", "done"]);
    const replies = ofType(stdout, "reply");
    expect(replies).toHaveLength(16);
    expect(replies.find(({ rule }) => rule === "belowCap")).toMatchObject({
      native: "tool_use",
      stopReason: "length",
      kept: false,
      recovery: "raise-cap",
      withheld: [{ name: "write", reason: "cap-reached" }],
    });
    expect(ofType(stdout, "call").every(({ state }) => state === "done")).toBe(true);
  });

  it("saves the reply that the help names", async () => {
    const { stdout: help } = await fullstop(["inspect", "--help"]);
    const [, id = ""] = /--save (\S+) --dir/.exec(help) ?? [];
    const dir = pathOf("of-the-help");
    const { code, stderr } = await fullstop(["inspect", demo, "--save", id, "--dir", dir]);
    expect([code, stderr]).toEqual([0, ""]);
    if (process.platform !== "linux") return;
    const refused = await fullstop(["inspect", demo, "--save", id, "--dir", "/proc/new"]);
    expect(refused.stderr).toContain("no folder can be created in /proc");
    expect(refused.code).toBe(2);
  });

  it("saves a reply as a fixture, and does not write over files", async () => {
    const dir = pathOf("fixtures");
    const { stdout: json } = await fullstop(["inspect", demo, "--json"]);
    const { id } = ofType(json, "reply").find(({ native }) => native === "max_tokens");
    const args = ["inspect", demo, "--save", id, "--dir", dir];
    const saved = await fullstop(args);
    expect(saved.code).toBe(0);
    expect(saved.stdout.trim().split("\n").toSorted()).toEqual(
      readdirSync(dir).map((name) => join(dir, name)),
    );
    expect(readdirSync(dir).map((name) => name.replace(/^[^.]+/, ""))).toEqual([
      ".sse",
      ".test.ts",
      ".turn.json",
    ]);
    const again = await fullstop(args);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain("exists already");
  });

  it.each([
    ["a missing file", ["none.jsonl"], "none.jsonl: it does not exist\n"],
    ["an empty file", ["empty.jsonl"], "The file is empty"],
    ["a file that no text can hold", ["vast.jsonl"], "reads at most 536 MB"],
    ["text", ["notes.md"], "A recording is made with"],
    ["a journal", ["journal.jsonl"], "is a journal"],
    ["a newer version", ["newer.jsonl"], "newer release"],
    ["the recording as output", ["demo.jsonl", "-o", "demo.jsonl"], "--output is the recording"],
    ["an unknown reply", ["demo.jsonl", "--save", "x"], "Its replies are run-1-turn-1-reply-1"],
    ["--port without --live", ["demo.jsonl", "--port", "1"], "need --live"],
    ["two outputs", ["demo.jsonl", "--text", "--json"], "cannot be used with"],
    ["--live of text", ["notes.md", "--live"], "A recording is made with"],
    ["--live of a folder", [".", "--live"], "it is a folder"],
    ["--live with a bad port", ["demo.jsonl", "--live", "--port", "99999"], "0 to 65535"],
  ])("ends with 2: %s", async (_, [name = "", ...rest], sentence) => {
    write("empty.jsonl", "");
    truncateSync(write("vast.jsonl", ""), 600_000_000);
    write("notes.md", "# Notes\n");
    write("journal.jsonl", '{"journal":"fullstop","version":1}\n');
    write("newer.jsonl", '{"recording":"fullstop","version":9}\n');
    const args = rest.map((argument) =>
      argument.endsWith(".jsonl") ? pathOf(argument) : argument,
    );
    const { code, stdout, stderr } = await fullstop(["inspect", pathOf(name), ...args]);
    expect(stderr).toContain(sentence);
    expect([code, stdout]).toEqual([2, ""]);
  });
});
