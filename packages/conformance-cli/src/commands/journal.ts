import {
  type JournalSubject,
  journalClauses,
  judgeJournal,
} from "@fullstop/conformance/journal/judge";
import type { Command } from "commander";
import { quoteWord, withoutMachine } from "../report/machine.ts";
import { parseSeconds } from "./agent.ts";
import {
  createJudgeCommand,
  type JudgeCommandOptions,
  judgeAndReport,
  type SubjectToJudge,
} from "./judging.ts";
import { loadDefaultExport } from "./load-module.ts";

interface JournalCommandOptions extends Omit<JudgeCommandOptions, "clauses"> {
  readonly timeout: number;
}

const journalHelp = `
The module:
  export default {
    name: "my-journal",
    create: async ({ leaseMs }) => {
      const database = await createEmptyDatabase();
      return {
        connect: () => myJournal(database.url, { leaseMs }),
        close: () => database.remove(),
      };
    },
  };

  A subject, or an array of subjects. Each clause gets a store of its own, and several connections
  to it, as different processes have them. leaseMs is how long a lease must last that is not
  renewed. The suite holds back the timers of a connection, as if its process were stopped, and lets
  another one take the run. A lock that a connection holds, and no clock ends, is cut by
  cut(journal) beside connect.
  A subject lists the clauses that it does not keep: notClaimed: { "journal.runs-apart": "one file" }.
  A TypeScript module works without a build with Node 22.18 or newer.

Examples:
  fullstop conformance journal ./my-journal.ts
  fullstop conformance journal ./my-journal.ts --only journal.lost
  fullstop conformance journal ./my-journal.ts --reporter html --output report.html
`;

/** `fullstop conformance journal`: judges the journals that a module exports. */
export const journalCommand = (): Command =>
  createJudgeCommand("journal", journalClauses)
    .summary("ask a journal of runs every clause about journals")
    .description(
      "Ask the journals of a module: is each step found again, does one process write a run, and does a process that lost its run write nothing more?",
    )
    .argument("<module>", "a module whose default export is a subject, or an array of subjects")
    .option("--timeout <seconds>", "the time for one operation of a journal", parseSeconds, 30)
    .addHelpText("after", journalHelp)
    .action(async (path: string, options: JournalCommandOptions) => {
      const subjects = await loadDefaultExport(path, {
        isSubject: isJournalSubject,
        form: "export default { name, create }",
      });
      const all = subjects.map((subject) => journalToJudge(subject, path, options));
      process.exitCode = await judgeAndReport(async () => all, {
        ...options,
        clauses: journalClauses,
      });
    });

const journalToJudge = (
  subject: JournalSubject,
  path: string,
  { timeout, all, only: selected }: JournalCommandOptions,
): SubjectToJudge => ({
  name: subject.name,
  wire: "journal",
  command: `npx fullstop conformance journal ${quoteWord(withoutMachine(path))}${selected === undefined ? "" : ` --only ${selected}`}`,
  verdicts: ({ only, signal }) =>
    judgeJournal(subject, { only, all, signal, timeoutMs: timeout * 1000 }),
});

const isJournalSubject = (value: unknown): value is JournalSubject =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  typeof value.name === "string" &&
  "create" in value &&
  typeof value.create === "function";
