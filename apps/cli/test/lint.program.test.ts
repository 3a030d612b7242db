import { spawnSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fullstop, main, tooWide } from "./fullstop.ts";

const folder = mkdtempSync(join(tmpdir(), "lint-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const call = {
  role: "assistant",
  content: [{ type: "tool_use", id: "toolu_1", name: "read", input: {} }],
};
const result = {
  role: "user",
  content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "ok" }],
};
const sound = write("sound.json", JSON.stringify([call, result]));
const open = write("open.json", JSON.stringify({ model: "m", messages: [call] }));
const lines = write("lines.jsonl", `${JSON.stringify(call)}\n${JSON.stringify(result)}\n`);
const bodies = write(
  "bodies.jsonl",
  `${JSON.stringify({ messages: [call, result] })}\n\n${JSON.stringify({ messages: [call] })}\n`,
);

/** The command with a text as its standard input. */
const withInput = (args: readonly string[], input: string) =>
  spawnSync(process.execPath, ["--conditions=@fullstop/source", main, ...args], {
    input,
    encoding: "utf8",
  });
const jsonLines = (text: string): readonly Record<string, unknown>[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("fullstop lint", () => {
  it("teaches in its help", async () => {
    const { code, stdout } = await fullstop(["lint", "--help"]);
    expect(code).toBe(0);
    for (const words of ["call-without-result", "--shape", "--fix", "Exit codes:", "Examples:"])
      expect(stdout).toContain(words);
  });

  it("ends with 0 if nothing is wrong, and names the shape and what shows it", async () => {
    const { code, stdout } = await fullstop(["lint", sound, lines]);
    expect(code).toBe(0);
    expect(stdout).toContain("anthropic, by a block of type `tool_use`; 2 messages");
    expect(stdout).toMatch(/^2 files, 0 flaws$/m);
  });

  it("names file, message, rule, id and effect, and ends with 1", async () => {
    const { code, stdout } = await fullstop(["lint", open]);
    expect(code).toBe(1);
    expect(stdout).toContain(`✖ ${open} message 0: call-without-result toolu_1`);
    expect(stdout).toMatch(/Anthropic refuses the request \(400\)\. https:\/\/github\.com\//);
    expect(stdout).toMatch(/^1 file, 1 flaw$/m);
    expect(stdout).not.toContain("\u001b");
  });

  it("breaks its lines where a narrow terminal ends", async () => {
    const wide = await fullstop(["lint", open]);
    const { stdout } = await fullstop(["lint", open], { COLUMNS: "40" });
    expect(tooWide(stdout, 40)).toEqual([]);
    expect(stdout.split(/\s+/)).toEqual(wide.stdout.split(/\s+/));
  });

  it("names the line if a file holds several bodies", async () => {
    const { code, stdout } = await fullstop(["lint", bodies, "--json"]);
    expect(code).toBe(1);
    expect(jsonLines(stdout)).toMatchObject([
      { type: "flaw", file: bodies, line: 3, message: 0, rule: "call-without-result" },
      { type: "checked", line: 1, shape: "anthropic", flaws: 0 },
      { type: "checked", line: 3, flaws: 1 },
      { type: "summary", files: 1, flaws: 1, fixed: 0 },
    ]);
  });

  it("reads standard input, and writes the repaired text to standard output", () => {
    const { status, stdout, stderr } = withInput(
      ["lint", "-", "--fix"],
      readFileSync(open, "utf8"),
    );
    expect(status).toBe(0);
    const repaired = JSON.parse(stdout) as { readonly messages: readonly unknown[] };
    expect(repaired).toMatchObject({
      model: "m",
      messages: [call, { content: [{ tool_use_id: "toolu_1", is_error: true }] }],
    });
    expect(stderr).toContain("1 fixed");
    expect(withInput(["lint", "-"], stdout).status).toBe(0);
  });

  it.skipIf(process.platform === "win32")("leaves the input whole if the disk is full", () => {
    const long = { role: "user", content: "x".repeat(30_000) };
    const file = write("full.json", JSON.stringify([long, call]));
    const before = readFileSync(file, "utf8");
    const files = readdirSync(folder);
    // No file may be longer than some kilobytes.
    const limited = 'ulimit -f 8; exec "$@"';
    const command = [process.execPath, "--conditions=@fullstop/source", main];
    const { status, stderr } = spawnSync(
      "sh",
      ["-c", limited, "sh", ...command, "lint", file, "--fix", "--write"],
      { encoding: "utf8" },
    );
    expect([status, readFileSync(file, "utf8") === before]).toEqual([2, true]);
    expect(stderr).toContain("cannot write");
    expect(readdirSync(folder)).toEqual(files);
  });

  it.skipIf(process.platform === "win32")("keeps links and permissions with --write", async () => {
    const target = write("target.json", readFileSync(open, "utf8"));
    chmodSync(target, 0o664);
    const link = join(folder, "link.json");
    symlinkSync(target, link);
    expect((await fullstop(["lint", link, "--fix", "--write"])).code).toBe(0);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect((statSync(target).mode & 0o777).toString(8)).toBe("664");
    expect((await fullstop(["lint", target])).code).toBe(0);
  });

  it("writes over the input only with --write", async () => {
    const before = readFileSync(open, "utf8");
    const output = join(folder, "repaired.json");
    expect((await fullstop(["lint", open, "--fix", "-o", output])).code).toBe(0);
    expect((await fullstop(["lint", open, "--fix", "-o", open])).code).toBe(2);
    expect(readFileSync(open, "utf8")).toBe(before);
    expect((await fullstop(["lint", output])).code).toBe(0);

    const copy = write("copy.jsonl", readFileSync(bodies, "utf8"));
    expect((await fullstop(["lint", copy, "--fix", "--write"])).code).toBe(0);
    expect(readFileSync(copy, "utf8").trim().split("\n")).toHaveLength(2);
    expect((await fullstop(["lint", copy])).code).toBe(0);
  });

  it("keeps the bytes of a file without flaws", async () => {
    const spaced = write("spaced.json", `  ${JSON.stringify([call, result], null, 7)}\n\n`);
    const { stdout } = await fullstop(["lint", spaced, "--fix"]);
    expect(stdout).toBe(readFileSync(spaced, "utf8"));
  });

  it.each([
    ["no file", []],
    ["a missing file", [join(folder, "none.json")]],
    ["text", [write("text.md", "Hello.\n")]],
    ["nothing", [write("empty.json", "")]],
    ["another object", [write("object.json", '{"a":1}')]],
    [
      "messages that fit several shapes",
      [write("plain.json", '[{"role":"user","content":"Go."}]')],
    ],
    ["an unknown shape", [sound, "--shape", "cobol"]],
    ["--write without --fix", [sound, "--write"]],
    ["a journal", [write("run.jsonl", '{"journal":"fullstop","version":1}\n{"key":"a"}\n')]],
  ])("ends with 2 and says what was expected: %s", async (_, args) => {
    const { code, stdout, stderr } = await fullstop(["lint", ...args]);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /expected|Expected|need|cannot read|missing required|Allowed choices|outcome\.messages/,
    );
  });

  it("takes the shape that --shape names", async () => {
    const { code, stdout } = await fullstop([
      "lint",
      join(folder, "plain.json"),
      "--shape",
      "openai-chat",
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain("openai-chat, by the option `shape`");
  });

  it("shows escapes and marks of a hostile id as text", async () => {
    const hostile = { ...call, content: [{ ...call.content[0], id: "\u001b[2J\u202eid\u009b" }] };
    const { stdout } = await fullstop(["lint", write("hostile.json", JSON.stringify([hostile]))]);
    expect(stdout).toContain("\\u001b[2J?id?");
    for (const mark of ["\u001b", "\u202e", "\u009b"]) expect(stdout).not.toContain(mark);
  });
});
