import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const root = new URL("../../../", import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};
/** The commands that are programs of this repository, with the words behind `node`. */
const programs = Object.entries(scripts).flatMap(([name, script]) => {
  const words = / && node ((?:--conditions=\S+ )?\S+\.ts.*)$/.exec(script)?.[1]?.split(" ");
  return words === undefined ? [] : [{ name, words }];
});
/** Without Node's own warnings: on a busy machine it warns of its timers. */
const env = { ...process.env, NODE_NO_WARNINGS: "1" };
const start = (words: readonly string[]) =>
  spawnSync(process.execPath, words, { cwd: root, encoding: "utf8", env });

test("the commands are found", () => {
  expect(programs.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["site", "playground", "generate", "new-provider", "field", "bench"]),
  );
});

describe.for(programs)("pnpm $name", ({ words }) => {
  test("explains itself with --help", () => {
    const { status, stdout, stderr } = start([...words, "--help"]);
    expect(stderr).toBe("");
    expect(stdout.split("\n").length).toBeGreaterThan(4);
    expect(stdout).toContain("Exit codes");
    expect(status).toBe(0);
  });

  test("refuses an unknown option with exit code 2, and names it", () => {
    const { status, stdout, stderr } = start([...words, "--no-such-option"]);
    expect(stderr).toContain("--no-such-option");
    expect(stderr).not.toContain("    at ");
    expect(stdout).toBe("");
    expect(status).toBe(2);
  });
});
