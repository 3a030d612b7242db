/** Why an event cannot be taken: it contradicts what came before, or outgrows the ceiling. */
export interface StreamError {
  readonly kind: "malformed-reply" | "too-large";
  readonly message: string;
}

/** A text that arrives in pieces. Those of late are linked, and joined now and then: to keep many short strings alive costs more than to copy them. */
export interface TextBuffer {
  pending: string;
  flushed: string;
}

/** The most characters that one text or input may have. */
export const maxTextLength: number = 16 * 1024 * 1024;
export const textTooLarge: StreamError = {
  kind: "too-large",
  message: `A text or an input of the reply is larger than ${maxTextLength} characters; reading stopped.`,
};
const notText: StreamError = {
  kind: "malformed-reply",
  message: "The reply holds something else where a text belongs.",
};
const flushLength = 4096;

export const createTextBuffer = (): TextBuffer => ({ pending: "", flushed: "" });

/** Decoders hand over what came, which hosts may send in any type. */
export function appendText(pieces: TextBuffer, text: unknown): StreamError | undefined {
  if (typeof text !== "string") return notText;
  pieces.pending += text;
  const { pending: late } = pieces;
  if (late.length < flushLength) return undefined;
  // Engines only link what `+=` adds; they join it when it is sliced.
  pieces.flushed += late.slice(0, -1);
  pieces.pending = late.slice(-1);
  return pieces.flushed.length >= maxTextLength ? textTooLarge : undefined;
}

export function bufferedText(pieces: TextBuffer): string {
  if (pieces.pending === "") return pieces.flushed;
  pieces.flushed += pieces.pending;
  pieces.pending = "";
  return pieces.flushed;
}
