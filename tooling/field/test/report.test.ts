import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  agentClauses,
  fieldFile,
  type MeasuredSystem,
  printField,
  readField,
} from "@tooling/docs/field";
import { fieldText } from "@tooling/docs/field-report";
import { fieldSummary, isJudged, isOther } from "@tooling/docs/field-tables";
import { root } from "@tooling/publish/process";
import { describe, expect, it } from "vitest";

describe("the stored results", () => {
  const subjects = readField().systems.flatMap((system) => system.subjects);

  it("have a line for each system and configuration, and no traffic", () => {
    const text = readFileSync(join(root, fieldFile), "utf8");
    expect(text).toBe(printField(readField()));
    expect(text).not.toContain('"bytes":');
    for (const { name } of subjects)
      expect(
        text
          .split("\n")
          .filter((line) => line.startsWith(`{"name":${JSON.stringify(name)},"wire"`)),
      ).toHaveLength(1);
  });

  it("count a must only if a page of its own protocol is behind it", () => {
    const musts = agentClauses.filter(({ level }) => level === "must");
    const asked = subjects.flatMap(({ wire, findings }) =>
      musts
        .filter(({ id }) => ["kept", "broken"].includes(findings[id]?.status ?? ""))
        .map(({ id, references }) => ({
          clause: `${id} of ${wire}`,
          isPaged: references.some((one) => one.wire === wire && "url" in one),
        })),
    );
    expect(asked.length).toBeGreaterThan(1000);
    expect(asked.filter(({ isPaged }) => !isPaged)).toEqual([]);
  });
});

describe("the first table", () => {
  const text = fieldText(readField());
  const [, rest = ""] = text.split("### All systems");
  const [table = ""] = rest.split("###");

  it("has no column of a should", () => {
    expect(table).not.toContain("ends with a call in its text");
    expect(text).toContain("No vendor was asked");
  });

  it("names a newer release in each row that is not of the newest", () => {
    const older = readField().systems.filter(({ version, newest }) => version !== newest?.version);
    const named = table.split("\n").filter((line) => line.includes("(newest: "));
    expect(named).toHaveLength(older.filter(isOther).length);
    for (const { title, version } of older.filter(isOther))
      expect(
        named.some((line) => line.includes(title) && line.includes(`${version} (newest: `)),
      ).toBe(true);
  });
});

describe("the summary for the README", () => {
  const text = fieldSummary(readField());

  it("has every library that was judged in exactly one row of what ran", () => {
    const judged = readField()
      .systems.filter(isOther)
      .filter(({ subjects }) => subjects.some(isJudged));
    const rows = text.split("\n").filter((line) => /^\| ran /.test(line));
    expect(rows).toHaveLength(4);
    const names = rows.flatMap((row) => row.split(" | ")[2]?.split(" · ") ?? []);
    expect(names.filter((name) => !/^–|Fullstop/.test(name))).toHaveLength(judged.length);
  });

  it("names the newest release beside an older one, and says if it is not known", () => {
    const [system] = readField().systems.filter(({ newest }) => newest !== undefined);
    const shown = (anew: Partial<MeasuredSystem>): string =>
      fieldSummary({ suite: "", systems: [{ ...(system as MeasuredSystem), ...anew }] });
    expect(shown({})).not.toContain("newest");
    const newest = { version: "99.0.0", at: "2026-01-01T00:00:00Z" };
    expect(shown({ newest })).toContain(`${system?.version} (newest: 99.0.0)`);
    const { newest: _, ...unknown } = system as MeasuredSystem;
    expect(fieldSummary({ suite: "", systems: [unknown] })).toContain("(newest: not known)");
  });

  it("counts only the libraries that could be judged", () => {
    const [, rest = ""] = fieldText(readField()).split("### All systems");
    const [all = ""] = rest.split("###");
    const rows = all.split("\n").filter((line) => /\| \d{4}-\d\d-\d\d \|/.test(line));
    const notJudged = rows.filter((row) => row.includes("| not run | not run | not run |"));
    const own = rows.filter((row) => row.includes("Fullstop, which was developed with this suite"));
    expect(own).toHaveLength(3);
    expect(text).toContain(`asked ${rows.length - notJudged.length - own.length} other libraries`);
    expect(notJudged.length).toBeGreaterThan(0);
  });

  it("says in how many configurations a harm was seen, and never only whether", () => {
    expect(text).toMatch(/ \d+\/\d+ · /);
    expect(text).not.toMatch(/\| (?:yes|no) \|/);
  });
});
