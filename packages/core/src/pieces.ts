/** Why an event cannot be taken: it contradicts what came before, or outgrows the ceiling. */
export interface Complaint {
  readonly kind: "malformed-reply" | "too-large";
  readonly message: string;
}

/** A text that arrives in pieces. Those of late are kept apart: to join them now and then costs less than to keep many short strings alive, or one deep rope. */
export interface Pieces {
  readonly late: string[];
  joined: string;
}

/** The most characters that one text or input may have. */
export const ceiling: number = 16 * 1024 * 1024;
export const tooLarge: Complaint = {
  kind: "too-large",
  message: `A text or an input of the reply is larger than ${ceiling} characters; reading stopped.`,
};
const manyPieces = 128;
const longPiece = 4096;

export const createPieces = (): Pieces => ({ late: [], joined: "" });

export function addPiece(pieces: Pieces, text: string): Complaint | undefined {
  const count = pieces.late.push(text);
  if (count < manyPieces && text.length < longPiece) return undefined;
  return joinPieces(pieces).length > ceiling ? tooLarge : undefined;
}

export function joinPieces(pieces: Pieces): string {
  if (pieces.late.length === 0) return pieces.joined;
  pieces.joined += pieces.late.join("");
  pieces.late.length = 0;
  return pieces.joined;
}
