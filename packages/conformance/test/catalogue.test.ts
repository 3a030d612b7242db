import { expect, test } from "vitest";
import { type ClauseText, clauses, everyClause, runClauses } from "../src/index.ts";

const has = (list: readonly ClauseText[], id: string): boolean =>
  list.some((clause) => clause.id === id);
const askedOf = (id: string): string =>
  [...(has(clauses, id) ? ["adapters"] : []), ...(has(runClauses, id) ? ["loops"] : [])].join(", ");
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "\\<");

const family = (id: string): string => id.slice(0, id.indexOf("."));
const row = ({ id, rule, level, because }: ClauseText): string =>
  `| \`${id}\` | ${askedOf(id)} | ${level} | ${cell(rule)} | ${cell(because)} |`;
const section = ([name, rows]: readonly [string, readonly ClauseText[]]): string =>
  [
    `## ${name}`,
    "",
    "| clause | asked of | level | rule | because |",
    "|---|---|---|---|---|",
    ...rows.map(row),
    "",
  ].join("\n");

test("CLAUSES.md is the catalogue: `vitest run test/catalogue.test.ts --update` writes it", async () => {
  const families = [...Map.groupBy(everyClause, ({ id }) => family(id))];
  const intro = `# The clauses\n\n${everyClause.length} rules, made from their files: \`call.cut-input\` is \`src/clauses/call/cut-input.ts\`. A row of *loops* is asked of agents too.\n`;
  await expect(`${intro}\n${families.map(section).join("\n")}`).toMatchFileSnapshot(
    "../CLAUSES.md",
  );
});
