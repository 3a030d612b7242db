import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "@tooling/docs/blocks";
import { root } from "@tooling/publish/process";
import { expect, it } from "vitest";
import { systems } from "../src/systems.ts";

const pages = globSync("docs/from-*.md", { cwd: root });

it.each(pages)("every code block of %s is compiled, by a test or by `pnpm check:pages`", (file) => {
  const text = readFileSync(join(root, file), "utf8");
  const theirs = systems.flatMap(({ name }) => blocksOf(file, text, name));
  const all = [...text.matchAll(/^```ts\b/gm)].length;
  expect(theirs.length).toBeGreaterThan(5);
  expect(theirs.length + blocksOf(file, text).length).toBe(all);
});

it("tells the code of another library from the code of this repository", () => {
  const text = "```ts ai-sdk\ntheirs;\n```\n\n```ts run\nours;\n```\n";
  expect(blocksOf("a.md", text).map(({ code }) => code)).toEqual(["ours;\n"]);
  expect(blocksOf("a.md", text, "ai-sdk").map(({ code }) => code)).toEqual(["theirs;\n"]);
});
