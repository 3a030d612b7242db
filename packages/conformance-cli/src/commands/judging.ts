import { accessSync, constants, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import { type ClauseText, selectClauses, splitCheck, type Verdict } from "@fullstop/conformance";
import {
  describeFinding,
  type Finding,
  finding,
  hasFailures,
  type Report,
  type ReportedSubject,
  statuses,
} from "@fullstop/conformance/report";
import { Command, InvalidArgumentError, Option } from "commander";
import { findingWithoutMachine } from "../report/machine.ts";
import { type ReporterName, reporters } from "../report/reporters.ts";
import type { Paint } from "../report/terminal.ts";
import { CommandError, exitCodes, messageOf, runInterruptibly } from "./exit.ts";
import { type ExpectedFailures, parseExpectedFailures, pickCheck } from "./expected-failures.ts";
import { helpOf } from "./help.ts";

export interface JudgeCommandOptions {
  /** The clauses that this command can ask. */
  readonly clauses: readonly ClauseText[];
  /** The id of one clause, the name of a family, or one check of a clause. */
  readonly only?: string | undefined;
  readonly reporter: ReporterName;
  readonly output?: string | undefined;
  /** The report shows every failed check of a clause instead of the first five. */
  readonly all?: true;
  /** The path of the file. */
  readonly expectedFailures?: string | undefined;
  /** A broken clause that only should be kept ends the command with 1. */
  readonly strict?: true;
}

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

/** A command with the options of all judging commands. `clauses`: those that it can ask. */
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
    .addHelpText("after", helpOf("judge"));

export interface SubjectToJudge extends Omit<ReportedSubject, "findings"> {
  /**
   * Yields a verdict for each clause that `only` selects. Ends everything that it started if the
   * caller stops or the signal aborts.
   */
  verdicts(options: {
    readonly only?: string | undefined;
    readonly signal: AbortSignal;
  }): AsyncIterable<Verdict>;
}

/** Judges the subjects one after the other, writes the report, and returns the exit code. */
export function judgeAndReport(
  prepare: (signal: AbortSignal) => Promise<readonly SubjectToJudge[]>,
  options: JudgeCommandOptions,
): Promise<number> {
  const { output } = options;
  if (output !== undefined)
    withProblem(cannotWrite, () => accessSync(dirname(resolve(output)), constants.W_OK));
  return runInterruptibly(async (signal) => {
    const subjects = await prepare(signal);
    const names = subjects.map(({ name }) => name);
    const duplicate = names.find((name, index) => names.indexOf(name) !== index);
    if (duplicate !== undefined)
      throw new CommandError(`Two subjects are called "${duplicate}": give each a different name.`);
    const expected = readExpectedFailures(names, options);
    const reported: ReportedSubject[] = [];
    for (const subject of subjects)
      reported.push(await judgeSubject(subject, { only: options.only, signal, expected }));
    if (signal.aborted) return exitCodes.interrupted;
    const report = createReport(reported, options);
    writeReport(report, options);
    return hasFailures(report) ? exitCodes.broken : exitCodes.passed;
  });
}

interface JudgeContext {
  readonly only: string | undefined;
  readonly signal: AbortSignal;
  readonly expected: ExpectedFailures;
}

async function judgeSubject(
  { verdicts, ...subject }: SubjectToJudge,
  { only, signal, expected }: JudgeContext,
): Promise<ReportedSubject> {
  const findings: Record<string, Finding> = {};
  const { checkId } = splitCheck(only ?? "");
  try {
    for await (const verdict of verdicts({ only, signal })) {
      if (signal.aborted) break;
      const { id } = verdict.clause;
      const listed = pickCheck(expected(subject.name, id), checkId);
      findings[id] = findingWithoutMachine(finding(verdict, listed));
      showProgress(subject.name, id, findings[id]);
    }
  } catch (thrown) {
    throw thrown instanceof CommandError
      ? thrown
      : new CommandError(`${subject.name} cannot be judged.`, { cause: thrown });
  }
  return { ...subject, findings };
}

function suiteVersion(): string {
  const file = fileURLToPath(import.meta.resolve("@fullstop/conformance/package.json"));
  const manifest = JSON.parse(readFileSync(file, "utf8")) as { readonly version: string };
  return manifest.version;
}

/** Creates the report. It lists only the clauses that at least one subject was asked. */
const createReport = (
  subjects: readonly ReportedSubject[],
  { clauses, strict }: Pick<JudgeCommandOptions, "clauses" | "strict">,
): Report => ({
  suite: suiteVersion(),
  at: new Date().toISOString(),
  clauses: clauses
    .filter(({ id }) => subjects.some(({ findings }) => Object.hasOwn(findings, id)))
    .map(({ id, rule, level, references }) => ({ id, rule, level, references })),
  subjects,
  ...(strict && { strict }),
});

function readExpectedFailures(
  subjects: readonly string[],
  { expectedFailures: file, clauses }: JudgeCommandOptions,
): ExpectedFailures {
  if (file === undefined) return () => undefined;
  const text = withProblem("The file of expected failures cannot be read", () =>
    readFileSync(file, "utf8"),
  );
  return parseExpectedFailures(text, { file, clauses, subjects });
}

/** Prints a line for each clause if standard error is a terminal. */
function showProgress(subject: string, clause: string, found: Finding): void {
  if (!process.stderr.isTTY) return;
  const { mark, color, label } = statuses[found.status];
  process.stderr.write(
    `${createPaint(process.stderr)(color, mark)} ${subject}: ${clause} ${label}, ${describeFinding(found)}\n`,
  );
}

const createPaint =
  (stream: NodeJS.WritableStream): Paint =>
  (color, text) =>
    styleText(color, text, { stream });

function writeReport(report: Report, { reporter, output }: JudgeCommandOptions): void {
  if (output === undefined)
    process.stdout.write(reporters[reporter](report, createPaint(process.stdout)));
  else withProblem(cannotWrite, () => writeFileSync(output, reporters[reporter](report)));
}

const cannotWrite = "The report cannot be written";

/** Runs the work. An error becomes a `CommandError` that begins with the problem. */
function withProblem<Done>(problem: string, work: () => Done): Done {
  try {
    return work();
  } catch (thrown) {
    throw new CommandError(`${problem}: ${messageOf(thrown)}`);
  }
}
