import { readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileJournal } from "@fullstop/journal-file";
import { type Outcome, type RunEvent, type RunOptions, run, withDetails } from "@fullstop/loop";
import { onTestFinished } from "vitest";
import { type RecordOptions, record } from "../src/index.ts";
import { type Recording, readRecording } from "../src/view/index.ts";

/** A folder that the test removes. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "inspect-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface RecordedRun {
  readonly outcome: Outcome;
  /** The text of the file. */
  readonly text: string;
  readonly recording: Recording;
  /** What the run reported, with its details. */
  readonly events: readonly RunEvent[];
}

/** Runs to the end with a recorder, and reads its file. */
export async function recorded(
  options: Omit<RunOptions, "prompt"> & { readonly prompt?: string },
  recordOptions?: RecordOptions,
): Promise<RecordedRun> {
  const file = join(await testFolder(), "run.jsonl");
  const recorder = record(file, recordOptions);
  const events: RunEvent[] = [];
  const onEvent = withDetails((event) => {
    events.push(event);
    recorder(event);
  });
  const outcome = await run({ prompt: "Go.", ...options, onEvent } as RunOptions).outcome();
  await recorder.close();
  const text = readFileSync(file, "utf8");
  return { outcome, text, recording: readRecording(text), events };
}

/** The path of a journal that the test removes. */
export const journalFile = async (): Promise<string> => join(await testFolder(), "journal.jsonl");

/** A journal in a file that the test removes. */
export async function testJournal(): Promise<NonNullable<RunOptions["journal"]>> {
  return { store: fileJournal(await journalFile()), runId: "run-7" };
}
