import { checkGiven } from "@fullstop/core/adapter";
import { TranscriptError } from "./transcript-error.ts";
import { isFields } from "./values.ts";

/** The transcripts of a file. */
export interface TranscriptFile {
  /** More than one if each line of the file is a request body. */
  readonly transcripts: readonly { readonly line?: number; readonly value: unknown }[];
  /** Writes the transcripts in the format of the file: JSON, or JSON Lines. */
  readonly toText: (transcripts: readonly unknown[]) => string;
}

/**
 * Reads a file: one JSON value, or JSON Lines with a message, an item or a request body on each
 * line.
 * @throws TranscriptError if the text is neither, or is a journal or a recording.
 */
export function readTranscripts(text: string): TranscriptFile {
  checkGiven(text, "readTranscripts", "the text of a file", "string");
  const value = tryParseExactly(text);
  if (value !== undefined && !isLine(value))
    return {
      transcripts: [{ value }],
      toText: ([only]) => `${JSON.stringify(only, null, 2)}\n`,
    };
  return fromLines(parseLines(text));
}

interface Line {
  readonly line: number;
  readonly value: unknown;
}

function fromLines(lines: readonly Line[]): TranscriptFile {
  const other = otherFiles.find(({ member }) => isFileOf(member, lines[0]?.value));
  if (other !== undefined) throw new TranscriptError(other.message);
  if (lines.every(({ value }) => isBody(value)))
    return { transcripts: lines, toText: (values) => toLines(values) };
  return {
    transcripts: [{ value: lines.map(({ value }) => value) }],
    toText: ([list]) => toLines(Array.isArray(list) ? list : [list]),
  };
}

const toLines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");

function parseLines(text: string): readonly Line[] {
  const lines = text.split("\n").flatMap((content, index): readonly Line[] => {
    if (content.trim() === "") return [];
    const value = tryParseExactly(content);
    if (value !== undefined) return [{ line: index + 1, value }];
    throw new TranscriptError(
      `Line ${index + 1} is not JSON. Expected one JSON value, or JSON Lines: a message or a request body on each line.`,
    );
  });
  if (lines.length > 0) return lines;
  throw new TranscriptError("The file is empty. Expected JSON, or JSON Lines.");
}

/** Files of this project whose lines are not messages, by a member of their first line. */
const otherFiles = [
  {
    member: "journal",
    message:
      "This is a journal of @fullstop/journal-file. It has what the model and the tools answered, and not what was sent. Record the run with `record` of @fullstop/inspect, and check the recording with `fullstop lint`; or write `outcome.messages` to a file, and check that file.",
  },
  {
    member: "recording",
    message:
      "This is a recording of @fullstop/inspect. `fullstop lint` checks the runs in it. A program reads it with `readRecording` of @fullstop/inspect, and gives the messages of a request to `lintTranscript`.",
  },
] as const;
const isFileOf = (member: string, first: unknown): boolean =>
  isFields(first) && first[member] === "fullstop";

/** A file with one line is JSON Lines if the line is a message or the first line of another file. */
const isLine = (value: unknown): boolean =>
  otherFiles.some(({ member }) => isFileOf(member, value)) ||
  (isFields(value) && !isBody(value) && (value["role"] ?? value["type"]) !== undefined);
/** A list, or a request body that holds one. A message holds its role beside its contents. */
const isBody = (value: unknown): boolean =>
  Array.isArray(value) ||
  (isFields(value) &&
    value["role"] === undefined &&
    value["type"] === undefined &&
    ["messages", "contents", "input"].some((member) => Object.hasOwn(value, member)));

/** Not yet in the types of the language: https://github.com/tc39/proposal-json-parse-with-source */
type ExactJson = typeof JSON & { readonly rawJSON?: (text: string) => unknown };

/** The value of a JSON text. A number that JavaScript would round keeps its digits. */
function tryParseExactly(text: string): unknown {
  const { rawJSON } = JSON as ExactJson;
  const keepDigits = (
    _: string,
    value: unknown,
    context?: { readonly source?: string },
  ): unknown =>
    typeof value === "number" && context?.source !== undefined && context.source !== `${value}`
      ? (rawJSON?.(context.source) ?? value)
      : value;
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""), keepDigits);
  } catch {
    return undefined;
  }
}
