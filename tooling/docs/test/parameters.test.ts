import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../src/blocks.ts";
import { parameterFlaws, parameterRows } from "../src/parameters.ts";

const pages = globSync(
  ["packages/provider-*/README.md", "tooling/new-provider/template/README.md"],
  {
    cwd: root,
    exclude: ["packages/provider-{mock,openai-websocket}/**"],
  },
);
const read = (path: string): string => readFileSync(join(root, path), "utf8");

describe("the table of parameters", () => {
  it.each(pages)("has the same rows in %s, and names only what its example sets", (page) => {
    const file = join(dirname(page), "test/every-parameter.ts");
    const example = existsSync(join(root, file)) ? read(file) : "";
    expect(parameterFlaws(read(page), example)).toEqual([]);
  });

  it("is on the page of every adapter", () => expect(pages.length).toBeGreaterThan(5));
});

describe("a table that is wrong", () => {
  const cells = parameterRows.map((name) => `| ${name} | the provider has none |`);
  const page = (...rows: readonly string[]): string =>
    ["## Provider parameters", "", "| parameter | how |", "|---|---|", ...rows, "", "End."].join(
      "\n",
    );

  it.each<[string, string, string]>([
    ["has no section", "# A page", "The page has no section about the parameters."],
    ["lacks a row", page(...cells.slice(1)), 'The row "temperature" is missing.'],
    [
      "has another row",
      page(...cells, "| colour | `params: {}` |"),
      'The row "colour" is not one of the table\'s.',
    ],
    ["has an empty cell", page("| temperature |  |", ...cells.slice(1)), "has an empty cell"],
    [
      "names a parameter that the example does not set",
      page("| temperature | `params: { heat }` |", ...cells.slice(1)),
      "The example does not set `heat`",
    ],
  ])("%s", (_, text, flaw) => {
    expect(parameterFlaws(text, "params: { temperature: 1 }").join("\n")).toContain(flaw);
  });

  it("is only that: a right one has no flaw", () => {
    expect(parameterFlaws(page(...cells), "")).toEqual([]);
  });
});
