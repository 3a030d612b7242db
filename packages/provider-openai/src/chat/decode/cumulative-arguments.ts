import { isObjectText } from "../../shared/object-text.ts";

/** The pieces of one input in their order, and what is known about all of them. */
export interface ArgumentPieces {
  readonly list: string[];
  /** Characters of all pieces. */
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

/**
 * Whether no JSON text can begin with the joined pieces, because one of them opens an object where
 * a value is not allowed.
 */
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

/** Whether a JSON text is inside a string after this piece. */
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
