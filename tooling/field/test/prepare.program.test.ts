import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { measureSystem } from "../src/measure.ts";
import { parseOptions } from "../src/options.ts";
import { installSystems } from "../src/prepare.ts";
import type { System } from "../src/system.ts";
import { systems } from "../src/systems.ts";

const folder = mkdtempSync(join(tmpdir(), "prepare-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const systemOf = (name: string): System => systems.find((system) => system.name === name) as System;
/** A folder with a program of this name that prints this version. */
function fakeProgram(name: string, version: string): string {
  const programs = mkdtempSync(join(folder, "bin-"));
  writeFileSync(join(programs, name), `#!/bin/sh\necho "${version}"\n`);
  chmodSync(join(programs, name), 0o755);
  return programs;
}
/** What is written to standard error while `work` runs. */
async function messagesOf<T>(work: () => Promise<T>): Promise<readonly [T, string]> {
  const written: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  return [await work(), written.join("")];
}

describe("a system whose language is not installed", () => {
  it.each([
    ["no Python", "another", "1.0"],
    ["an old Python", "python3", "Python 3.9.18"],
  ])("is not run, and the report says what was not found: %s", async (_, name, version) => {
    vi.stubEnv("PATH", fakeProgram(name, version));
    const { subjects } = await measureSystem(systemOf("python/agno"), { only: "stop.no-word" });
    const findings = subjects.flatMap((subject) => Object.values(subject.findings));
    expect(new Set(findings.map(({ status }) => status))).toEqual(new Set(["not-run"]));
    expect(findings[0]?.reason).toBe(
      "Python 3.11 or newer was not found as python3, python3.11, python3.12, python3.13, python: install it, or put it on PATH.",
    );
  });

  it("is skipped by --install, which still succeeds", async () => {
    vi.stubEnv("PATH", fakeProgram("python3", "Python 3.9.18"));
    const [isComplete, text] = await messagesOf(() => installSystems([systemOf("python/agno")]));
    expect(isComplete).toBe(true);
    expect(text).toContain("python/agno: not installed: Python 3.11 or newer was not found");
  });
});

it("says what the installer says, and that not all could be installed", async () => {
  mkdirSync(join(folder, "gone"));
  const manifest = JSON.stringify({ dependencies: { gone: "file:./nowhere.tgz" } });
  writeFileSync(join(folder, "gone/package.json"), manifest);
  const gone: System = { name: "gone", title: "Gone", language: "TypeScript", ways: {} };
  const [isComplete, text] = await messagesOf(() => installSystems([gone], folder));
  expect(isComplete).toBe(false);
  expect(text).toMatch(/gone: not installed: The installation failed: .*nowhere\.tgz/);
});

it("explains wrong options", () => {
  expect(parseOptions(["--install", "--only", "python/agno"])).toMatchObject({
    install: true,
    asked: [{ name: "python/agno" }],
  });
  expect(() => parseOptions(["--install", "--guarded"])).toThrow(
    "--install measures nothing: leave",
  );
  expect(parseOptions(["--clause", "stop.cut"])?.clause).toBe("stop.cut");
  expect(() => parseOptions(["--clause", "cut"])).toThrow("Unknown clause: cut. Known are stop.");
  expect(() => parseOptions(["--clause", "stop.cut", "--again"])).toThrow("leave the other");
  expect(() => parseOptions(["--html", "--only", "naive"])).toThrow("--html measures nothing");
  expect(() => parseOptions(["--gateways", "--install"])).toThrow("are for systems");
  expect(() => parseOptions(["--only", "agno"])).toThrow(/Unknown name: agno\. Known are ai-sdk/);
});

describe("the sentence about a missing toolchain", () => {
  it.each([
    ["go/eino", "Go 1.26 or newer was not found as go: install it, or put it on PATH."],
    ["rust/rig", "Cargo 1.97.1 or newer was not found as cargo: install it, or put it on PATH."],
    ["java/langchain4j", "Maven 3.6 or newer was not found as mvn: install it, or put it on PATH."],
  ])("names the program: %s", async (name, sentence) => {
    vi.stubEnv("PATH", fakeProgram("another", "1.0"));
    const [isComplete, text] = await messagesOf(() => installSystems([systemOf(name)]));
    expect([isComplete, text]).toEqual([true, `${name}: not installed: ${sentence}\n`]);
  });

  it("names a version that is too old", async () => {
    vi.stubEnv("PATH", fakeProgram("go", "go version go1.22.1 linux/amd64"));
    const [, text] = await messagesOf(() => installSystems([systemOf("go/eino")]));
    expect(text).toContain("Go 1.26 or newer is needed, and go is 1.22.1: install a newer one");
  });
});
