import { readFileSync } from "node:fs";
import { type Schema, Validator } from "@cfworker/json-schema";
import { clauses, type Status, textForLoops } from "@fullstop/conformance";
import { hasFailures } from "@fullstop/conformance/report";
import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import { reporters } from "../src/index.ts";
import acme from "./acme.ts";
import { createReport, hostile, hostileReport } from "./reports.ts";

const [mutant] = clauses.find(({ id }) => id === "stop.cut")?.mutants ?? [];
if (mutant === undefined) throw new Error("stop.cut has no mutant");
const broken = await createReport("careless", mutant.subject(acme), "stop.cut");
const kept = await createReport("sound", acme, "turn");

describe("json", () => {
  const schema = JSON.parse(
    readFileSync(new URL("../../../apps/cli/report.schema.json", import.meta.url), "utf8"),
  ) as Schema;
  const errorsOf = (report: unknown): readonly string[] =>
    new Validator(schema, "2020-12", false).validate(report).errors.map(({ error }) => error);

  test.for([
    ["of a subject that keeps a family", kept],
    ["of one that breaks a clause", broken],
    ["with every status and hostile texts", hostileReport],
  ] as const)("a report %s matches the schema", ([, report]) => {
    const written: unknown = JSON.parse(reporters.json(report));
    expect(written).toEqual(JSON.parse(JSON.stringify(report)));
    expect(errorsOf(written)).toEqual([]);
  });

  test("the schema refuses an invalid report", () => {
    const { subjects } = broken;
    const wrong = (finding: object): unknown => ({
      ...broken,
      subjects: [{ ...subjects[0], findings: { "stop.cut": finding } }],
    });
    for (const report of [
      {},
      { ...broken, extra: 1 },
      { ...broken, at: "yesterday" },
      { ...broken, clauses: [{ ...broken.clauses[0], level: "may" }] },
      wrong({ status: "fine", checks: 1, broken: [] }),
      wrong({ status: "broken", checks: 1, broken: [] }),
      wrong({ status: "not-claimed", checks: 0, broken: [] }),
    ])
      expect(errorsOf(report), JSON.stringify(report)).not.toEqual([]);
  });
});

/** The elements of an XML text, read by a strict parser: their names, attributes and texts. */
function elements(xml: string): readonly {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}[] {
  const found: { name: string; attributes: Record<string, string>; text: string }[] = [];
  const open: (typeof found)[number][] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes, text: "" };
    found.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    const last = open.at(-1);
    if (last !== undefined) last.text += text;
  });
  parser.on("closetag", () => open.pop());
  parser.write(xml).close();
  return found;
}

describe("junit", () => {
  test("has a test suite for each subject and a test case for each clause, with its failure", () => {
    const all = elements(reporters.junit(broken));
    const [suite, item, failure] = ["testsuite", "testcase", "failure"].map((name) =>
      all.find((element) => element.name === name),
    );
    expect(suite).toMatchObject({
      name: "testsuite",
      attributes: { name: "careless", tests: "1", failures: "1", skipped: "0", errors: "0" },
    });
    expect(item?.attributes["name"]).toMatch(/^stop\.cut: /);
    expect(failure).toMatchObject({ name: "failure", attributes: { type: "broken" } });
    for (const words of ["because", "expected", "actual", "reply"])
      expect(failure?.text).toContain(words);
  });

  test("is XML that a strict parser reads, also with hostile texts", () => {
    const all = elements(reporters.junit(hostileReport));
    const named = (name: string): typeof all => all.filter((element) => element.name === name);
    expect(
      named("testsuite").map(({ attributes }) => [
        attributes["tests"],
        attributes["failures"],
        attributes["skipped"],
      ]),
    ).toEqual([
      ["6", "2", "3"],
      ["6", "2", "3"],
    ]);
    expect([named("failure").length, named("skipped").length, named("script").length]).toEqual([
      4, 6, 0,
    ]);
    expect(named("failure")[0]?.text).toContain("<script>document.title='taken'</script>");
    expect(named("failure")[0]?.text).toContain("]]>\\u0000\\u0008\\u001b[31mred");
  });
});

