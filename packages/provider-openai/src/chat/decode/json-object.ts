export function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

const blanks = " \t\n\r";
interface Scan {
  readonly depth: number;
  readonly state: "outside" | "in-string" | "escaped" | "ended" | "broken";
}

/** Where the end of a JSON object may be: one character further. */
function next(scan: Scan, char: string): Scan {
  const { depth, state } = scan;
  if (state === "escaped") return { depth, state: "in-string" };
  if (state === "in-string") return { depth, state: behind[char] ?? state };
  if (blanks.includes(char)) return scan;
  if (state !== "outside" || (depth === 0 && char !== "{")) return { depth, state: "broken" };
  const after = depth + (nesting[char] ?? 0);
  return { depth: after, state: after === 0 ? "ended" : char === '"' ? "in-string" : state };
}
const behind: Readonly<Record<string, Scan["state"]>> = { "\\": "escaped", '"': "outside" };
const nesting: Readonly<Record<string, number>> = { "{": 1, "[": 1, "}": -1, "]": -1 };

/**
 * Tells whether the pieces are one whole JSON object by now. It may be asked at every piece: each is looked at once, and the text is parsed once,
 * at the only place where it can be whole.
 */
export function createObjectCheck(pieces: readonly string[]): () => boolean {
  let scan: Scan = { depth: 0, state: "outside" };
  let seen = 0;
  let parsed: boolean | undefined;
  return () => {
    for (; seen < pieces.length; seen++) {
      for (const char of pieces[seen] ?? "") if (scan.state !== "broken") scan = next(scan, char);
    }
    if (scan.state !== "ended") return false;
    parsed ??= isObjectText(pieces.join(""));
    return parsed;
  };
}

const closers = `"}]${blanks}`;

/** Whether `text` goes on where the object `before` has its end: it says the same object once more, or a longer one. */
export function goesOn(before: string, text: string): boolean {
  let end = before.length;
  while (end > 0 && closers.includes(before.charAt(end - 1))) end--;
  return text.startsWith(before.slice(0, end));
}
