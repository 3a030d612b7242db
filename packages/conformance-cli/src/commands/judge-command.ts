import { type ClauseText, selectClauses, splitCheck } from "@fullstop/conformance";
import { Command, InvalidArgumentError, Option } from "commander";
import { type ReporterName, reporters } from "../report/reporters.ts";
import { messageOf } from "./exit.ts";

/** The options of every command that judges subjects. */
export interface JudgeCommandOptions {
  /** The clauses that this command can ask. */
  readonly clauses: readonly ClauseText[];
  /** The id of one clause, the name of a family, or one check of a clause. */
  readonly only?: string | undefined;
  readonly reporter: ReporterName;
  /** The path of the report; standard output by default. */
  readonly output?: string | undefined;
  /** The report shows every failed check of a clause instead of the first five. */
  readonly all?: true;
  /** The path of the file. */
  readonly expectedFailures?: string | undefined;
  /** A broken clause that only should be kept ends the command with 1. */
  readonly strict?: true;
}

/** Parses an option that is a whole number above 0. */
export function parseCount(text: string): number {
  const number = Number(text);
  if (!(Number.isInteger(number) && number > 0))
    throw new InvalidArgumentError("It must be a whole number above 0.");
  return number;
}

/** Finds the clauses for the argument of `--only` or `explain`: one clause, or a family. */
export function parseClauses(clauses: readonly ClauseText[], name: string): readonly ClauseText[] {
  try {
    return selectClauses(name, clauses);
  } catch (thrown) {
    throw new InvalidArgumentError(messageOf(thrown));
  }
}

const judgeHelp = `
Reporters:
  terminal   a matrix, and below it what is broken
  json       for programs; fullstop/report.schema.json describes it
  junit      XML for test servers
  html       one file for a browser, without scripts: each cell opens
  issue      Markdown for the maintainers: a text for each broken clause

Expected failures, one on each line, after the name of the subject if there are several:
  stop.cap            # why it is broken, and until when
  stop.words/refusal  # only this check: the clause is broken if another one fails
  my-subject: stop.cap
  A line is stale if it is not broken any more, and the command ends with 1.`;

/**
 * Creates a command with the options that all judging commands share. `clauses`: the clauses that
 * it can ask.
 */
export const createJudgeCommand = (name: string, clauses: readonly ClauseText[]): Command =>
  new Command(name)
    .option(
      "--only <clause>",
      "one clause (stop.cut), one family (stop) or one check (stop.words/refusal)",
      (only) => {
        parseClauses(clauses, splitCheck(only).clause);
        return only;
      },
    )
    .addOption(
      new Option("--reporter <reporter>", "the format of the report")
        .choices(Object.keys(reporters))
        .default("terminal"),
    )
    .option("--output <file>", "write the report to a file instead of standard output")
    .option("--all", "show every failed check, instead of the first five of a clause")
    .option("--expected-failures <file>", "clauses and checks that are known to be broken")
    .option("--strict", "end with 1 also if a clause is broken that only should be kept")
    .addHelpText("after", judgeHelp);
