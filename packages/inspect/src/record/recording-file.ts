import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { RecordingError } from "../recording-error.ts";

/** A file that only grows. */
export interface RecordingFile {
  /**
   * Appends one line. It is with the operating system when this returns, so it survives the process.
   * @throws RecordingError if the file system refuses it, or something else wrote in the file.
   */
  append(line: string): void;
  close(): void;
}

const beginning = '{"recording":"fullstop"';

/**
 * Opens a file for one recorder. A new file can be read by its owner only. A recording goes on; any
 * other file stays as it is.
 * @throws RecordingError if the file cannot be opened, or is not a recording.
 */
export function openRecordingFile(path: string): RecordingFile {
  const descriptor = orExplain(path, () => openSync(path, "a+", 0o600));
  try {
    let lead = orExplain(path, () => leadOf(descriptor, path));
    let { size } = fstatSync(descriptor);
    const append = (line: string): void => {
      assertUnchanged(descriptor, path, size);
      size += writeAll(descriptor, `${lead}${line}\n`);
      lead = "";
    };
    return {
      append: (line) => orExplain(path, () => append(line), soFar),
      close: () => orExplain(path, () => closeSync(descriptor)),
    };
  } catch (thrown) {
    closeSync(descriptor);
    throw thrown;
  }
}

/** What must stand before the first line: a line end, if a killed process left half a line. */
function leadOf(descriptor: number, path: string): string {
  const stats = fstatSync(descriptor);
  if (!stats.isFile() || stats.size === 0) return "";
  const first = Buffer.alloc(beginning.length);
  readSync(descriptor, first, 0, first.length, 0);
  const known = first.toString("utf8", 0, Math.min(stats.size, first.length));
  if (!beginning.startsWith(known))
    throw new RecordingError(
      "not-a-recording",
      `${path} is not a recording, and stays as it is. Name another file.`,
    );
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, stats.size - 1);
  return last.toString() === "\n" ? "" : "\n";
}

/** Lines refer to earlier ones, so lines of two recorders between each other would mix their texts. */
function assertUnchanged(descriptor: number, path: string, size: number): void {
  const stats = fstatSync(descriptor);
  if (stats.isFile() && stats.size !== size)
    throw new RecordingError(
      "cannot-write",
      `Something else wrote in the recording ${path} or cut it. One process at a time records in a file. Name another file.${soFar}`,
    );
}

function writeAll(descriptor: number, text: string): number {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
  return bytes.length;
}

/** What a person can do about an error of the file system. */
const advice: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist. Create it.",
  ENOTDIR: "a part of its path is not a folder. Name another file.",
  EISDIR: "it is a folder. Name a file.",
  EACCES: "this process may not write it. Name another file, or change the permissions.",
  EROFS: "its file system cannot be written. Name another file.",
  ENOSPC: "the disk is full. Make room, and start again.",
  EDQUOT: "the quota is used up. Make room, and start again.",
  EFBIG: "the file has reached the largest size. Name another file.",
};

const soFar = " What was recorded until then can be read.";

function orExplain<Value>(path: string, work: () => Value, more = ""): Value {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof RecordingError) throw thrown;
    const { code = "", message } = thrown as NodeJS.ErrnoException;
    throw new RecordingError(
      "cannot-write",
      `The recording ${path} cannot be written: ${advice[code] ?? `${message}.`}${more}`,
      thrown,
    );
  }
}
