import { styleText } from "node:util";
import { type ClauseText, clauses } from "@fullstop/conformance";
import { gatewayClauses } from "@fullstop/conformance/gateway";
import { journalClauses } from "@fullstop/conformance/journal/judge";
import { recordedClauses } from "@fullstop/conformance/replay";
import { groupByFamily } from "@fullstop/conformance/report";
import { Command } from "commander";

/** Every clause that a command can ask. */
export const allClauses: readonly ClauseText[] = [
  ...clauses,
  ...recordedClauses,
  ...gatewayClauses,
  ...journalClauses,
];

/** `fullstop conformance list`: lists every clause by family. */
export const listCommand = (): Command =>
  new Command("list")
    .summary("list the clauses, by family")
    .description(
      "List the clauses, by family. --only and explain take any of these names, or the name of a family. explain lists the checks of a clause.",
    )
    .action(() => {
      const widest = Math.max(...allClauses.map(({ id }) => id.length)) + 4;
      for (const [family, members] of groupByFamily(allClauses)) {
        process.stdout.write(`${styleText("bold", family)}\n`);
        for (const { id, rule, level } of members)
          process.stdout.write(
            `${`  ${id}`.padEnd(widest)}${level === "should" ? styleText("dim", "(should) ") : ""}${rule}\n`,
          );
      }
    });
