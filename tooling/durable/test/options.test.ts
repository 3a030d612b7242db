import { expect, test } from "vitest";
import { help, parseOptions } from "../src/options.ts";
import { rowNames } from "../src/spec.ts";

test("--help names the rows, the exit codes and an example", () => {
  for (const row of rowNames) expect(help).toContain(row);
  expect(help).toContain("Exit codes: 0 ");
  expect(parseOptions(["--help"])).toBe("help");
});

test("without options all rows are measured, and --quick takes those that need no engine", () => {
  expect(parseOptions(["--seed", "7"])).toMatchObject({ mode: "table", only: rowNames, seed: 7 });
  expect(parseOptions(["--quick"])).toMatchObject({ only: ["file", "sqlite", "postgres"] });
});

test.each([
  [["--only", "redis"], 'Unknown name "redis" in --only: expected file, sqlite,'],
  [["--scenario", "fire"], 'Unknown name "fire" in --scenario: expected kills,'],
  [["--seed", "x"], '--seed must be an integer, not "x".'],
  [["--quick", "--load"], "--quick and --load cannot be combined."],
  [["--sed", "1"], "--sed"],
])("%j is invalid", (args, sentence) => {
  const options = parseOptions(args);
  expect(options !== "help" && "wrong" in options && options.wrong).toContain(sentence);
});
