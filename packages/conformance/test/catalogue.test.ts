import { expect, test } from "vitest";
import { familyOf } from "../src/clause.ts";
import { type Clause, clauses } from "../src/index.ts";
import { describeReferences } from "../src/report/text.ts";

const askedOf = ({ adapter, loop, guard }: Clause): string =>
  [...(adapter ? ["adapters"] : []), ...(loop ? ["loops"] : []), ...(guard ? ["guards"] : [])].join(
    ", ",
  );
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "\\<");

const row = (clause: Clause): string =>
  `| \`${clause.id}\` | ${askedOf(clause)} | ${clause.level} | ${cell(clause.rule)} | ${cell(describeReferences(clause.references))} |`;
const section = ([family, members]: readonly [string, readonly Clause[]]): string =>
  [
    `## ${family}`,
    "",
    "| clause | asked of | level | rule | references |",
    "|---|---|---|---|---|",
    ...members.map(row),
    "",
  ].join("\n");

test("CLAUSES.md lists the clauses: `vitest run test/catalogue.test.ts --update` writes it", async () => {
  const families = [...Map.groupBy(clauses, ({ id }) => familyOf(id))];
  const intro = `# The clauses\n\n${clauses.length} rules, made from \`src/clauses\`: the family of \`call.cut-input\` is in the files that begin with \`call\`. The suite asks agents the rules for *loops* too. It asks the rules for *guards* if an adapter stands behind a guard.\n`;
  await expect(`${intro}\n${families.map(section).join("\n")}`).toMatchFileSnapshot(
    "../CLAUSES.md",
  );
});
