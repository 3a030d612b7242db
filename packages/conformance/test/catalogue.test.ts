import { expect, test } from "vitest";
import { familyOf } from "../src/clause.ts";
import { type GatewayClause, gatewayClauses } from "../src/gateway/index.ts";
import { type Clause, type ClauseText, clauses, textForLoops } from "../src/index.ts";
import { type JournalClause, journalClauses } from "../src/journal/judge.ts";
import { describeReferences } from "../src/report/text.ts";

type OtherClause = JournalClause | GatewayClause;
type ListedClause = Clause | OtherClause;

const isOther = (clause: ListedClause): clause is OtherClause => "question" in clause;

function askedOf(clause: ListedClause): string {
  if (isOther(clause)) return clause.id.startsWith("journal.") ? "journals" : "gateways";
  const { adapter, loop, guard } = clause;
  const all = { adapters: adapter, loops: loop, guards: guard };
  return Object.entries(all)
    .flatMap(([name, question]) => (question ? [name] : []))
    .join(", ");
}
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "\\<");

/** What adapters are asked, and what loops are asked if that differs. */
function bothTexts(clause: ListedClause, textOf: (text: ClauseText) => string): string {
  const forLoops = isOther(clause) ? clause : textForLoops(clause);
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
  const all: readonly ListedClause[] = [...clauses, ...journalClauses, ...gatewayClauses];
  const families = [...Map.groupBy(all, ({ id }) => familyOf(id))];
  const intro = `# The clauses\n\n${all.length} clauses, made from \`src/clauses\`, \`src/journal/clauses\` and \`src/gateway/clauses\`: the family of \`call.cut-input\` is in the files that begin with \`call\`. The suite asks agents the clauses for *loops* too: where a rule, its level or its source differs for them, it says so, because of a loop only what it runs and sends is seen. A *must* for loops follows from a page of a vendor or a public defect; what follows from neither is a *should*. It asks the clauses for *guards* if an adapter stands behind a guard, and those for *journals* and *gateways* of a journal or a gateway alone.\n`;
  await expect(`${intro}\n${families.map(section).join("\n")}`).toMatchFileSnapshot(
    "../CLAUSES.md",
  );
});
