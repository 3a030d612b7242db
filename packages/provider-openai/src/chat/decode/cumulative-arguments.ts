import { isObjectText } from "./json-object.ts";

/** The pieces of an input, and what can be told of them while they arrive. */
export interface Pieces {
  readonly list: string[];
  /** Characters of all pieces. */
  length: number;
  /** Each piece begins with all of the piece before it. */
  grows: boolean;
}

export const createPieces = (): Pieces => ({ list: [], length: 0, grows: true });

export function addPiece(pieces: Pieces, text: string): void {
  const last = pieces.list.at(-1);
  pieces.grows &&= last === undefined || text.startsWith(last);
  pieces.length += text.length;
  pieces.list.push(text);
}

/**
 * The text of an input that its pieces say several times over: each piece from the beginning, or the last one all that came before.
 * Nothing where they are plain pieces. Where the join may still be what the model writes, only a host that is known to restate is believed:
 * the pieces `{"a":` and `{"a":1}` are a restated input, or a longer one that was cut.
 */
export function restated(pieces: Pieces, known: boolean): string | undefined {
  const last = pieces.list.at(-1);
  if (last === undefined || pieces.list.length < 2 || !(pieces.grows || repeats(pieces, last)))
    return undefined;
  // The gate judges what is not an object; the join would be an input that nobody wrote.
  if (known && pieces.grows) return last;
  return isObjectText(last) && (known || isBroken(pieces.list)) ? last : undefined;
}

const repeats = ({ list, length }: Pieces, last: string): boolean =>
  length === 2 * last.length && list.slice(0, -1).join("") === last;

/** Whether no JSON text begins with the join of these pieces: one of them opens an object where none may stand. */
function isBroken(pieces: readonly string[]): boolean {
  let inString = false;
  let end = "";
  for (const [n, piece] of pieces.entries()) {
    const fits = inString ? endsString.test(piece) : valueMayFollow.test(end);
    if (n > 0 && piece.startsWith("{") && !fits) return true;
    inString = leavesString(piece, inString);
    end = piece.trimEnd().slice(-1) || end;
  }
  return false;
}

/** Whether a JSON text is inside a string behind this piece of it. */
function leavesString(piece: string, inside: boolean): boolean {
  let inString = inside;
  for (let at = 0; at < piece.length; at++) {
    if (inString && piece[at] === "\\") at++;
    else if (piece[at] === '"') inString = !inString;
  }
  return inString;
}
const valueMayFollow = /[:,[]/;
/** Inside a string an object's text goes on with it, if it ends the string at a place where one may end. */
const endsString = /^\{\s*("\s*[:,}\]]|[^"\s]|$)/;
