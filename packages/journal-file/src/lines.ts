import type { JournalStep } from "@fullstop/loop";

/** A line of the file: the beginning of a step, or its value. */
export type Line = JournalStep & ({ readonly begun: true } | { readonly value: unknown });

/** The first line, with the format of the file. */
export const header = '{"journal":"fullstop","version":1}\n';

/** The position of the final line of a step, in bytes. */
export interface LinePosition {
  readonly at: number;
  readonly length: number;
}
export interface Contents {
  readonly ended: Map<string, LinePosition>;
  readonly begun: Set<string>;
  /** Bytes of all complete lines. */
  readonly length: number;
}

/**
 * Reads the contents of a file. Ignores a torn last line, because its step was not acknowledged.
 */
export function readContents(bytes: Buffer, path: string): Contents {
  const ended = new Map<string, LinePosition>();
  const begun = new Set<string>();
  let at = headerLength(bytes, path);
  for (let end = bytes.indexOf("\n", at); end >= 0; end = bytes.indexOf("\n", at)) {
    const line = parseLine(bytes.toString("utf8", at, end));
    if (line === undefined) {
      if (end + 1 < bytes.length)
        throw new Error(`${path} is damaged: the line at byte ${at} does not belong to a journal.`);
      break;
    }
    if ("begun" in line) begun.add(line.key);
    else ended.set(line.key, { at, length: end - at });
    at = end + 1;
  }
  return { ended, begun, length: at };
}

/** The length of the header; 0 if it is torn. */
function headerLength(bytes: Buffer, path: string): number {
  const first = bytes.toString("utf8", 0, header.length);
  if (first === header) return header.length;
  if (header.startsWith(first)) return 0;
  throw new Error(`${path} is not a journal of version 1.`);
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
  ("begun" in line || "value" in line);