describe("terminal", () => {
  test("has a row for each family, a column for each subject, and below them what is broken", () => {
    const [subject] = kept.subjects;
    const both = {
      ...broken,
      clauses: [...broken.clauses, ...kept.clauses],
      subjects: [...broken.subjects, ...(subject ? [subject] : [])],
    };
    const lines = reporters.terminal(both).split("\n");
    expect(lines[0]).toMatch(/^ +careless +sound$/);
    expect(lines[1]).toMatch(/^ +stop +✖ 0\/1 +· not run$/);
    expect(lines[2]).toMatch(/^ +turn +· not run +✔ (\d+)\/\1(, should (\d+)\/\3)?$/);
    expect(lines.slice(3).join("\n")).toMatch(
      /✖ careless: stop\.cut is broken\. A reply .*\n\nbecause .*#558[\s\S]*and at least \d+ more\n/,
    );
    expect(lines.at(-2)).toMatch(
      /^sound: (\d+) of \1 must, (\d+) of \2 should; \d+ kept, 1 not run \([\d,]+ checks\)$/,
    );
  });

  test("escapes control characters", () => {
    const plain = reporters.terminal(hostileReport);
    const unescaped = [...plain].filter(
      (char) =>
        (char < " " && char !== "\n" && char !== "\t") || "\u007f\u0085\u2028\u202e".includes(char),
    );
    expect(unescaped).toEqual([]);
    expect(plain).toContain("\\u001b[31mred");
  });
});

