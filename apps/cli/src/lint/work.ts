import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
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

/** A usage that cannot work. The message says what to change. */
export class UsageError extends Error {}

/** A flaw, and where it is. */
export interface PlacedFlaw extends LintFlaw {
  readonly file: string;
  /** The line of the request body, if a file holds several. */
  readonly line?: number | undefined;
}
/** What was found in a file. */
export interface CheckedFile {
  readonly file: string;
  readonly reports: readonly (LintReport & { readonly line?: number | undefined })[];
  readonly fixed: readonly PlacedFlaw[];
  readonly left: readonly PlacedFlaw[];
  /** The file after its repair; as it was, without `--fix`. */
  readonly text: string;
}

interface CheckOptions {
  readonly shape?: ShapeName;
  readonly fix?: true;
}

/** The text of a file; `-` is standard input. */
export async function readInput(file: string): Promise<string> {
  try {
    return file === "-" ? await text(process.stdin) : await readFile(file, "utf8");
  } catch (thrown) {
    throw new UsageError(
      `cannot read ${file}: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    );
  }
}

/** Checks the transcripts of a file, and repairs them with `fix`. */
export function checkFile(file: string, source: string, { shape, fix }: CheckOptions): CheckedFile {
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
  };
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
    if (fixed.length > 0) await writeFileText(file, repaired);
    return;
  }
  if (output === undefined) {
    process.stdout.write(repaired);
    return;
  }
  if (file !== "-" && resolve(output) === resolve(file))
    throw new UsageError("--output is the input. Use --write to write over it.");
  await writeFileText(output, repaired);
}

async function writeFileText(file: string, content: string): Promise<void> {
  try {
    await writeFile(file, content);
  } catch (thrown) {
    throw new UsageError(
      `cannot write ${file}: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    );
  }
}
