import { styleText } from "node:util";
import { type ClauseText, clauses } from "@fullstop/conformance";
import { gatewayClauses } from "@fullstop/conformance/gateway";
import { replayClauses } from "@fullstop/conformance/replay";
import { describeReferences, urlOf } from "@fullstop/conformance/report";
import { Command } from "commander";
import { parseClauses } from "./judge-command.ts";
import { allClauses } from "./list.ts";

/** `conformance explain`: describes a clause completely. */
export const explainCommand = (): Command =>
  new Command("explain")
    .summary("explain what a clause demands, why, and what to do about it")
    .description(
      "Explain what a clause, or each clause of a family, demands, why, what it catches, and how to declare that a subject does not keep it.",
    )
    .argument("<clause>", "one clause (stop.cut) or one family (stop)", (name) =>
      parseClauses(allClauses, name),
    )
    .addHelpText(
      "after",
      "\nExamples:\n  conformance explain stop.cut\n  conformance explain stop\n",
    )
    .action((chosen: readonly ClauseText[]) => {
      process.stdout.write(`${chosen.map(describeClause).join("\n\n")}\n`);
    });

/** The kinds of subjects, the clauses that each is asked, and the command that asks. */
const audiences: readonly {
  readonly name: string;
  readonly clauses: readonly ClauseText[];
  commandFor(id: string): string;
}[] = [
  {
    name: "adapters",
    clauses: clauses.filter(({ adapter }) => adapter !== undefined),
    commandFor: (id) => `adapter ./my-adapter.js --only ${id}`,
  },
  {
    name: "loops and agents",
    clauses: clauses.filter(({ loop }) => loop !== undefined),
    commandFor: (id) => `agent --only ${id} -- node my-agent.js`,
  },
  {
    name: "recordings",
    clauses: replayClauses,
    commandFor: (id) => `replay ./recordings --adapter ./my-adapter.js --only ${id}`,
  },
  {
    name: "gateways",
    clauses: gatewayClauses,
    commandFor: (id) => `gateway --front chat=http://127.0.0.1:4000/v1 --only ${id}`,
  },
];

function describeClause({ id, rule, level, references }: ClauseText): string {
  const issueUrls = references.flatMap((reference) =>
    "issue" in reference ? (urlOf(reference) ?? []) : [],
  );
  const { mutants = [], loopMutants = [] } = clauses.find((clause) => clause.id === id) ?? {};
  const asked = audiences.filter((audience) => audience.clauses.some((clause) => clause.id === id));
  const rows: Readonly<Record<string, readonly string[]>> = {
    because: [describeReferences(references), ...issueUrls],
    catches: [...mutants, ...loopMutants].map(({ wrong }) => `one that ${wrong}`),
    "asked of": [asked.map(({ name }) => name).join(", ")],
    ask: asked.map(({ commandFor }) => `npx @fullstop/conformance-cli ${commandFor(id)}`),
    disclaim: asked.some(({ name }) => name !== "recordings" && name !== "gateways")
      ? [`notClaimed: { "${id}": "why" } in the subject; the clause must then be broken`]
      : [],
    expect: [
      `${id}  # why`,
      "as a line of the file for --expected-failures; the clause must then be broken",
    ],
  };
  return [
    `${styleText("bold", id)} ${styleText("dim", `(${level})`)}`,
    `  ${rule}`,
    "",
    ...Object.entries(rows).flatMap(([label, lines]) =>
      lines.map(
        (line, index) => `  ${styleText("dim", (index === 0 ? label : "").padEnd(10))}${line}`,
      ),
    ),
  ].join("\n");
}
