import { styleText } from "node:util";
import { type ClauseText, clauses, controls, runClauses } from "@fullstop/conformance";
import { replayClauses } from "@fullstop/conformance/replay";
import { Command } from "commander";
import { findSources } from "../report/sources.ts";
import { allClauses } from "./list.ts";
import { parseClauses } from "./verdicts.ts";

/** `conformance explain`: all that there is to say of a clause. */
export const explainCommand = (): Command =>
  new Command("explain")
    .summary("say what a clause demands, why, and what to do about it")
    .description(
      "Say of a clause, or of each of a family, what it demands, why, what it catches, and how to say that a subject does not keep it.",
    )
    .argument("<clause>", "one clause (stop.cut) or one family (stop)", (name) =>
      parseClauses(allClauses, name),
    )
    .addHelpText(
      "after",
      "\nExamples:\n  conformance explain stop.cut\n  conformance explain stop\n",
    )
    .action((clauses: readonly ClauseText[]) => {
      process.stdout.write(`${clauses.map(describeClause).join("\n\n")}\n`);
    });

/** Who can be asked, which clauses, and how. */
const audiences: readonly {
  readonly who: string;
  readonly clauses: readonly ClauseText[];
  ask(id: string): string;
}[] = [
  { who: "adapters", clauses, ask: (id) => `adapter ./my-adapter.js --only ${id}` },
  {
    who: "loops and agents",
    clauses: runClauses,
    ask: (id) => `agent --only ${id} -- node my-agent.js`,
  },
  {
    who: "recordings",
    clauses: replayClauses,
    ask: (id) => `replay ./recordings --adapter ./my-adapter.js --only ${id}`,
  },
];

function describeClause({ id, rule, level, because }: ClauseText): string {
  const urls = findSources(because).flatMap(({ text, url }) =>
    url === undefined || url === text ? [] : [url],
  );
  const of = audiences.filter((one) => one.clauses.some((clause) => clause.id === id));
  const rows: Readonly<Record<string, readonly string[]>> = {
    because: [because, ...urls],
    catches: controls
      .filter(({ caughtBy }) => caughtBy === id)
      .map(({ wrong }) => `one that ${wrong}`),
    "asked of": [of.map(({ who }) => who).join(", ")],
    ask: of.map(({ ask }) => `npx @fullstop/conformance-cli ${ask(id)}`),
    disclaim: of.some(({ who }) => who !== "recordings")
      ? [`notClaimed: { "${id}": "why" } in the subject; it must then be broken`]
      : [],
    expect: [
      `${id}  # why`,
      "as a line of the file for --expected-failures; it must then be broken",
    ],
  };
  return [
    `${styleText("bold", id)} ${styleText("dim", `(${level})`)}`,
    `  ${rule}`,
    "",
    ...Object.entries(rows).flatMap(([label, lines]) =>
      lines.map((line, n) => `  ${styleText("dim", (n === 0 ? label : "").padEnd(10))}${line}`),
    ),
  ].join("\n");
}
