import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { clauses, type Report } from "@fullstop/conformance";
import { afterAll, describe, expect, test } from "vitest";
import { command, createFolder } from "./command.ts";

const folder = createFolder();
const { run, put } = folder;
afterAll(() => folder[Symbol.dispose]());
const onlyCut = ["--only", "stop.cut"];

describe("adapter", () => {
  test("ends with 0 if every clause is kept, and prints how many", async () => {
    const { code, stdout, stderr } = await run(["adapter", "./kept.ts", "--only", "stop"]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ +stop +✔ (\d+)\/\1$/m);
    expect(stdout).toMatch(/acme.*: (\d+) of \1 must; \1 kept.*checks\)\n$/);
  });

  test("ends with 1 if a clause is broken, and shows rule, source, bytes, expected and actual", async () => {
    const { code, stdout } = await run(["adapter", "./broken.ts", ...onlyCut]);
    expect(code).toBe(1);
    for (const words of [
      "careless: stop.cut is broken",
      "because",
      "at  ",
      "expected  interrupted",
      "actual    tool-use",
      "reply     data:",
    ])
      expect(stdout).toContain(words);
  });

  test("judges all subjects of a module, and takes expected failures for each", async () => {
    put("expected.txt", "# what is known\n\ncareless: stop.cut   # until the next release\n");
    const { code, stdout } = await run([
      "adapter",
      "./two.ts",
      ...onlyCut,
      "--reporter",
      "json",
      "--expected-failures",
      "expected.txt",
    ]);
    expect(code).toBe(0);
    const { subjects } = JSON.parse(stdout) as Report;
    expect(subjects.map(({ name, findings }) => [name, findings["stop.cut"]?.status])).toEqual([
      ["sound", "kept"],
      ["careless", "expected-failure"],
    ]);
    expect(subjects[1]?.findings["stop.cut"]?.reason).toBe("until the next release");
  });

  test("ends with 1 if an expected failure is not broken", async () => {
    put("stale.txt", "stop.cut");
    const { code, stdout } = await run([
      "adapter",
      "./kept.ts",
      ...onlyCut,
      "--expected-failures",
      "stale.txt",
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain("stop.cut is stale: listed as an expected failure, but kept");
  });

  test("writes a report to a file without colours", async () => {
    const { code, stdout } = await run(
      ["adapter", "./kept.ts", ...onlyCut, "--output", "report.txt"],
      {
        FORCE_COLOR: "1",
      },
    );
    expect([code, stdout]).toEqual([0, ""]);
    expect(readFileSync(join(folder.path, "report.txt"), "utf8")).toMatch(/^ +stop +✔ 1\/1$/m);
  });

  const unable: readonly (readonly [args: readonly string[], words: readonly string[]])[] = [
    [["adapter", "./gone.js"], ["./gone.js does not exist"]],
    [["adapter", "./nothing.js"], ["./nothing.js has no subject as its default export"]],
    [
      ["adapter", "./throws.ts"],
      ["./throws.ts cannot be loaded", "no licence", "throws.ts:1"],
    ],
    [
      ["replay", ".", "--adapter", "./throws.ts"],
      ["./throws.ts cannot be loaded", "no licence", "throws.ts:1"],
    ],
    ...["./wrong.js", "./imports-wrong.js"].flatMap((file) =>
      [["adapter"], ["journal"], ["replay", ".", "--adapter"]].map(
        (words): (typeof unable)[number] => [
          [...words, file],
          [`${file} cannot be loaded because of line 2 of wrong.js: Unexpected token ';'\n`],
        ],
      ),
    ),
    [
      ["adapter", "./wrong.ts"],
      ["./wrong.ts cannot be loaded because of line 3 of wrong.ts: TypeScript enum"],
    ],
    [
      ["adapter", "./same.ts"],
      ["Two subjects are called", "give each a different name"],
    ],
    [
      ["adapter", "./kept.ts", "--only", "stop.cot"],
      ['No clause is called "stop.cot". Did you mean stop.cut'],
    ],
    [
      ["adapter", "./kept.ts", "--expected-failures", "wrong.txt"],
      ["wrong.txt, line 2", "stop.cat", "Did you mean", "stop.cut"],
    ],
    [
      ["adapter", "./kept.ts", "--expected-failures", "whose.txt"],
      ["whose.txt, line 1", 'No subject is called "unknown"'],
    ],
    [
      ["adapter", "./kept.ts", ...onlyCut, "--output", "no/such/folder"],
      ["The report cannot be written"],
    ],
    [
      ["adapter", "./kept.ts", "--reporter", "xml"],
      ["terminal, json, junit, html", "--help"],
    ],
  ];
  test.for(unable)("ends with 2 and explains what to do: %s", async ([args, words]) => {
    put("wrong.txt", "stop.cut\nstop.cat # no such clause\n");
    put("whose.txt", "unknown: stop.cut");
    const { code, stdout, stderr } = await run(args);
    for (const word of words) expect(stderr).toContain(word);
    expect(stderr).not.toMatch(/node:internal/);
    expect([code, stdout]).toEqual([2, ""]);
  });

  test.skipIf(process.platform !== "linux")(
    "ends with 2 and explains it if the output cannot be written",
    () => {
      const full = openSync("/dev/full", "w");
      const [program = "", ...args] = [...command, "list"];
      const { status, stderr } = spawnSync(program, args, {
        stdio: ["ignore", full, "pipe"],
        encoding: "utf8",
      });
      closeSync(full);
      expect(stderr).toMatch(/^fullstop: cannot write the output: ENOSPC/);
      expect(status).toBe(2);
    },
  );

  test("ends with 130 after Ctrl-C, leaves nothing running and writes no report", async () => {
    const child = folder.start("adapter", "./hangs.ts", "--output", "never.json");
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new Error("The process has no pipes.");
    const printed = text(stderr);
    const closed = once(child, "close");
    await Promise.race([once(stdout, "data"), closed]);
    child.kill("SIGINT");
    const [code, signal] = await closed;
    expect([code, signal]).toEqual([130, null]);
    expect(await printed).toContain("Interrupted by SIGINT");
    expect(existsSync(join(folder.path, "never.json"))).toBe(false);
  });
});

test("list prints every clause, and explain describes one completely", async () => {
  const list = await run(["list"]);
  expect(list.code).toBe(0);
  for (const { id, rule } of clauses)
    expect(
      list.stdout.split("\n").some((line) => line.startsWith(`  ${id} `) && line.endsWith(rule)),
      id,
    ).toBe(true);
  const { code, stdout } = await run(["explain", "stop.cut"]);
  expect(code).toBe(0);
  const { rule = "?" } = clauses.find(({ id }) => id === "stop.cut") ?? {};
  for (const words of [
    "(must)",
    rule,
    "OpenRouterTeam/ai-sdk-provider#558",
    "https://github.com/",
    "/issues/",
    "one that runs calls",
    "--only stop.cut",
    'notClaimed: { "stop.cut"',
  ])
    expect(stdout).toContain(words);
});

test("an old Node ends with the version that is needed", async () => {
  const old = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } })`;
  const { code, stderr } = await run(["list"], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(old)}`,
  });
  expect(stderr).toMatch(/^fullstop: Node 22\.12 or newer is needed, and this is Node 20\.1\.0\./);
  expect(code).toBe(2);
});

test("the help lists every command and the exit codes", async () => {
  const { code, stdout } = await run(["--help"]);
  expect(code).toBe(0);
  for (const words of ["adapter", "list", "explain", "Exit codes:", "130", "Examples:"])
    expect(stdout).toContain(words);
});

const script = "/usr/bin/script";
function inTerminal(env: Readonly<Record<string, string>>): string {
  const line = [...command, "adapter", "./kept.ts", ...onlyCut]
    .map((word) => `'${word}'`)
    .join(" ");
  return execFileSync(script, ["-qec", line, "/dev/null"], {
    cwd: folder.path,
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      TERM: "xterm",
      ...env,
    },
  });
}

test.skipIf(!existsSync(script))(
  "a terminal gets colours unless NO_COLOR is set, and a line for each clause while it runs",
  () => {
    const coloured = inTerminal({});
    expect(coloured).toContain("\u001b[32m");
    expect(stripVTControlCharacters(coloured)).toMatch(/^✔ .*: stop\.cut kept, [\d,]+ checks\r?$/m);
    const plain = inTerminal({ NO_COLOR: "1" });
    expect(plain).toContain("✔");
    expect(plain).not.toContain("\u001b");
  },
);
