import { isObjectText } from "../../shared/object-text.ts";

const whiteSpace = " \t\n\r";
/** How far a text has been read as one JSON object. `broken`: it cannot be one. */
interface Scan {
  readonly depth: number;
  readonly state: "outside" | "in-string" | "escaped" | "ended" | "broken";
}

/** Reads one more character. Checks only where the object ends, not its syntax. */
function scanCharacter(scan: Scan, char: string): Scan {
  const { depth, state } = scan;
  if (state === "escaped") return { depth, state: "in-string" };
  if (state === "in-string") return { depth, state: stateAfter[char] ?? state };
  if (whiteSpace.includes(char)) return scan;
  if (state !== "outside" || (depth === 0 && char !== "{")) return { depth, state: "broken" };
  if (char === '"') return { depth, state: "in-string" };
  const after = depth + (nesting[char] ?? 0);
  return { depth: after, state: after === 0 ? "ended" : state };
}
const stateAfter: Readonly<Record<string, Scan["state"]>> = { "\\": "escaped", '"': "outside" };
const nesting: Readonly<Record<string, number>> = { "{": 1, "[": 1, "}": -1, "]": -1 };

/**
 * Creates a function that returns whether the pieces so far are exactly one JSON object. It may be
 * called after every piece: each piece is scanned once, and the text is parsed once, at the only
 * place where the object can end.
 */
export function createObjectCheck(pieces: readonly string[]): () => boolean {
  let scan: Scan = { depth: 0, state: "outside" };
  let scanned = 0;
  let parsed: boolean | undefined;
  return () => {
    for (; scanned < pieces.length; scanned++) {
      for (const char of pieces[scanned] ?? "")
        if (scan.state !== "broken") scan = scanCharacter(scan, char);
    }
    if (scan.state !== "ended") return false;
    parsed ??= isObjectText(pieces.join(""));
    return parsed;
  };
}

const closers = `"}]${whiteSpace}`;

/** Whether `text` repeats the object `before`, or a longer version of it. */
export function repeatsObject(before: string, text: string): boolean {
  let end = before.length;
  while (end > 0 && closers.includes(before.charAt(end - 1))) end--;
  return text.startsWith(before.slice(0, end));
}
