import { readFileSync, writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { Command, InvalidArgumentError, Option } from "commander";
import type { ClauseText } from "../clause.ts";
import type { Verdict } from "../judge.ts";
import { fails, finding } from "../report/finding.ts";
import type { Finding, Report, ReportedSubject } from "../report/report.ts";
import { type ReporterName, reporters } from "../report/reporters.ts";
import { selected } from "../select.ts";
import { exitCodes, interruptible, Unable } from "./exit.ts";
import { type ExpectedFailures, expectedFailures } from "./expected.ts";
import { version } from "./version.ts";

/** What is given to every command that judges. */
export interface VerdictOptions {
  /** The clauses that this command can ask. */
  readonly clauses: readonly ClauseText[];
  /** A clause of them, or a family. */
  readonly only?: string | undefined;
  readonly reporter: ReporterName;
  /** A path; standard output unless given. */
  readonly output?: string | undefined;
  /** A path. */
  readonly expectedFailures?: string | undefined;
}

/** A subject, and how to ask it. */
export interface Asked extends Omit<ReportedSubject, "findings"> {
  /** A verdict for each clause that `only` stands for. Ends what it started when it is returned, or when the signal aborts. */
  verdicts(asking: { readonly only?: string | undefined; readonly signal: AbortSignal }): AsyncIterable<Verdict>;
}

/** A command with the options that all commands share that judge by these clauses. */
export const verdictCommand = (name: string, clauses: readonly ClauseText[]): Command =>
  new Command(name)
    .addOption(new Option("--only <clause>", "one clause (stop.cut) or one family (stop)").argParser((only) => known(only, clauses)))
    .addOption(new Option("--reporter <reporter>", "how to report").choices(Object.keys(reporters)).default("terminal"))
    .option("--output <file>", "where to, instead of standard output")
    .option("--expected-failures <file>", "clauses that are known to be broken, one a line");

function known(only: string, clauses: readonly ClauseText[]): string {
  try {
    selected(only, clauses);
    return only;
  } catch (thrown) {
    throw new InvalidArgumentError(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

/** Asks the subjects one after the other, reports what was found, and gives the exit code. */
export const carryOut = (subjects: readonly Asked[], options: VerdictOptions): Promise<number> =>
  interruptible(async (signal) => {
    const clauses = selected(options.only, options.clauses);
    const expected = readExpected(subjects, options);
    const reported: ReportedSubject[] = [];
    for (const { verdicts, ...subject } of subjects) {
      const findings: Record<string, Finding> = {};
      for await (const verdict of verdicts({ only: options.only, signal })) {
        if (signal.aborted) return exitCodes.interrupted;
        const { id } = verdict.clause;
        findings[id] = finding(verdict, expected(subject.name, id));
        showProgress(subject.name, id, findings[id]);
      }
      reported.push({ ...subject, findings });
    }
    const report: Report = { suite: version(), at: new Date().toISOString(), clauses, subjects: reported };
    write(reporters[options.reporter](report), options.output);
    return fails(report) ? exitCodes.broken : exitCodes.kept;
  });

function readExpected(subjects: readonly Asked[], { expectedFailures: file, clauses }: VerdictOptions): ExpectedFailures {
  if (file === undefined) return () => undefined;
  const text = attempt(`The file of expected failures cannot be read`, () => readFileSync(file, "utf8"));
  return expectedFailures(text, { file, clauses, subjects: subjects.map(({ name }) => name) });
}

/** A line for each clause, for a person who waits. */
function showProgress(subject: string, clause: string, { status, proofs }: Finding): void {
  if (process.stderr.isTTY) process.stderr.write(`${subject}: ${clause} ${status}, ${proofs} proofs\n`);
}

function write(text: string, output: string | undefined): void {
  if (output === undefined) process.stdout.write(text);
  else attempt(`The report cannot be written`, () => writeFileSync(output, stripVTControlCharacters(text)));
}

function attempt<Done>(problem: string, work: () => Done): Done {
  try {
    return work();
  } catch (thrown) {
    throw new Unable(`${problem}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}
