import { resolve } from "node:path";
import { RecordingError } from "@fullstop/inspect/view";
import {
  type FixReport,
  fixTranscript,
  type LintFlaw,
  type LintReport,
  lintTranscript,
  readTranscripts,
  type ShapeName,
  TranscriptError,
} from "@fullstop/lint";
import { replaceFile, UsageError, writeOutput } from "../files.ts";
import { isRecording, lintRecording } from "./recording.ts";

/** A flaw, and where it is. */
export interface PlacedFlaw extends LintFlaw {
  readonly file: string;
  /** The line of the request body, if a file holds several. */
  readonly line?: number | undefined;
  /** The run of a recording. */
  readonly run?: string | undefined;
  /** The first request of the run that has the flaw, from 1. Undefined: its outcome has it. */
  readonly request?: number | undefined;
}
/** What was found in a file. */
export interface CheckedFile {
  readonly file: string;
  readonly reports: readonly PlacedReport[];
  readonly fixed: readonly PlacedFlaw[];
  readonly left: readonly PlacedFlaw[];
  /** The file after its repair; as it was, without `--fix`. */
  readonly text: string;
  /** What cannot be read in a recording. */
  readonly notes: readonly string[];
}
interface PlacedReport extends LintReport {
  readonly line?: number | undefined;
  readonly run?: string | undefined;
}

interface CheckOptions {
  readonly shape?: ShapeName;
  readonly fix?: true;
}

/** Checks the transcripts of a file, and repairs them with `fix`. */
export function checkFile(file: string, source: string, { shape, fix }: CheckOptions): CheckedFile {
  if (isRecording(source)) return checkRecording(file, source, fix);
  const read = within(file, undefined, () => readTranscripts(source));
  const checks = read.transcripts.map(({ line, value }) =>
    within(file, line, () => {
      const report = lintTranscript(value, { shape });
      const repair: Omit<FixReport, "shape"> = fix
        ? fixTranscript(value, { shape })
        : { transcript: value, fixed: [], left: report.flaws };
      return { ...repair, report: { ...report, line }, place: { file, line } };
    }),
  );
  const isChanged = checks.some(({ fixed }) => fixed.length > 0);
  return {
    file,
    reports: checks.map(({ report }) => report),
    fixed: checks.flatMap(({ fixed, place }) => fixed.map((flaw) => ({ ...flaw, ...place }))),
    left: checks.flatMap(({ left, place }) => left.map((flaw) => ({ ...flaw, ...place }))),
    text: isChanged ? read.toText(checks.map(({ transcript }) => transcript)) : source,
    notes: [],
  };
}

function checkRecording(file: string, source: string, fix: true | undefined): CheckedFile {
  if (fix)
    throw new UsageError(
      `${file} is a recording. It says what happened, so --fix does not change it. Write \`outcome.messages\` of the run to a file, and repair that file.`,
    );
  try {
    const { reports, flaws, notes } = lintRecording(source);
    const left = flaws.map((flaw) => ({ ...flaw, file }));
    return { file, reports, fixed: [], left, text: source, notes };
  } catch (thrown) {
    const isExpected = thrown instanceof RecordingError || thrown instanceof TranscriptError;
    if (!isExpected) throw thrown;
    throw new TranscriptError(`${file}: ${thrown.message}`, { cause: thrown });
  }
}

/** Names the file in an error. The option is called `--shape` here. */
function within<T>(file: string, line: number | undefined, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof TranscriptError)) throw thrown;
    const place = line === undefined ? file : `${file}, line ${line}`;
    throw new TranscriptError(
      `${place}: ${thrown.message.replace("the option `shape`", "--shape")}`,
      { cause: thrown },
    );
  }
}

/** Where a repaired file goes. */
interface WriteOptions {
  readonly output?: string;
  readonly write?: true;
}

/**
 * Writes a repaired file. The input is overwritten only with `write`.
 * @throws UsageError if `output` is the input, or cannot be written.
 */
export async function writeFixed(
  { file, text: repaired, fixed }: CheckedFile,
  { output, write }: WriteOptions,
): Promise<void> {
  if (write) {
    if (fixed.length > 0) await replaceFile(file, repaired);
    return;
  }
  if (output === undefined) {
    process.stdout.write(repaired);
    return;
  }
  if (file !== "-" && resolve(output) === resolve(file))
    throw new UsageError("--output is the input. Use --write to write over it.");
  await writeOutput(output, repaired);
}
