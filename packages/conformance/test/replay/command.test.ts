import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as streamText } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const subjects = fileURLToPath(new URL("subjects.ts", import.meta.url));
const anthropic = fileURLToPath(new URL("../../../provider-anthropic/", import.meta.url));

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}
const conformance = (args: readonly string[], cwd: string): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, NO_COLOR: "1", NODE_PATH: "" }, timeout: 60_000 };
    execFile(
      process.execPath,
      ["--conditions=@fullstop/source", main, ...args],
      options,
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

const whole = [
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

test("a cut that is promoted is broken, in a recording that was cut and in one that is whole", async () => {
  await writeFile(join(folder, "whole.jsonl"), `${whole.join("\n")}\n`);
  await writeFile(
    join(folder, "was-cut.sse"),
    whole
      .slice(0, -1)
      .map((payload) => `data: ${payload}\r\n\r\n`)
      .join(""),
  );
  const { code, stdout } = await conformance(
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

test("--write keeps the turns that are not known, beside the recordings, and prints a report that a program can read", async () => {
  const { code, stdout } = await conformance(
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

test("a wire of the suite's own is read with the package that is installed where the command runs; what it writes is kept", async () => {
  const fixtures = fileURLToPath(new URL("../../fixtures/anthropic/", import.meta.url));
  const { code, stdout } = await conformance(
    ["replay", fixtures, "--wire", "anthropic", "--only", "replay", "--reporter", "terminal"],
    anthropic,
  );
  expect(stdout).toMatch(/anthropic-messages: 4 kept/);
  expect(code).toBe(0);
  const elsewhere = await conformance(["replay", fixtures, "--wire", "anthropic"], folder);
  expect(elsewhere).toMatchObject({ code: 2, stdout: "" });
  expect(elsewhere.stderr).toContain("npm install @fullstop/provider-anthropic @anthropic-ai/sdk");
});

test("JSON that is not a reply is left alone, a turn beside it makes it one, and --all shows all that is broken", async () => {
  const own = await mkdtemp(join(tmpdir(), "recordings-"));
  try {
    await writeFile(join(own, "cut.jsonl"), `${whole.slice(0, -1).join("\n")}\n`);
    await writeFile(join(own, "package.json"), '{"name":"my-agent","type":"module"}');
    await writeFile(join(own, "end.json"), whole.at(-1) ?? "");
    const asked = ["replay", own, "--adapter", subjects, "--only", "replay.pieces"];
    const { code, stdout, stderr } = await conformance(asked, own);
    expect([code, stderr.match(/Left alone: .*/g)]).toEqual([
      0,
      Array(2).fill("Left alone: package.json does not look like a reply of acme-chat."),
    ]);
    expect(stdout).toContain("end.json, read by sound");
    await writeFile(join(own, "package.turn.json"), '{"stopReason":"stop"}');
    expect(
      (await conformance(["replay", own, "--adapter", subjects, "--only", "replay.turn"], own))
        .stdout,
    ).toContain("package.json, read by");
    await rm(join(own, "package.turn.json"));
    const cuts = ["replay", own, "--adapter", subjects, "--only", "stop.cut"];
    expect((await conformance(cuts, own)).stdout).toMatch(/and (at least )?\d+ more\n/);
    expect((await conformance([...cuts, "--all"], own)).stdout).not.toMatch(
      /and (at least )?\d+ more\n/,
    );
    const proofs = ({ stdout }: Ended): number =>
      Number(/sound: .*\((\d+) proofs?\)/.exec(stdout)?.[1]);
    expect(proofs(await conformance([...cuts, "--sample", "3"], own))).toBeLessThan(4);
  } finally {
    await rm(own, { recursive: true });
  }
});

test("SIGTERM ends it with 143, in the midst of a long recording too", async () => {
  const own = await mkdtemp(join(tmpdir(), "recordings-"));
  const text = Array.from({ length: 3000 }, (_, n) => `{"say":"text","text":"word ${n} "}`);
  await writeFile(join(own, "long.jsonl"), [...text, ...whole].join("\n"));
  const asked = ["replay", own, "--adapter", subjects, "--only", "stop.cut", "--exhaustive"];
  const child = spawn(process.execPath, ["--conditions=@fullstop/source", main, ...asked], {
    cwd: own,
    stdio: ["ignore", "pipe", "pipe"],
  });
  try {
    child.stdout.once("data", () => child.kill("SIGTERM"));
    const [[code], said] = await Promise.all([once(child, "exit"), streamText(child.stderr)]);
    expect([code, said]).toEqual([
      143,
      "Interrupted by SIGTERM. What was started is being ended.\n",
    ]);
  } finally {
    child.kill("SIGKILL");
    await rm(own, { recursive: true });
  }
});

test("a file that cannot be read is named with its line", async () => {
  await writeFile(join(folder, "torn.jsonl"), `${whole[0]}\n{"say":"tool","n\n`);
  const { code, stdout, stderr } = await conformance(
    ["replay", folder, "--adapter", subjects],
    folder,
  );
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toBe(`conformance: ${join(folder, "torn.jsonl")}:2: not JSON: {"say":"tool","n\n`);
});
