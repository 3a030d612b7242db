import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("..", import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), "utf8");

test("each test that DEFECTS.md names exists", () => {
  const [, table = ""] = read("DEFECTS.md").split("# Defects of other loops");
  const named = [...table.matchAll(/^\| (?:[BFHTU]\d+ ?)+ \| [^|]+ \| ([^|]+) \|$/gm)].map(
    ([, name = ""]) => name,
  );
  expect(named.length).toBe(table.split("\n").filter((line) => line.startsWith("| ")).length - 1);
  const sources = globSync("test/*.test.ts", { cwd: root }).map(read).join("\n");
  expect(named.filter((name) => !sources.includes(`"${name}"`))).toEqual([]);
});
