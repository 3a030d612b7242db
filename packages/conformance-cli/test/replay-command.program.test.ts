import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as streamText } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const main = fileURLToPath(new URL("../../../apps/cli/src/main.ts", import.meta.url));
const subjects = fileURLToPath(new URL("subjects.ts", import.meta.url));
const anthropic = fileURLToPath(new URL("../../provider-anthropic/", import.meta.url));

interface ProcessEnd {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}
const runCommand = (args: readonly string[], cwd: string): Promise<ProcessEnd> =>
  new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, NO_COLOR: "1", NODE_PATH: "" }, timeout: 60_000 };
    execFile(
      process.execPath,
      ["--conditions=@fullstop/source", main, "conformance", ...args],
      options,
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

const completeReply = [
  '{"say":"text","text":"I will read it."}',
  '{"say":"tool","n":1,"id":"call_1","name":"read"}',
  '{"say":"input","n":1,"json":"{\\"path\\":\\"/srv/a\\"}"}',
  '{"say":"tool_done","n":1}',
  '{"say":"end","why":"tool","tokens":{"in":3,"out":12}}',
];
const turn = {
  stopReason: "tool-use",
  native: { stop: "tool" },
  text: "I will read it.",
  thinking: "",
  calls: [{ id: "call_1", name: "read", input: { path: "/srv/a" } }],
  withheld: [],
  usage: { input: 3, output: 12 },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recordings-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("an adapter that runs cut calls is broken, on a cut recording and on a complete one", async () => {
  await writeFile(join(folder, "whole.jsonl"), `${completeReply.join("\n")}\n`);
  await writeFile(
    join(folder, "was-cut.sse"),
    completeReply
      .slice(0, -1)
      .map((payload) => `data: ${payload}\r\n\r\n`)
      .join(""),
  );
  const { code, stdout } = await runCommand(
    ["replay", folder, "--adapter", subjects, "--reporter", "terminal"],
    folder,
  );
  expect(code).toBe(1);
  expect(stdout).toContain(`whole.jsonl, read by sound\n${JSON.stringify(turn, null, 2)}\n`);
  expect(stdout).toContain("was-cut.sse\n");
  expect(stdout).toContain("no event ends the reply in this protocol");
  expect(stdout).toMatch(/sound: .*kept/);
  expect(stdout).toMatch(/promoting: .*broken/);
});

test("--write writes the missing turns beside the recordings, and standard output stays a report for a program", async () => {
  const { code, stdout } = await runCommand(
    [
      "replay",
      folder,
      "--adapter",
      subjects,
      "--write",
      "--only",
      "replay.pieces",
      "--reporter",
      "json",
    ],
    folder,
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    subjects: [{ name: "sound" }, { name: "promoting" }],
  });
  expect((await readdir(folder)).sort()).toEqual([
    "was-cut.sse",
    "was-cut.turn.json",
    "whole.jsonl",
    "whole.turn.json",
  ]);
  expect(JSON.parse(await readFile(join(folder, "whole.turn.json"), "utf8"))).toEqual(turn);
  expect(JSON.parse(await readFile(join(folder, "was-cut.turn.json"), "utf8"))).toMatchObject({
    stopReason: "interrupted",
    withheld: [{ id: "call_1", reason: "no-terminal" }],
  });
});

test("a wire of the suite is read with the package that is installed where the command runs", async () => {
  const fixtures = fileURLToPath(new URL("../../conformance/fixtures/anthropic/", import.meta.url));
  const { code, stdout } = await runCommand(
    ["replay", fixtures, "--wire", "anthropic", "--only", "replay", "--reporter", "terminal"],
    anthropic,
  );
  expect(stdout).toMatch(/anthropic-messages: 4 of 4 must; 4 kept/);
  expect(code).toBe(0);
  const elsewhere = await runCommand(["replay", fixtures, "--wire", "anthropic"], folder);
  expect(elsewhere).toMatchObject({ code: 2, stdout: "" });
  expect(elsewhere.stderr).toContain("npm install @fullstop/provider-anthropic @anthropic-ai/sdk");
});

test("JSON that is not a reply is skipped unless a turn stands beside it, and --all shows every failed check", async () => {
  const own = await mkdtemp(join(tmpdir(), "recordings-"));
  try {
    await writeFile(join(own, "cut.jsonl"), `${completeReply.slice(0, -1).join("\n")}\n`);
    await writeFile(join(own, "package.json"), '{"name":"my-agent","type":"module"}');
    await writeFile(join(own, "end.json"), completeReply.at(-1) ?? "");
    const args = ["replay", own, "--adapter", subjects, "--only", "replay.pieces"];
    const { code, stdout, stderr } = await runCommand(args, own);
    expect([code, stderr.match(/Skipped: .*/g)]).toEqual([
      0,
      Array(2).fill("Skipped: package.json does not look like a reply of acme-chat."),
    ]);
    expect(stdout).toContain("end.json, read by sound");
    await writeFile(join(own, "package.turn.json"), '{"stopReason":"stop"}');
    expect(
      (await runCommand(["replay", own, "--adapter", subjects, "--only", "replay.turn"], own))
        .stdout,
    ).toContain("package.json, read by");
    await rm(join(own, "package.turn.json"));
    const cuts = ["replay", own, "--adapter", subjects, "--only", "stop.cut"];
    expect((await runCommand(cuts, own)).stdout).toMatch(/and (at least )?\d+ more\n/);
    expect((await runCommand([...cuts, "--all"], own)).stdout).not.toMatch(
      /and (at least )?\d+ more\n/,
    );
    const checks = ({ stdout }: ProcessEnd): number =>
      Number(/sound: .*\((\d+) checks?\)/.exec(stdout)?.[1]);
    expect(checks(await runCommand([...cuts, "--sample", "3"], own))).toBeLessThan(4);
  } finally {
    await rm(own, { recursive: true });
  }
});

test("SIGTERM ends with 143, also during a long recording", async () => {
  const own = await mkdtemp(join(tmpdir(), "recordings-"));
  const text = Array.from({ length: 3000 }, (_, n) => `{"say":"text","text":"word ${n} "}`);
  await writeFile(join(own, "long.jsonl"), [...text, ...completeReply].join("\n"));
  const args = ["replay", own, "--adapter", subjects, "--only", "stop.cut", "--exhaustive"];
  const child = spawn(
    process.execPath,
    ["--conditions=@fullstop/source", main, "conformance", ...args],
    {
      cwd: own,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  try {
    child.stdout.once("data", () => child.kill("SIGTERM"));
    const [[code], printed] = await Promise.all([once(child, "exit"), streamText(child.stderr)]);
    expect([code, printed]).toEqual([
      143,
      expect.stringMatching(/^Interrupted by SIGTERM\. .*\n$/),
    ]);
  } finally {
    child.kill("SIGKILL");
    await rm(own, { recursive: true });
  }
});

test("a file that cannot be read is named with its line", async () => {
  await writeFile(join(folder, "torn.jsonl"), `${completeReply[0]}\n{"say":"tool","n\n`);
  const { code, stdout, stderr } = await runCommand(
    ["replay", folder, "--adapter", subjects],
    folder,
  );
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toBe(`fullstop: ${join(folder, "torn.jsonl")}:2: not JSON: {"say":"tool","n\n`);
});
