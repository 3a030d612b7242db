import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Finding, Report, Status } from "@fullstop/conformance";
import { describeReferences } from "@fullstop/conformance/report";
import type { MeasuredSystem } from "@tooling/docs/field";
import { fieldPage, fieldText } from "@tooling/docs/field-report";
import { fieldSummary } from "@tooling/docs/field-tables";
import { root } from "@tooling/publish/process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { measureSystem } from "../src/measure.ts";
import { addClause, compareAgain, differences, mergeResults } from "../src/results.ts";
import type { System } from "../src/system.ts";
import { systems } from "../src/systems.ts";

const only = "stop.no-word";
const command = [
  "--conditions=@fullstop/source",
  join(root, "apps/cli/src/main.ts"),
  "conformance",
];
const systemOf = (name: string): System => systems.find((system) => system.name === name) as System;
const inOneWay = (name: string, way: string): System => ({
  ...systemOf(name),
  ways: { [way]: systemOf(name).ways[way] ?? [] },
});
const dayOf = ({ at }: MeasuredSystem): string => at.slice(0, 10);
const statusOf = ({ subjects: [subject] }: MeasuredSystem): Status | undefined =>
  subject?.findings[only]?.status;

describe("two systems of this repository", () => {
  let naive: MeasuredSystem;
  let ours: MeasuredSystem;
  beforeAll(async () => {
    naive = await measureSystem(inOneWay("naive", "streamed"), { only });
    ours = await measureSystem(inOneWay("fullstop", "Anthropic"), { only });
  });

  it("are judged by the tools that they run", () => {
    expect([statusOf(naive), statusOf(ours)]).toEqual(["broken", "kept"]);
    expect(naive.subjects[0]?.findings[only]?.broken[0]?.actual).toContain("runs write");
  });

  it("are reported with versions and a command that repeats the measurement", () => {
    expect(ours.version).toMatch(/^\d/);
    expect(ours.subjects[0]?.versions?.["node"]).toBe(process.versions.node);
    expect(naive.subjects[0]?.command).toBe(
      "pnpm conformance agent -- node packages/conformance-cli/examples/naive/agent.mjs",
    );
  });

  it("are in each document with their findings", () => {
    const field = mergeResults(undefined, [ours, naive], "1.2.3");
    expect(field.systems.map(({ name }) => name)).toEqual(["naive", "fullstop"]);
    const text = fieldText(field);
    expect(text).toContain('- `stop.no-word` (should): one call under "": `runs write');
    expect(text).toContain(
      `agent --only ${only} -- node packages/conformance-cli/examples/naive/agent.mjs`,
    );
    expect(text).toContain("Every clause that was asked is kept.");
    expect(fieldPage(field)).toContain("2 of 2 subjects keep all that they must");
    expect(text).toContain(
      `| Naive agent, streamed | TypeScript | – | ${dayOf(naive)} | not run | not run | not run | not run | – | 0 / 1 |`,
    );
    expect(fieldSummary(field)).toContain("asked 0 other libraries");
  });

  it("are shown with the rules, levels and sources of the command", () => {
    const file = join(mkdtempSync(join(tmpdir(), "field-test-")), "report.json");
    const agent = ["--", "node", "packages/conformance-cli/examples/naive/agent.mjs"];
    const { status, stderr } = spawnSync(
      process.execPath,
      [...command, "agent", "--reporter=json", `--output=${file}`, ...agent],
      { cwd: root, encoding: "utf8" },
    );
    expect(status, stderr).toBe(1);
    const { clauses }: Report = JSON.parse(readFileSync(file, "utf8"));
    rmSync(dirname(file), { recursive: true });
    const lines = clauses.map(
      ({ id, level, rule, references }) =>
        `- \`${id}\` (${level}): ${rule} Because: ${describeReferences(references).replaceAll("`", "'")}`,
    );
    const text = fieldText(mergeResults(undefined, [naive], "1.2.3"));
    expect(text.slice(text.indexOf("## The clauses\n\n") + 16).trim()).toBe(lines.join("\n"));
  });

  it("are compared with a second measurement, check by check", () => {
    const field = mergeResults(undefined, [ours, naive], "1.2.3");
    expect(fieldText(field)).toContain("Each system was asked once.");
    const same = compareAgain(field, [ours, naive]);
    expect(fieldText(same)).toContain("2 of these systems were asked twice");
    expect(fieldText(same)).toContain("All checks had the same results.");
    const mended = { ...naive, subjects: ours.subjects };
    const [first] = compareAgain(field, [mended]).systems;
    expect(first?.again?.differences).toEqual([
      "Naive agent, streamed: stop.no-word/empty-stop failed only in the first measurement",
      "Naive agent, streamed: stop.no-word/missing-stop failed only in the first measurement",
    ]);
    expect(fieldText(field)).not.toContain("(unstable)");
    expect(fieldText(compareAgain(field, [mended]))).toContain(
      "| Naive agent, streamed (unstable) |",
    );
  });

  it("are compared with the previous results", () => {
    const before = mergeResults(undefined, [naive], "1.2.3");
    expect(differences(before, [naive, ours])).toEqual([]);
    const mended = {
      ...naive,
      subjects: naive.subjects.map((subject) => ({
        ...subject,
        findings: ours.subjects[0]?.findings ?? {},
      })),
    };
    expect(differences(before, [mended])).toEqual([
      "Naive agent, streamed: stop.no-word was broken and is now kept",
    ]);
    expect(mergeResults(before, [mended], "1.2.3").systems).toEqual([mended]);
  });

  it("get the verdict of one clause, and keep those of the others", () => {
    const kept = { "stop.cut": { status: "kept", checks: 1, broken: [] } } as const;
    const withFindings = (findings: Readonly<Record<string, Finding>>): MeasuredSystem => ({
      ...naive,
      subjects: naive.subjects.map((subject) => ({ ...subject, findings })),
    });
    const before = withFindings(kept);
    expect(addClause(before, { ...naive, at: "later" }, only)).toEqual(
      withFindings({ ...kept, ...naive.subjects[0]?.findings }),
    );
    const gone = withFindings({ [only]: { status: "not-run", checks: 0, broken: [] } });
    expect(addClause(before, gone, only)).toEqual(before);
    const older = before.subjects.map((subject) => ({ ...subject, versions: { node: "1.0.0" } }));
    expect(() => addClause({ ...before, subjects: older }, naive, only)).toThrow(
      "Naive agent, streamed was measured with other packages",
    );
    expect(() => addClause(undefined, naive, only)).toThrow("naive has no results yet");
  });
});

