import { isObjectText } from "@fullstop/core/adapter";

export interface ArgumentPieces {
  readonly list: string[];
  length: number;
  /** Each piece starts with the complete piece before it. */
  grows: boolean;
}

export const createArgumentPieces = (): ArgumentPieces => ({ list: [], length: 0, grows: true });

export function addArgumentPiece(pieces: ArgumentPieces, text: string): void {
  const last = pieces.list.at(-1);
  pieces.grows &&= last === undefined || text.startsWith(last);
  pieces.length += text.length;
  pieces.list.push(text);
}

/**
 * Detects arguments that are sent cumulatively instead of as deltas: each piece holds all of them
 * so far, or the last piece repeats them, maybe with other white space
 * (https://github.com/vllm-project/vllm/issues/36857). Returns the complete text, or `undefined`
 * for deltas.
 *
 * If the joined pieces can be valid JSON, only a host that is known to send cumulative arguments is
 * trusted: the pieces `{"a":` and `{"a":1}` are a cumulative input, or a longer input that was cut.
 */
export function cumulativeText(
  pieces: ArgumentPieces,
  hostIsCumulative: boolean,
): string | undefined {
  const last = pieces.list.at(-1);
  if (last === undefined || pieces.list.length < 2) return undefined;
  if (!pieces.grows && !lastRepeatsAll(pieces, last)) return undefined;
  // The model did not write the joined text, also if this text is not an object: the gate withholds
  // that.
  if (hostIsCumulative && pieces.grows) return last;
  return isObjectText(last) && (hostIsCumulative || cannotBeJson(pieces.list)) ? last : undefined;
}

const isPlaceholder = (piece: string | undefined): boolean => piece?.trim() === "{}";

/** Hosts send `{}` before or behind the input (openai/openai-agents-js#712, ogx-ai/ogx#5462). */
export function withoutPlaceholder({ list }: ArgumentPieces): string | undefined {
  if (list.length < 2) return undefined;
  if (!isPlaceholder(list[0]) && !isPlaceholder(list.at(-1))) return undefined;
  const rest = (isPlaceholder(list[0]) ? list.slice(1) : list.slice(0, -1)).join("");
  return !isPlaceholder(rest) && isObjectText(rest) ? rest : undefined;
}

/** Whether the last piece is the text of the others, which may lack its closing characters. */
function lastRepeatsAll({ list, length }: ArgumentPieces, last: string): boolean {
  const lengthBefore = length - last.length;
  if (!last.startsWith("{") || lengthBefore > maxWhiteSpace * last.length) return false;
  const all = compact(last);
  const before = compact(list.slice(0, -1).join(""));
  return all.startsWith(before) && /^["}\]]*$/.test(all.slice(before.length));
}
/** How many times longer white space makes the same JSON. It bounds what a hostile reply costs. */
const maxWhiteSpace = 8;

/** JSON without the white space outside of its strings. */
const compact = (json: string): string => json.replace(/("[^"\\]*(?:\\.[^"\\]*)*"?)|\s+/gs, "$1");

/** One of the pieces opens an object where a value is not allowed. */
function cannotBeJson(pieces: readonly string[]): boolean {
  let inString = false;
  let lastCharacter = "";
  for (const [index, piece] of pieces.entries()) {
    const isAllowed = inString ? endsString.test(piece) : valueMayFollow.test(lastCharacter);
    if (index > 0 && piece.startsWith("{") && !isAllowed) return true;
    inString = endsInString(piece, inString);
    lastCharacter = piece.trimEnd().slice(-1) || lastCharacter;
  }
  return false;
}

function endsInString(piece: string, startsInString: boolean): boolean {
  let inString = startsInString;
  for (let at = 0; at < piece.length; at++) {
    if (inString && piece[at] === "\\") at++;
    else if (piece[at] === '"') inString = !inString;
  }
  return inString;
}
const valueMayFollow = /[:,[]/;
/** In a string, `{` is text. If the piece then ends the string, it does so where JSON allows it. */
const endsString = /^\{\s*("\s*[:,}\]]|[^"\s]|$)/;

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

/** May be called after each piece: each is scanned once, and the text is parsed once. */
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
