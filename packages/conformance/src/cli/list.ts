import { styleText } from "node:util";
import { Command } from "commander";
import type { ClauseText } from "../clause.ts";
import { clauses } from "../clauses/index.ts";
import { recordedClauses } from "../replay/clauses.ts";
import { families } from "../report/finding.ts";

/** What there is to ask, of whatever subject. */
export const listed: readonly ClauseText[] = [...clauses, ...recordedClauses];

/** `conformance list`: every clause, by family. */
export const listCommand = (): Command =>
  new Command("list")
    .summary("list the clauses, by family")
    .description(
      "List the clauses, by family. Any of these names, and that of a family, can be given to --only and to explain.",
    )
    .action(() => {
      const widest = Math.max(...listed.map(({ id }) => id.length)) + 4;
      for (const [family, members] of families(listed)) {
        process.stdout.write(`${styleText("bold", family)}\n`);
        for (const { id, rule, level } of members)
          process.stdout.write(
            `${`  ${id}`.padEnd(widest)}${level === "should" ? styleText("dim", "(should) ") : ""}${rule}\n`,
          );
      }
    });
