import { parseArgs } from "node:util";
import { corpusRunsFile } from "@tooling/docs/corpus-runs";
import { agentClauses, fieldFile, fieldPageFile, fieldReport } from "@tooling/docs/field";
import { gatewayFile } from "@tooling/docs/gateways";
import { guardedFile } from "@tooling/docs/guarded";
import { checkNames } from "./check-names.ts";
import { coderHelp } from "./coders/command.ts";
import type { FieldGateway } from "./gateways/gateway.ts";
import { gateways } from "./gateways.ts";
import type { System } from "./system.ts";
import { systems } from "./systems.ts";

const names = systems.map(({ name }) => name);
const clauseIds = agentClauses.map(({ id }) => id);
const gatewayNames = gateways.map(({ name }) => name);
/** What `--help` prints. */
export const help = `Runs the agent clauses of the suite against the locked releases of other systems, and writes the results:
${fieldFile}, ${fieldReport}, and a table in README.md.

  pnpm field [--only NAME...] [--update] [--guarded]
  pnpm field --clause CLAUSE [--only NAME...]
  pnpm field --again [--only NAME...]
  pnpm field --newest [--only NAME...]
  pnpm field --install [--only NAME...]
  pnpm field --corpus [--only NAME...]
  pnpm field --gateways [--only NAME...]
  pnpm field --html

  --only     ${names.join(", ")};
             by default all of them. The results of the others stay as they are.
  --update   first writes the newest versions that can be installed to the files that lock those of the drivers
  --newest   measures nothing, asks each registry for the newest release, and marks the rows that are older. Measuring does this too
  --install  only installs and builds the drivers. Measuring does this too, for each system that is asked
  --clause   asks one clause alone, such as recovery.leaked, and keeps the results of the others. The packages must be those of these results
  --again    measures a second time, and writes each check that had another result into the report
  --guarded  asks the systems again behind the gateway of this repository, and writes ${guardedFile} and ${fieldReport}
  --corpus   plays the finished replies of the corpus that the gateway writes anew, and compares how often each call runs without the gateway and behind it; writes ${corpusRunsFile} and ${fieldReport}
  --gateways asks LLM gateways instead of systems: ${gatewayNames.join(", ")}; writes ${gatewayFile} and ${fieldReport}
  --html     writes ${fieldPageFile}, which git ignores, from the results that are there

The first run installs about 500 MB from npm into node_modules/.cache/field. A system whose language is not installed here is skipped. A complete run of 147 configurations took about an hour on two cores; there are 214 now. It takes longer with --guarded: clients wait before they ask again. LangChain4j takes a third of it: its streams without a last event never end, and each waits for the time limit.
A program is started about thirty times for each configuration. The imports of a Python system take 0.5 to 8 s of processor time, so a server of examples/python/fork_server.py makes them once, and a start takes 0.2 to 0.8 s. A configuration takes 5 to 40 s on two cores with nothing else to do; there are 116 of Python.
A system that cannot be installed or started is "not run", and the report says why. The command prints each verdict that has changed.
Exit codes: 0 measured, with any verdicts; 1 the results cannot be measured or written; 2 an invalid option. The results are written after each system. Ctrl-C ends all started processes and loses the current one.

${coderHelp}`;

/** What is asked on the command line. */
export interface Options {
  readonly asked: readonly System[];
  readonly update: boolean;
  /** Measures nothing, and asks which releases are the newest. */
  readonly newest: boolean;
  readonly html: boolean;
  readonly install: boolean;
  /** Measures a second time and compares. */
  readonly again: boolean;
  readonly guarded: boolean;
  /** Only this clause is asked, and the results of the others are kept. */
  readonly clause: string | undefined;
  /** Counts how often the calls of the corpus run. */
  readonly corpus: boolean;
  /** The gateways that are asked instead of systems. */
  readonly gateways: readonly FieldGateway[];
}

/** Options that do not go together. */
const conflicts = [
  {
    option: "html",
    not: ["update", "install", "again", "guarded", "corpus", "gateways", "only"],
    reason: "--html measures nothing: leave the other options out.",
  },
  {
    option: "newest",
    not: ["update", "html", "install", "again", "guarded", "clause", "corpus", "gateways"],
    reason: "--newest measures nothing: leave the other options but --only out.",
  },
  {
    option: "clause",
    not: ["update", "html", "install", "again", "guarded", "corpus", "gateways"],
    reason: "--clause adds to results that are there: leave the other options but --only out.",
  },
  {
    option: "gateways",
    not: ["update", "install", "again", "guarded", "corpus"],
    reason: "--update, --install, --again, --guarded and --corpus are for systems: leave them out.",
  },
  {
    option: "install",
    not: ["update", "again", "guarded"],
    reason: "--install measures nothing: leave --update, --again and --guarded out.",
  },
  {
    option: "corpus",
    not: ["update", "install", "again", "guarded"],
    reason:
      "--corpus is a measurement of its own: leave --update, --install, --again and --guarded out.",
  },
  {
    option: "again",
    not: ["update", "guarded"],
    reason:
      "--again repeats the last measurement of the systems: leave --update and --guarded out.",
  },
] as const;

/** The options of the command line, or nothing if they ask for help. Throws for a wrong option. */
export function parseOptions(args: readonly string[]): Options | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      only: { type: "string", multiple: true },
      update: { type: "boolean", default: false },
      newest: { type: "boolean", default: false },
      html: { type: "boolean", default: false },
      install: { type: "boolean", default: false },
      again: { type: "boolean", default: false },
      guarded: { type: "boolean", default: false },
      clause: { type: "string" },
      corpus: { type: "boolean", default: false },
      gateways: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
      coders: { type: "boolean", default: false },
    },
  });
  const { help: asksHelp, html, install, update, only, again, guarded, clause, corpus } = values;
  const { newest, gateways: asksGateways } = values;
  if (asksHelp) return undefined;
  if (only === undefined && positionals.length > 0)
    throw new Error(`Write --only ${positionals.join(" ")}. --help shows all options.`);
  for (const { option, not, reason } of conflicts)
    if (values[option] && not.some((other) => values[other])) throw new Error(reason);
  if (clause !== undefined) checkNames("clause", [clause], clauseIds);
  const known = asksGateways ? gatewayNames : names;
  const chosen = only === undefined ? known : checkNames("name", [...only, ...positionals], known);
  return {
    asked: systems.filter(({ name }) => chosen.includes(name)),
    gateways: asksGateways ? gateways.filter(({ name }) => chosen.includes(name)) : [],
    update,
    newest,
    html,
    install,
    again,
    guarded,
    clause,
    corpus,
  };
}