test("html escapes every text", () => {
  const html = reporters.html(hostileReport);
  expect(html).not.toMatch(/<script|<img|href="(?!https:|data:,)/);
  expect(html).toContain("&lt;/style&gt;&lt;/script&gt;&lt;script&gt;");
  expect(hostile).toContain("<script>");
});

test.for([
  [["kept", "not-run"], "one keeps 1 of 1 must"],
  [["broken"], "one keeps 0 of 1 must"],
  [["expected-failure"], "one keeps 0 of 1 must"],
  [["not-asked"], "Nothing was asked"],
  [["kept", "expected-failure"], "2 of 2 subjects keep all that they must"],
  [["kept", "broken", "stale", "not-run"], "1 of 3 subjects keep all that they must"],
] as const)("html begins with the result: %s", ([statuses, headline]) => {
  const [clause] = kept.clauses;
  const subjects = statuses.map((status, n) => ({
    name: n === 0 ? "one" : "other",
    wire: "w",
    findings: { [clause?.id ?? ""]: { status, checks: 1, broken: [] } },
  }));
  expect(reporters.html({ ...kept, clauses: clause ? [clause] : [], subjects })).toContain(
    `<h1>${headline}</h1>`,
  );
});

test("a report fails by what is stale and by a broken must; if it is strict, by a broken should", () => {
  const failing = (status: Status, level: "must" | "should", strict?: true): boolean => {
    const finding = { status, checks: 1, broken: [] };
    const clause = { id: "some.clause", rule: "A rule.", level, references: [] };
    return hasFailures({
      ...kept,
      ...(strict && { strict }),
      clauses: [clause],
      subjects: [{ name: "one", wire: "w", findings: { [clause.id]: finding } }],
    });
  };
  const statuses: readonly Status[] = [
    "kept",
    "broken",
    "stale",
    "expected-failure",
    "not-asked",
    "not-claimed",
    "not-run",
  ];
  expect(statuses.filter((status) => failing(status, "must"))).toEqual(["broken", "stale"]);
  expect(statuses.filter((status) => failing(status, "should"))).toEqual(["stale"]);
  expect(statuses.filter((status) => failing(status, "should", true))).toEqual(["broken", "stale"]);
});

describe("a broken clause that only should be kept", () => {
  const [finding] = broken.subjects.flatMap(({ findings }) => Object.values(findings));
  const clause = { id: "some.advice", rule: "Do so.", level: "should" as const, references: [] };
  const report = {
    ...broken,
    clauses: [clause],
    subjects: [{ name: "one", wire: "w", findings: finding ? { [clause.id]: finding } : {} }],
  };

  test("is visible in each report, and counted apart", () => {
    expect(reporters.terminal(report)).toMatch(
      /✖ one: some\.advice \(should\) is broken[\s\S]*one: 0 of 1 should; 1 broken/,
    );
    expect(reporters.html(report)).toContain("<h1>one keeps 0 of 1 should</h1>");
    expect(reporters.html(report)).toContain("<td>0 of 1</td>");
    const all = elements(reporters.junit(report));
    expect(all.find(({ name }) => name === "testsuite")?.attributes).toMatchObject({
      failures: "0",
      skipped: "1",
    });
    expect(all.find(({ name }) => name === "skipped")?.attributes["message"]).toBe(
      "broken: Do so.",
    );
    expect(all.find(({ name }) => name === "system-out")?.text).toContain("actual");
    expect(all.find(({ attributes }) => attributes["name"] === "kept")?.attributes["value"]).toBe(
      "0 of 1 should",
    );
  });

  test("has a share and a part of the bar of its own, where others must be kept", () => {
    const must = { ...clause, id: "some.rule", level: "must" as const };
    const both = {
      ...report,
      clauses: [must, clause],
      subjects: report.subjects.map((subject) => ({
        ...subject,
        findings: {
          ...subject.findings,
          [must.id]: { status: "kept" as const, checks: 1, broken: [] },
        },
      })),
    };
    const html = reporters.html(both);
    expect(html).toContain('<td class="short advice">1/1, should 0/1</td>');
    expect(html).toContain('<span class="broken advice" title="broken (should)">');
    expect(html).not.toContain('title="broken"><span aria-hidden');
    expect(reporters.terminal(both)).toMatch(/^ +some +✖ 1\/1, should 0\/1$/m);
  });

  test("fails a strict report", () => {
    const all = elements(reporters.junit({ ...report, strict: true }));
    expect(all.find(({ name }) => name === "testsuite")?.attributes["failures"]).toBe("1");
    expect(all.some(({ name }) => name === "failure")).toBe(true);
  });
});

describe("issue", () => {
  test("is a text for each broken clause, and shows no mention of another project", () => {
    const text = reporters.issue({
      ...broken,
      subjects: broken.subjects.map((subject) => ({
        ...subject,
        command: "npx fullstop conformance adapter ./careless.ts --only stop",
      })),
    });
    for (const words of [
      "# stop.cut: A reply that ends before",
      "## What happened",
      "Expected: `interrupted, runs nothing`",
      "<details><summary>The reply that it got</summary>\n\n```\ndata: ",
      "```sh\nnpx fullstop conformance adapter ./careless.ts --only stop.cut\n```",
      "(https://redirect.github.com/OpenRouterTeam/ai-sdk-provider/issues/558)",
      "- `@fullstop/conformance` 0.0.0",
      "it keeps 0 of 1 must",
    ])
      expect(text).toContain(words);
    expect(text).not.toContain("https://github.com/OpenRouterTeam");
  });

  test("says so if nothing is broken, and no text ends a block of code", () => {
    expect(reporters.issue(kept)).toBe("Nothing is broken, so there is nothing to report.\n");
    const [subject] = broken.subjects;
    const check = { at: "one", expected: "this", actual: "```\n# taken\n````" };
    const text = reporters.issue({
      ...broken,
      subjects: [
        {
          name: subject?.name ?? "",
          wire: "w",
          findings: { "stop.cut": { status: "broken", checks: 1, broken: [check] } },
        },
      ],
    });
    expect(text).toContain("`````\n```\n# taken\n````\n`````");
  });

  test("is one text for each cause, with the check of the protocol and the origin of the loop", () => {
    const ids = ["call.cut-input", "stop.used-up", "stop.words"];
    const finding = {
      status: "broken" as const,
      checks: 1,
      broken: [{ at: "one call", expected: "runs nothing", actual: "runs write" }],
    };
    const text = reporters.issue({
      ...broken,
      clauses: clauses.filter(({ id }) => ids.includes(id)).map(textForLoops),
      subjects: [
        {
          name: "one",
          wire: "openai-chat",
          findings: Object.fromEntries(ids.map((id) => [id, finding])),
        },
      ],
    });
    const headings = text.split("\n").filter((line) => line.startsWith("# "));
    expect(headings.map((line) => line.split(":")[0])).toEqual([
      "# stop.words",
      "# call.cut-input",
    ]);
    expect(text).toContain("`stop.used-up` failed too, probably by the same cause: calls run");
    expect(text).toContain('if choice.finish_reason not in ("tool_calls", "stop"):');
    expect(text).toContain("developers.openai.com");
    expect(text).not.toContain("platform.claude.com");
  });
});
