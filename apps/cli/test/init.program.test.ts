import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { type Kind, kindNames } from "../src/init/kinds.ts";
import { main } from "./fullstop.ts";

const modules = fileURLToPath(new URL("../node_modules", import.meta.url));
const sources = "--conditions=@fullstop/source";
const folder = mkdtempSync(join(tmpdir(), "init-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

const node = (args: readonly string[], cwd: string) =>
  spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
const init = (...args: readonly string[]) => node([sources, main, "init", ...args], folder);

/** What each program prints with the packages of this repository. */
const runs: Readonly<Record<Kind, { readonly args: readonly string[]; readonly prints: RegExp }>> =
  {
    agent: {
      args: [sources, "agent.ts"],
      prints: /^weather runs for Oslo\n4 °C in Oslo: take a coat\.\nThe model finished/,
    },
    guard: {
      args: [sources, "agent.ts"],
      prints: /^\s*\[The guard held back delete_files, and nothing of it ran,/,
    },
    judge: {
      args: [
        sources,
        main,
        "conformance",
        "agent",
        "--only",
        "stop.words",
        "--",
        "node",
        "agent.ts",
      ],
      prints: /1 of 1 must/,
    },
  };

describe.for(kindNames)("fullstop init %s", (kind) => {
  const program = join(folder, `fullstop-${kind}`);

  it("writes a program and says the next command", () => {
    const { status, stdout } = init(kind);
    expect(status).toBe(0);
    expect(stdout).toContain(`cd fullstop-${kind}\n`);
    expect(readdirSync(program)).toContain("agent.ts");
    const manifest = readFileSync(join(program, "package.json"), "utf8");
    expect(manifest).not.toContain("VERSION");
    expect(JSON.parse(manifest).scripts.start).toBeTypeOf("string");
  });

  it("overwrites nothing", () => {
    writeFileSync(join(program, "agent.ts"), "mine");
    rmSync(join(program, "tsconfig.json"));
    const { status, stderr } = init(kind);
    expect(status).toBe(2);
    expect(stderr).toContain("already has agent.ts, ");
    expect(readFileSync(join(program, "agent.ts"), "utf8")).toBe("mine");
    expect(existsSync(join(program, "tsconfig.json"))).toBe(false);
  });

  it("writes what compiles and runs without a key", () => {
    const other = join(folder, "other", kind);
    expect(init(kind, other).status).toBe(0);
    symlinkSync(modules, join(other, "node_modules"));
    const tsc = join(modules, "typescript/bin/tsc");
    expect(node([tsc, "--customConditions", "@fullstop/source"], other)).toMatchObject({
      status: 0,
      stdout: "",
    });
    const { args, prints } = runs[kind];
    const { status, stdout, stderr } = node(args, other);
    expect(stdout, stderr).toMatch(prints);
    expect(status).toBe(0);
  });
});

describe("fullstop init", () => {
  it("says so if the folder is a file", () => {
    writeFileSync(join(folder, "taken"), "mine");
    const { status, stderr } = init("agent", "taken");
    expect(status).toBe(2);
    expect(stderr).toBe("fullstop: cannot write taken: a file has this name\n");
  });

  it("names the three commands if it has no terminal to ask in", () => {
    const { status, stderr } = init();
    expect(status).toBe(2);
    for (const kind of kindNames) expect(stderr).toContain(`fullstop init ${kind}`);
    expect(init("robot").stderr).toContain("agent, guard, judge");
  });

  const script = "/usr/bin/script";
  it.skipIf(!existsSync(script))("asks in a terminal until the answer is one of three", () => {
    const cwd = mkdtempSync(join(folder, "asked-"));
    const line = [process.execPath, sources, main, "init"].map((word) => `'${word}'`).join(" ");
    const shown = execFileSync(script, ["-qec", line, "/dev/null"], {
      cwd,
      encoding: "utf8",
      input: "4\n2\n",
    });
    expect(shown.match(/What do you have\?/g)).toHaveLength(2);
    expect(readdirSync(cwd)).toEqual(["fullstop-guard"]);
  });
});

it("prints commands that a shell can run: without `cd .`, and with paths in quotes", () => {
  const here = join(folder, "it's here");
  mkdirSync(here);
  const steps = (...args: readonly string[]): string =>
    node([sources, main, "init", "agent", ...args], here).stdout;
  expect(steps(".")).not.toContain("cd ");
  expect(steps("a folder")).toContain("  cd 'a folder'\n");
  expect(steps("it's")).toContain("  cd 'it'\\''s'\n");
});

it("prints the steps of npm outside of this repository", () => {
  const copied = join(folder, "copy");
  cpSync(fileURLToPath(new URL("..", import.meta.url)), copied, {
    recursive: true,
    filter: (path) => !/node_modules|[/\\](?:dist|test)$/.test(path),
  });
  symlinkSync(modules, join(copied, "node_modules"));
  const { stdout } = node([sources, join(copied, "src/main.ts"), "init", "agent", "new"], folder);
  expect(stdout).toContain("  cd new\n  npm install\n  npm start\n");
  expect(stdout).not.toMatch(/ln -s|conditions/);
});
