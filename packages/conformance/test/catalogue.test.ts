import { expect, test } from "vitest";
import { familyOf } from "../src/clause.ts";
import { type Clause, type ClauseText, clauses, textForLoops } from "../src/index.ts";
import { type JournalClause, journalClauses } from "../src/journal/judge.ts";
import { describeReferences } from "../src/report/text.ts";

type ListedClause = Clause | JournalClause;

function askedOf(clause: ListedClause): string {
  if ("journal" in clause) return "journals";
  const { adapter, loop, guard } = clause;
  const all = { adapters: adapter, loops: loop, guards: guard };
  return Object.entries(all)
    .flatMap(([name, question]) => (question ? [name] : []))
    .join(", ");
}
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "\\<");

/** What adapters are asked, and what loops are asked if that differs. */
function bothTexts(clause: ListedClause, textOf: (text: ClauseText) => string): string {
  const forLoops = "journal" in clause ? clause : textForLoops(clause);
  const [text, loopText] = [textOf(clause), textOf(forLoops)];
  return cell(text === loopText ? text : `${text} *Loops:* ${loopText}`);
}

const row = (clause: ListedClause): string =>
  [
    "",
    `\`${clause.id}\``,
    askedOf(clause),
    bothTexts(clause, ({ level }) => level),
    bothTexts(clause, ({ rule }) => rule),
    bothTexts(clause, ({ references }) => describeReferences(references)),
    "",
  ]
    .join(" | ")
    .trim();
const section = ([family, members]: readonly [string, readonly ListedClause[]]): string =>
  [
    `## ${family}`,
    "",
    "| clause | asked of | level | rule | references |",
    "|---|---|---|---|---|",
    ...members.map(row),
    "",
  ].join("\n");

test("CLAUSES.md lists the clauses: `vitest run test/catalogue.test.ts --update` writes it", async () => {
  const all: readonly ListedClause[] = [...clauses, ...journalClauses];
  const families = [...Map.groupBy(all, ({ id }) => familyOf(id))];
  const intro = `# The clauses\n\n${all.length} rules, made from \`src/clauses\` and \`src/journal/clauses\`: the family of \`call.cut-input\` is in the files that begin with \`call\`. The suite asks agents the rules for *loops* too: where a rule, its level or its source differs for them, it says so, because of a loop only what it runs and sends is seen. A *must* for loops follows from a page of a vendor or a public defect; what follows from neither is a *should*. It asks the rules for *guards* if an adapter stands behind a guard, and the rules for *journals* of a journal alone.\n`;
  await expect(`${intro}\n${families.map(section).join("\n")}`).toMatchFileSnapshot(
    "../CLAUSES.md",
  );
});
