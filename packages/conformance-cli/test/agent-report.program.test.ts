import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Report } from "@fullstop/conformance";
import { afterAll, describe, expect, test } from "vitest";
import { reporters } from "../src/index.ts";
import { createFolder } from "./command.ts";

const folders = [createFolder(), createFolder()];
const [first, second] = folders;
if (first === undefined || second === undefined) throw new Error("The folders are missing.");
const { put, run } = first;
afterAll(() => {
  for (const folder of folders) folder[Symbol.dispose]();
});
const naive = fileURLToPath(new URL("../examples/naive/agent.mjs", import.meta.url));
for (const { path } of folders) cpSync(naive, join(path, "agent.mjs"));

const limits = ["--timeout", "60", "--jobs", "2"];
const program = ["--", process.execPath, "agent.mjs"];
const read = (...names: readonly string[]): string =>
  readFileSync(join(first.path, ...names), "utf8");
const readRun = (
  folder: string,
): {
  readonly exchanges: readonly object[];
  readonly effects: { readonly calls: readonly string[] };
  readonly source?: { readonly evidence: string };
} => JSON.parse(read(folder, "run.json"));

describe("expected failures can name one check", () => {
  const judge = (lines: string) => {
    put("expected.txt", lines);
    return run([
      "agent",
      ...limits,
      "--only",
      "stop.cut",
      "--expected-failures",
      "expected.txt",
      ...program,
    ]);
  };
  const checkIds = ["cut-in-the-middle", "cut-before-end", "cut-last-byte"];

  test("and all of them together are expected", async () => {
    const { code, stdout } = await judge(
      checkIds.map((id) => `stop.cut/${id} # in June`).join("\n"),
    );
    expect(stdout).toContain("cut-before-end: in June");
    expect(code).toBe(0);
  });

  test("so that another check of the clause still makes it broken", async () => {
    const { code, stdout } = await judge("stop.cut/cut-before-end # known");
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /check {5}stop\.cut\/cut-before-end\n( +severity .*\n)? +known {5}known\n/,
    );
    expect(stdout).toContain("stop.cut is broken");
  });

  test("so that a check that does not break is stale", async () => {
    const lines = [...checkIds, "cut-of"].map((id) => `stop.cut/${id}`);
    const { code, stdout } = await judge(lines.join("\n"));
    expect(code).toBe(1);
    expect(stdout).toContain("stop.cut is stale: stop.cut/cut-of is listed");
  });

  test("but not the whole clause and a check of it", async () => {
    const { code, stderr } = await judge("stop.cut\nstop.cut/cut-of\n");
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("expected.txt, line 2: stop.cut is listed on another line, too."),
    ]);
  });
});

test("--only takes a check, and --traffic writes each run that was made for it", async () => {
  const { code, stderr, stdout } = await run([
    "agent",
    ...limits,
    "--only",
    "stop.words/refusal",
    "--traffic",
    "traffic",
    ...program,
  ]);
  expect(code).toBe(1);
  expect(stderr).toContain("The traffic of 4 runs (7 requests) is in traffic.");
  expect(readdirSync(join(first.path, "traffic")).sort()).toEqual([
    "detection",
    "evidence",
    "one-call",
    "refusal",
  ]);
  const request = JSON.parse(read("traffic/refusal/001-request.json"));
  expect(request).toMatchObject({
    method: "POST",
    path: "/v1/messages",
    headers: { "x-api-key": "(left out)" },
    body: { messages: [{ role: "user" }] },
  });
  expect(read("traffic/refusal/001-response.sse")).toContain('"stop_reason":"refusal"');
  expect(read("traffic/refusal/output.txt")).toBe("");
  expect(readRun("traffic/refusal").effects.calls).toHaveLength(1);
  expect(readRun("traffic/refusal").exchanges).toHaveLength(2);
  expect(readRun("traffic/refusal").source?.evidence).toBe("documented");
  expect(stdout).toMatch(
    /\n +source +documented: https:\/\/platform\.claude\.com\/\S+stop-reasons/,
  );
});

test("--traffic also writes what is kept, and requests that no clause looks at", async () => {
  put(
    "titled.mjs",
    `await fetch(process.env.ANTHROPIC_BASE_URL + "/v1/other").catch(() => undefined); await import("./agent.mjs");`,
  );
  const { code } = await run([
    "agent",
    ...limits,
    "--only",
    "history.result/one-call",
    "--traffic",
    "kept/here",
    "--",
    process.execPath,
    "titled.mjs",
  ]);
  expect(code).toBe(0);
  expect(readRun("kept/here/one-call").exchanges).toMatchObject([
    { method: "GET", path: "/v1/other", status: 404 },
    { method: "POST" },
    { method: "POST" },
  ]);
});

test("--traffic is written for a program that cannot be judged", async () => {
  const { code, stderr } = await run([
    "agent",
    "--tool",
    "jump",
    "--traffic",
    "impossible",
    ...program,
  ]);
  expect(code).toBe(2);
  expect(stderr).toContain('no tool named "jump"');
  expect(readRun("impossible/detection").exchanges).toHaveLength(1);
});

