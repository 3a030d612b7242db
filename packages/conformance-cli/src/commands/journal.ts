import {
  type JournalSubject,
  journalClauses,
  judgeJournal,
} from "@fullstop/conformance/journal/judge";
import type { Command } from "commander";
import { quoteWord, withoutMachine } from "../report/machine.ts";
import { parseSeconds } from "./agent.ts";
import { helpOf } from "./help.ts";
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

export const journalCommand = (): Command =>
  createJudgeCommand("journal", journalClauses)
    .summary("ask a journal of runs every clause about journals")
    .description(
      "Ask the journals of a module: is each step found again, does one process write a run, and does a process that lost its run write nothing more?",
    )
    .argument("<module>", "a module whose default export is a subject, or an array of subjects")
    .option("--timeout <seconds>", "the time for one operation of a journal", parseSeconds, 30)
    .addHelpText("after", helpOf("journal"))
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
