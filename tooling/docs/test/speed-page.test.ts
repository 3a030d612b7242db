import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findOld, readComparisons } from "../src/ages.ts";
import { root } from "../src/blocks.ts";
import { describeReleases, findStaleReleases, speedPage, tablesOf } from "../src/speed-page.ts";

const tableWith = (releases: string | undefined) => {
  const about = "`pnpm bench`: Node v26.10.0, linux x64, 2 × CPU, 2026-11-27.";
  const rows = "| wire | reply | pi |\n| --- | --- | ---: |\n| anthropic | text | 2.00× |";
  const text = [about, rows, "- `pi`: pi 1.6.0, stream", releases ?? ""].join("\n\n");
  return tablesOf(`<!-- bench -->\n${text}\n<!-- /bench -->`);
};
const problemsOf = (releases: string | undefined): readonly string[] =>
  tableWith(releases).flatMap(findStaleReleases);

describe("a comparison of speed", () => {
  it("names the releases of other projects, and on which day they were the newest", () => {
    const pi = { "@earendil-works/pi-ai": "1.6.0" };
    expect(problemsOf(describeReleases(pi, "2026-11-27"))).toEqual([]);
    expect(problemsOf(undefined)).toEqual(["bench does not name the releases of other projects"]);
    expect(problemsOf(describeReleases(pi, "2026-11-26"))).toEqual([
      "bench is newer than what it says about releases",
    ]);
    expect(problemsOf(describeReleases({ other: "0.87.1" }, "2026-11-27"))).toEqual([
      "bench names 1.6.0, which is not among the newest releases",
    ]);
  });

  it("is so in each table of the page", () => {
    const tables = tablesOf(readFileSync(join(root, speedPage), "utf8"));
    expect(tables.map(({ name }) => name)).toEqual([
      "bench",
      "more",
      "gateway",
      "deltas",
      "imports",
    ]);
    expect(tables.flatMap(findStaleReleases)).toEqual([]);
  });
});

describe("what is published about other projects", () => {
  it("is too old after 60 days", () => {
    const row = { what: "A row", day: "2026-11-28", again: "pnpm field --only row" };
    expect(findOld([row], "2027-01-27")).toEqual([]);
    expect(findOld([row], "2027-01-28")).toEqual([
      "A row was measured on 2026-11-28, more than 60 days ago: measure it again with `pnpm field --only row`, or take it out.",
    ]);
  });

  it("has a day in every document", () => {
    const comparisons = readComparisons();
    expect(comparisons.length).toBeGreaterThan(60);
    expect(comparisons.filter(({ day }) => !/^\d{4}-\d\d-\d\d$/.test(day))).toEqual([]);
  });
});
