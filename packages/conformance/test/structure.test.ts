import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { familyOf } from "../src/clause.ts";
import { gatewayClauses } from "../src/gateway/index.ts";
import { type ClauseText, clauses, textForLoops } from "../src/index.ts";
import { journalClauses } from "../src/journal/judge.ts";
import { recordedClauses } from "../src/replay/index.ts";
import { urlOf } from "../src/report/text.ts";

const allClauses: readonly ClauseText[] = [
  ...clauses,
  ...recordedClauses,
  ...gatewayClauses,
  ...journalClauses,
];

const files = readdirSync(new URL("../src/clauses/", import.meta.url)).map((file) =>
  file.replace(/\.ts$/, ""),
);

test("every clause has a unique id", () => {
  const ids = allClauses.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("the name of a file begins with its family", () => {
  const families = new Set(clauses.map(({ id }) => familyOf(id)));
  const others = files.filter((file) => !families.has(file.split("-")[0] ?? ""));
  expect(others).toEqual(["index", "mutants"]);
});

test.for(allClauses)(
  "$id has one sentence, a level and a public source",
  ({ rule, references, level }) => {
    expect(rule).toMatch(/^[A-Z].*\.$/);
    for (const reference of references) {
      if ("issue" in reference) expect(reference.issue).toMatch(/^[\w./-]+#\d+$/);
      else expect(reference.url).toMatch(/^https:\/\//);
    }
    expect(references.at(-1)?.note).toBeDefined();
    expect(["must", "should"]).toContain(level);
  },
);

test.for(clauses)("$id is asked of adapters, of loops or of guards", ({ adapter, loop, guard }) => {
  expect(adapter ?? loop ?? guard).toBeDefined();
});

/** Every clause as adapters are asked it, and as loops are. */
const allTexts = [...allClauses, ...clauses.filter(({ loop }) => loop).map(textForLoops)];
const withoutLink = (texts: readonly ClauseText[]): readonly string[] =>
  texts
    .filter(({ level, references }) => level === "must" && !references.some(urlOf))
    .map(({ id }) => id);

test("every must cites a page of a vendor or a public defect, with a link", () => {
  expect(withoutLink(allTexts)).toEqual([]);
  const [first] = clauses;
  expect(
    withoutLink([{ ...(first as ClauseText), references: [{ issue: "somewhere#1", note: "x" }] }]),
  ).toEqual([first?.id]);
});

test("every issue has the owner of its repository", () => {
  const issues = allTexts.flatMap(({ references }) =>
    references.flatMap((reference) => ("issue" in reference ? [reference.issue] : [])),
  );
  expect(issues.filter((issue) => !issue.includes("/"))).toEqual([]);
});
