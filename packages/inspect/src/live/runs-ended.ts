import { createRecordingReader } from "../recording-reader.ts";
import type { FollowedFile } from "./follow-file.ts";
import type { Edition } from "./growing-file.ts";

/** @throws RecordingError if the file is not a recording. */
export async function untilRunsEnded(file: FollowedFile, signal: AbortSignal): Promise<void> {
  let current: Edition | undefined;
  let isOver = createRunWatch();
  let read = 0;
  while (!signal.aborted) {
    const { edition } = file;
    if (edition !== undefined && edition !== current) {
      current = edition;
      read = edition.base;
      isOver = createRunWatch();
    }
    if (current === undefined || read === current.last) {
      await file.next(signal);
      continue;
    }
    const lines = (await current.readAfter(read)) ?? [];
    read += lines.length;
    if (isOver(lines) && read === current.last) return;
  }
}

function createRunWatch(): (lines: readonly string[]) => boolean {
  const reader = createRecordingReader();
  const open = new Set<string>();
  let hasRun = false;
  return (lines) => {
    for (const { type, runId, path } of reader.push(lines.map((line) => `${line}\n`).join(""))) {
      hasRun = true;
      // A sub-agent ends before the run that it is in.
      if (type === "end" && path.length === 0) open.delete(runId);
      else open.add(runId);
    }
    return hasRun && open.size === 0;
  };
}
