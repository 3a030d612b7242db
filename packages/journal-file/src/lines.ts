import { JournalError, type JournalStep } from "@fullstop/loop/journal";

/** A step of a run: two runs in one file can have the same keys. */
export interface RunStep extends JournalStep {
  /** Undefined in a file of an earlier release: the step belongs to each run. */
  readonly run?: string | undefined;
}

type Line = RunStep &
  (
    | { readonly begun: true }
    | { readonly value: unknown }
    /** The JSON text of the value, as a string. */
    | { readonly json: string }
  );

export const header = '{"journal":"fullstop","version":1}\n';

/** The beginning of a file of a later version. */
const laterHeader = /^\{"journal":"fullstop","version":(\d+)[,}]/;
const longestHeader = 100;

export const beginLine = ({ run, key, kind }: RunStep): string =>
  JSON.stringify({ run, key, kind, begun: true });

/** If the line cannot hold the text (a line break, half of a surrogate pair), it is a string. */
export function endLine({ run, key, kind }: RunStep, json: string): string {
  return json.includes("\n") || !json.isWellFormed()
    ? JSON.stringify({ run, key, kind, json })
    : `${valuePrefix({ run, key, kind })}${json}}`;
}

const valuePrefix = ({ run, key, kind }: RunStep): string =>
  `${JSON.stringify({ run, key, kind }).slice(0, -1)},"value":`;

export function readJson(text: string): string {
  const line = JSON.parse(text) as RunStep & { readonly value?: unknown; readonly json?: string };
  if (line.json !== undefined) return line.json;
  const prefix = valuePrefix(line);
  return text.startsWith(prefix) ? text.slice(prefix.length, -1) : JSON.stringify(line.value);
}

/** The position of the final line of a step, in bytes. */
export interface LinePosition {
  readonly at: number;
  readonly length: number;
}
/** Where a step ended, or that it only began. */
export type StepPosition = LinePosition | "begun";
export interface Contents {
  readonly steps: Map<string, StepPosition>;
  /** Bytes of all complete lines. */
  readonly length: number;
}

export const stepId = ({ run, key }: Pick<RunStep, "run" | "key">): string =>
  JSON.stringify([run, key]);

/** Ignores a torn last line, because its step was not acknowledged. */
export function readContents(bytes: Buffer, path: string): Contents {
  const steps = new Map<string, StepPosition>();
  let at = headerLength(bytes, path);
  for (let end = bytes.indexOf("\n", at); end >= 0; end = bytes.indexOf("\n", at)) {
    const line = parseLine(bytes.toString("utf8", at, end));
    if (line === undefined) {
      if (end + 1 < bytes.length)
        throw new JournalError(
          "damaged",
          `${path} is damaged: the line at byte ${at} does not belong to a journal. Restore a copy, or start the run in another file.`,
        );
      break;
    }
    const id = stepId(line);
    if (!("begun" in line)) steps.set(id, { at, length: end - at });
    else if (!steps.has(id)) steps.set(id, "begun");
    at = end + 1;
  }
  return { steps, length: at };
}

/** The length of the header; 0 if it is torn. */
function headerLength(bytes: Buffer, path: string): number {
  const first = bytes.toString("utf8", 0, header.length);
  if (first === header) return header.length;
  if (header.startsWith(first)) return 0;
  if (first === header.replace("\n", "\r"))
    throw new JournalError(
      "damaged",
      `${path} has the line ends of Windows (CRLF), which a journal does not have: a program or git changed it. Restore a copy with LF, or write LF. The file was not changed.`,
    );
  const [, version] = laterHeader.exec(bytes.toString("utf8", 0, longestHeader)) ?? [];
  const problem =
    version === undefined
      ? "is not a journal. Use another file."
      : `is a journal of version ${version}, which a later release wrote. Update @fullstop/journal-file. The file was not changed.`;
  throw new JournalError("damaged", `${path} ${problem}`);
}

function parseLine(text: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return isLine(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

const isLine = (line: unknown): line is Line =>
  typeof line === "object" &&
  line !== null &&
  "key" in line &&
  typeof line.key === "string" &&
  (!("run" in line) || typeof line.run === "string") &&
  ("begun" in line || "value" in line || ("json" in line && typeof line.json === "string"));
