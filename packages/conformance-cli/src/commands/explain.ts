import { styleText } from "node:util";
import { type ClauseText, clauses, type ReplyCall, textForLoops } from "@fullstop/conformance";
import { gatewayClauses } from "@fullstop/conformance/gateway";
import { journalClauses } from "@fullstop/conformance/journal/judge";
import { recordedClauses, replayClauses } from "@fullstop/conformance/replay";
import { describeReferences, groupByFamily, urlOf } from "@fullstop/conformance/report";
import { wires } from "@fullstop/conformance/wires";
import { Command } from "commander";
import { parseClauses } from "./judging.ts";

/** Every clause that a command can ask. */
export const allClauses: readonly ClauseText[] = [
  ...clauses,
  ...recordedClauses,
  ...gatewayClauses,
  ...journalClauses,
];

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

/** `fullstop conformance explain`: describes a clause completely. */
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
      "\nExamples:\n  fullstop conformance explain stop.cut\n  fullstop conformance explain stop.words\n  fullstop conformance explain stop\n",
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
  {
    name: "journals",
    clauses: journalClauses,
    commandFor: (id) => `journal ./my-journal.ts --only ${id}`,
  },
];

const exampleCall = (number: number): ReplyCall => ({
  name: "write",
  id: `call_${number}`,
  input: { path: `example-${number}.txt`, content: "an example of a text" },
});

/** The ids of the checks of a clause for loops and agents, by the protocols that have these ids. */
function findCheckIds(id: string): ReadonlyMap<string, readonly string[]> {
  const question = clauses.find((clause) => clause.id === id)?.loop;
  const calls = [exampleCall(1), exampleCall(2), exampleCall(3)] as const;
  const context = { calls, longCall: exampleCall(4), canPause: true, cap: 1024 };
  const idsOf = (wire: (typeof wires)[keyof typeof wires]): readonly string[] =>
    [true, false].flatMap((streams) => question?.checkIds?.({ ...context, wire, streams }) ?? []);
  const byIds = Map.groupBy(Object.keys(wires) as (keyof typeof wires)[], (name) =>
    [...new Set(idsOf(wires[name]))].join(),
  );
  byIds.delete("");
  return new Map([...byIds].map(([ids, names]) => [names.join(", "), ids.split(",")]));
}

/** The lines of a file of expected failures that are about a clause. */
function expectLines(
  id: string,
  checkIds: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const [first] = [...checkIds.values()].flat();
  return [
    `${id}  # why`,
    ...(first === undefined ? [] : [`${id}/${first}  # only this check, and why`]),
    "as a line of the file for --expected-failures; it must then be broken",
  ];
}

/** How a clause differs if loops and agents are asked. */
function describeForLoops(id: string): readonly string[] {
  const clause = clauses.find((one) => one.id === id);
  if (clause?.loop === undefined || clause.forLoops === undefined) return [];
  const { level, rule, references } = textForLoops(clause);
  return [`(${level}) ${rule}`, `because ${describeReferences(references)}`];
}

function describeClause({ id, rule, level, references }: ClauseText): string {
  const issueUrls = references.flatMap((reference) =>
    "issue" in reference ? (urlOf(reference) ?? []) : [],
  );
  const other = [...journalClauses, ...gatewayClauses].find((clause) => clause.id === id);
  const { mutants = [], loopMutants = [] } = clauses.find((clause) => clause.id === id) ?? {};
  const asked = audiences.filter((audience) => audience.clauses.some((clause) => clause.id === id));
  const checkIds = findCheckIds(id);
  const rows: Readonly<Record<string, readonly string[]>> = {
    because: [describeReferences(references), ...issueUrls],
    "for loops": describeForLoops(id),
    catches: [...mutants, ...loopMutants, ...(other?.mutants ?? [])].map(
      ({ wrong }) => `one that ${wrong}`,
    ),
    "asked of": [asked.map(({ name }) => name).join(", ")],
    ask: asked.map(({ commandFor }) => `npx fullstop conformance ${commandFor(id)}`),
    disclaim: asked.some(({ name }) => name !== "recordings" && name !== "gateways")
      ? [`notClaimed: { "${id}": "why" } in the subject; the clause must then be broken`]
      : [],
    checks: [...checkIds].map(([names, ids]) => `${names}: ${ids.join(", ")}`),
    expect: expectLines(id, checkIds),
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
