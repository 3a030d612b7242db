/** Why an event cannot be taken: it contradicts what came before, or outgrows the ceiling. */
export interface Complaint {
  readonly kind: "malformed-reply" | "too-large";
  readonly message: string;
}

/** A text that arrives in pieces. Those of late are linked, and joined now and then: to keep many short strings alive costs more than to copy them. */
export interface Pieces {
  late: string;
  joined: string;
}

/** The most characters that one text or input may have. */
export const ceiling: number = 16 * 1024 * 1024;
export const tooLarge: Complaint = {
  kind: "too-large",
  message: `A text or an input of the reply is larger than ${ceiling} characters; reading stopped.`,
};
const noText: Complaint = {
  kind: "malformed-reply",
  message: "The reply holds something else where a text belongs.",
};
const longEnough = 4096;

export const createPieces = (): Pieces => ({ late: "", joined: "" });

/** Decoders hand over what came, which hosts may send in any type. */
export function addPiece(pieces: Pieces, text: unknown): Complaint | undefined {
  if (typeof text !== "string") return noText;
  pieces.late += text;
  const { late } = pieces;
  if (late.length < longEnough) return undefined;
  // Engines only link what `+=` adds; they join it when it is sliced.
  pieces.joined += late.slice(0, -1);
  pieces.late = late.slice(-1);
  return pieces.joined.length >= ceiling ? tooLarge : undefined;
}

export function joinPieces(pieces: Pieces): string {
  if (pieces.late === "") return pieces.joined;
  pieces.joined += pieces.late;
  pieces.late = "";
  return pieces.joined;
}
