import { accessSync, constants, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { styleText } from "node:util";
import { type ClauseText, selectClauses, type Verdict } from "@fullstop/conformance";
import {
  describeFinding,
  type Finding,
  hasFailures,
  finding,
  type Report,
  type ReportedSubject,
  statuses,
} from "@fullstop/conformance/report";
import { Command, InvalidArgumentError, Option } from "commander";
import { type ReporterName, reporters } from "../report/reporters.ts";
import type { Paint } from "../report/terminal.ts";
import { exitCodes, runInterruptibly, CommandError } from "./exit.ts";
import { type ExpectedFailures, parseExpectedFailures } from "./expected.ts";
import { readVersion } from "./version.ts";

/** What is given to every command that judges. */
export interface JudgeCommandOptions {
  /** The clauses that this command can ask. */
  readonly clauses: readonly ClauseText[];
  /** A clause of them, or a family. */
  readonly only?: string | undefined;
  readonly reporter: ReporterName;
  /** A path; standard output unless given. */
  readonly output?: string | undefined;
  /** Everything that is broken is told, instead of the first few checks of a clause. */
  readonly all?: true;
  /** A path. */
  readonly expectedFailures?: string | undefined;
}

/** A subject, and how to ask it. */
export interface JudgedSubject extends Omit<ReportedSubject, "findings"> {
  /** A verdict for each clause that `only` stands for. Ends what it started when it is returned, or when the signal aborts. */
  verdicts(asking: {
    readonly only?: string | undefined;
    readonly signal: AbortSignal;
  }): AsyncIterable<Verdict>;
}

/** A whole number, as an option says it. */
export function parseCount(text: string): number {
  const number = Number(text);
  if (!(Number.isInteger(number) && number > 0))
    throw new InvalidArgumentError("It must be a whole number from 1.");
  return number;
}

/** What `--only` and `explain` take: the clauses of a name. */
export function parseClauses(clauses: readonly ClauseText[], name: string): readonly ClauseText[] {
  try {
    return selectClauses(name, clauses);
  } catch (thrown) {
    throw new InvalidArgumentError(messageOf(thrown));
  }
}

const judgeHelp = `
Reporters:
  terminal   a matrix, and what is broken below it
  json       for programs; @fullstop/conformance/report.schema.json describes it
  junit      XML for test servers
  html       one file for a browser, without scripts: each cell opens

Expected failures, one a line, with the subject in front where there are several:
  stop.cap            # why it is broken, and for how long
  my-subject: stop.cap
  A clause that is listed and yet kept is red.`;

/** A command with the options that all commands share that judge by these clauses. */
export const createJudgeCommand = (name: string, clauses: readonly ClauseText[]): Command =>
  new Command(name)
    .option("--only <clause>", "one clause (stop.cut) or one family (stop)", (only) => {
      parseClauses(clauses, only);
      return only;
    })
    .addOption(
      new Option("--reporter <reporter>", "how to report")
        .choices(Object.keys(reporters))
        .default("terminal"),
    )
    .option("--output <file>", "write the report there, not to standard output")
    .option("--all", "show every check that is broken, instead of the first five of a clause")
    .option("--expected-failures <file>", "clauses that are known to be broken")
    .addHelpText("after", judgeHelp);

/** Asks the subjects that `prepare` gives, one after the other, reports what was found, and gives the exit code. */
export function judgeAndReport(
  prepare: (signal: AbortSignal) => Promise<readonly JudgedSubject[]>,
  options: JudgeCommandOptions,
): Promise<number> {
  const { output } = options;
  if (output !== undefined)
    withProblem(cannotWrite, () => accessSync(dirname(resolve(output)), constants.W_OK));
  return runInterruptibly(async (signal) => {
    const subjects = await prepare(signal);
    const names = subjects.map(({ name }) => name);
    const twice = names.find((name, n) => names.indexOf(name) !== n);
    if (twice !== undefined)
      throw new CommandError(`Two subjects are called "${twice}": give each a name.`);
    const expected = readExpectedFailures(names, options);
    const reported: ReportedSubject[] = [];
    for (const subject of subjects)
      reported.push(await judgeSubject(subject, { only: options.only, signal, expected }));
    if (signal.aborted) return exitCodes.interrupted;
    const report = createReport(options.clauses, reported);
    writeReport(report, options);
    return hasFailures(report) ? exitCodes.broken : exitCodes.kept;
  });
}

interface JudgeContext {
  readonly only: string | undefined;
  readonly signal: AbortSignal;
  readonly expected: ExpectedFailures;
}

async function judgeSubject(
  { verdicts, ...subject }: JudgedSubject,
  { only, signal, expected }: JudgeContext,
): Promise<ReportedSubject> {
  const findings: Record<string, Finding> = {};
  try {
    for await (const verdict of verdicts({ only, signal })) {
      if (signal.aborted) break;
      const { id } = verdict.clause;
      findings[id] = finding(verdict, expected(subject.name, id));
      showProgress(subject.name, id, findings[id]);
    }
  } catch (thrown) {
    throw thrown instanceof CommandError
      ? thrown
      : new CommandError(`${subject.name} cannot be asked.`, { cause: thrown });
  }
  return { ...subject, findings };
}

/** Of the clauses those that somebody was asked. */
const createReport = (
  clauses: readonly ClauseText[],
  subjects: readonly ReportedSubject[],
): Report => ({
  suite: readVersion(),
  at: new Date().toISOString(),
  clauses: clauses
    .filter(({ id }) => subjects.some(({ findings }) => Object.hasOwn(findings, id)))
    .map(({ id, rule, level, because }) => ({ id, rule, level, because })),
  subjects,
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

/** A line for each clause, for a person who waits. */
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
function withProblem<Done>(problem: string, work: () => Done): Done {
  try {
    return work();
  } catch (thrown) {
    throw new CommandError(`${problem}: ${messageOf(thrown)}`);
  }
}

const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