describe("a system that cannot be measured", () => {
  const drivers = mkdtempSync(join(tmpdir(), "drivers-"));
  afterAll(() => rmSync(drivers, { recursive: true }));
  const driver = (name: string, files: Readonly<Record<string, string>>): System => {
    mkdirSync(join(drivers, name));
    for (const [file, text] of Object.entries(files))
      writeFileSync(join(drivers, name, file), text);
    return { name, title: name, language: "TypeScript", ways: { whole: [] } };
  };
  const reasonOf = async (system: System): Promise<string | undefined> => {
    const { subjects } = await measureSystem(system, { only, drivers });
    const findings = Object.values(subjects[0]?.findings ?? {});
    expect(new Set(findings.map(({ status }) => status))).toEqual(new Set(["not-run"]));
    return findings[0]?.reason;
  };

  it("is not run if npm cannot install it", async () => {
    const peer = { dependencies: { gone: "file:./nowhere.tgz" } };
    expect(
      await reasonOf(
        driver("uninstallable", { "package.json": JSON.stringify(peer), "agent.mjs": "" }),
      ),
    ).toMatch(/^The installation failed: .*nowhere\.tgz/);
  });

  it("is not run if it makes no request", async () => {
    expect(
      await reasonOf(driver("silent", { "agent.mjs": 'console.log("good morning")' })),
    ).toMatch(/made no request.*good morning/s);
  });

  it("is not run if its interpreter is missing", async () => {
    expect(
      await reasonOf({ ...driver("strange", {}), start: ["no-such-interpreter", "agent.xyz"] }),
    ).toContain("no-such-interpreter");
  });
});
