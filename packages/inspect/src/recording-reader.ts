import { checkGiven, isFields, parseJson } from "@fullstop/core/adapter";
import type { RecordedEvent, RecordingHead } from "./recording.ts";
import { createEventDecoder, type DecodeEvent } from "./recording-decoder.ts";
import { RecordingError } from "./recording-error.ts";

/** A recording that was read. */
export interface Recording {
  readonly head: RecordingHead;
  readonly events: readonly RecordedEvent[];
  /** What cannot be read, a sentence each: a line that was cut, an event of a newer version. */
  readonly flaws: readonly string[];
}

/** Reads a recording that is still growing. */
export interface RecordingReader {
  /**
   * Takes the next part of the file, and returns the events of its complete lines. A part may end
   * anywhere.
   * @throws RecordingError if the file is not a recording.
   */
  push(text: string): readonly RecordedEvent[];
  /**
   * The file has ended. A last line without its end counts if it is complete.
   * @throws RecordingError if the file is empty, or not a recording.
   */
  end(): readonly RecordedEvent[];
  /** Undefined before the first line. */
  readonly head: RecordingHead | undefined;
  readonly flaws: readonly string[];
}

/**
 * Reads a whole recording. Never fails because of a line: what cannot be read is a flaw, and the
 * rest is read.
 * @throws RecordingError if the text is not a recording. The message says what it is.
 */
export function readRecording(text: string): Recording {
  checkGiven(text, "readRecording", "the text of a recording", "string");
  const reader = createRecordingReader();
  const events = [...reader.push(text), ...reader.end()];
  return { head: assertHead(reader.head), events, flaws: reader.flaws };
}

/** Reads a recording in parts, for example while a run writes it. */
export function createRecordingReader(): RecordingReader {
  let head: RecordingHead | undefined;
  let decode: DecodeEvent | undefined;
  let unread: string[] = [];
  let lineCount = 0;
  const flaws = createFlaws();

  const readLine = (line: string): readonly RecordedEvent[] => {
    lineCount += 1;
    if (line.trim() === "") return [];
    const value = tryParse(line);
    if (head === undefined || isHead(value)) {
      head ??= readHead(value);
      decode = createEventDecoder(flaws.add);
      return [];
    }
    try {
      if (isFields(value)) return decode?.(value, lineCount) ?? [];
    } catch {
      // Members of another shape than those that a recorder writes.
    }
    flaws.add(`Line ${lineCount} was cut, or is damaged. It is left out.`);
    return [];
  };
  return {
    push: (text) => {
      const lines = text.split("\n");
      const last = lines.pop() ?? "";
      if (lines.length === 0) {
        unread.push(last);
        return [];
      }
      lines[0] = unread.join("") + (lines[0] ?? "");
      unread = [last];
      return lines.flatMap(readLine);
    },
    end: () => {
      const events = readLine(unread.join(""));
      unread = [];
      assertHead(head);
      return events;
    },
    get head() {
      return head;
    },
    flaws: flaws.all,
  };
}

/** Each flaw is reported once. */
function createFlaws(): { readonly all: readonly string[]; add(flaw: string): void } {
  const all: string[] = [];
  const known = new Set<string>();
  return {
    all,
    add: (flaw) => {
      if (known.has(flaw)) return;
      known.add(flaw);
      all.push(flaw);
    },
  };
}

function assertHead(head: RecordingHead | undefined): RecordingHead {
  if (head === undefined)
    throw new RecordingError(
      "empty",
      "The file is empty. A recording is made with `run({ …, onEvent: record(file) })`.",
    );
  return head;
}

const isHead = (value: unknown): boolean => isFields(value) && "recording" in value;

function tryParse(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}

function readHead(value: unknown): RecordingHead {
  if (isFields(value) && value["recording"] === "fullstop") {
    if (value["version"] === 1) return value as unknown as RecordingHead;
    throw new RecordingError(
      "newer-version",
      `The recording has the version ${String(value["version"])}, and this release reads version 1. Install a newer release.`,
    );
  }
  const what =
    isFields(value) && "journal" in value
      ? "The file is a journal: it has the steps of a run, and not its events."
      : "The file is not a recording: its first line is not the head of one.";
  throw new RecordingError(
    "not-a-recording",
    `${what} A recording is made with \`run({ …, onEvent: record(file) })\`.`,
  );
}