test("--traffic refuses a folder that is not empty, before anything is started", async () => {
  mkdirSync(join(first.path, "full/inner"), { recursive: true });
  const { code, stderr } = await run(["agent", "--traffic", "full", ...program]);
  expect([code, stderr]).toEqual([
    2,
    "fullstop: --traffic full: it exists and is not an empty folder. Name a new folder, or empty this one.\n",
  ]);
  expect(existsSync(join(first.path, "full/detection"))).toBe(false);
});

test("an unknown check ends with 2 and those that exist", async () => {
  const { code, stderr } = await run(["agent", "--only", "stop.words/refusel", ...program]);
  expect(code).toBe(2);
  expect(stderr).toContain('stop.words has no check "refusel". It has ');
});

test("reports of two folders are equal but for the date, and name no path or port of this machine", async () => {
  const code = `await import("./agent.mjs"); console.log(process.env.ANTHROPIC_BASE_URL, import.meta.filename, process.execPath); throw new Error("seen");`;
  const judged = folders.map(async (folder): Promise<Report> => {
    folder.put("crash.mjs", code);
    const { stdout } = await folder.run([
      "agent",
      ...limits,
      "--only",
      "stop.no-word",
      "--reporter",
      "json",
      "--",
      process.execPath,
      join(folder.path, "crash.mjs"),
    ]);
    return { ...(JSON.parse(stdout) as Report), at: "2026-11-22T02:00:00.000Z" };
  });
  const [one, other] = await Promise.all(judged);
  if (one === undefined) throw new Error("The report is missing.");
  expect(one).toEqual(other);
  for (const [name, write] of Object.entries(reporters)) {
    const text = write(one);
    for (const words of ["node crash.mjs", "Error: seen"]) expect(text, name).toContain(words);
    for (const part of [first.path, process.execPath, "/conformance-test-"])
      expect(text, name).not.toContain(part);
    expect(text, name).not.toMatch(/127\.0\.0\.1:[1-9]/);
  }
});

test("--name names the subject, and the command can be copied into a shell", async () => {
  const { stdout } = await run([
    "agent",
    ...limits,
    "--only",
    "stop.no-word",
    "--name",
    "my agent",
    "--reporter",
    "json",
    "--",
    process.execPath,
    join(first.path, "agent.mjs"),
    "it's two words",
  ]);
  const { subjects } = JSON.parse(stdout) as Report;
  expect(subjects[0]?.name).toBe("my agent");
  expect(subjects[0]?.command).toBe(
    String.raw`npx fullstop conformance agent -- node agent.mjs 'it'\''s two words'`,
  );
});

test("a program in the folder for temporary files is named without the folder", async () => {
  const { stdout } = await run([
    "agent",
    ...limits,
    "--only",
    "history.result/one-call",
    "--",
    process.execPath,
    join(second.path, "agent.mjs"),
  ]);
  expect(stdout).toContain("node agent.mjs: 1 of 1 must; 1 kept");
});

test("a broken should ends with 0, and with 1 if --strict is given", async () => {
  const judge = (...more: readonly string[]) =>
    run(["agent", ...limits, "--only", "stop.used-up", ...more, ...program]);
  const lenient = await judge();
  expect(lenient.stdout).toContain("stop.used-up (should) is broken");
  expect(lenient.code).toBe(0);
  expect((await judge("--strict")).code).toBe(1);
});

test("--reporter issue writes a text that can be sent, with one command that repeats it", async () => {
  const { code, stdout } = await run([
    "agent",
    ...limits,
    "--only",
    "stop.cut",
    "--reporter",
    "issue",
    ...program,
  ]);
  expect(code).toBe(1);
  for (const words of [
    "The check `stop.cut/cut-before-end`.",
    "Expected: `runs nothing`",
    "Seen: `runs write",
    "Public reports of the same kind",
    "- protocol: anthropic-messages",
  ])
    expect(stdout).toContain(words);
  expect(stdout).toMatch(
    /```sh\nnpx fullstop conformance agent --only stop\.cut\/cut-[a-z-]+ -- node agent\.mjs\n```/,
  );
});

test("adapter --traffic writes the runs of a loop, and refuses a module without one", async () => {
  const suite = import.meta.resolve("@fullstop/conformance");
  put(
    "loop.ts",
    `import kept from "./kept.ts"; import { smallLoop } from "${new URL("./loop/small-loop.ts", suite)}"; export default smallLoop(kept);`,
  );
  const judge = (module: string, folder: string) =>
    run(["adapter", module, "--only", "stop.cut", "--traffic", folder]);
  const { code, stderr } = await judge("./loop.ts", "loop-traffic");
  expect(stderr).toContain("The traffic of 4 runs");
  expect(code).toBe(0);
  expect(readdirSync(join(first.path, "loop-traffic"))).toContain("acme-chat_one-call");
  expect((await judge("./kept.ts", "no-traffic")).stderr).toContain("the module has no loop");
  expect(existsSync(join(first.path, "no-traffic"))).toBe(false);
});
