export interface StreamError {
  readonly kind: "malformed-reply" | "too-large";
  readonly message: string;
}

/** Flattened every 4 KiB: many live small strings cost more than a copy. */
export interface TextBuffer {
  pending: string;
  flushed: string;
}

/** The largest number of characters of one text or input. */
export const maxTextLength: number = 16 * 1024 * 1024;
export const textTooLarge: StreamError = {
  kind: "too-large",
  message: `A text or an input of the reply is larger than ${maxTextLength} characters; reading stopped.`,
};
const notText: StreamError = {
  kind: "malformed-reply",
  message: "The reply contains a value of another type in place of a text.",
};
const flushLength = 4096;

export const createTextBuffer = (): TextBuffer => ({ pending: "", flushed: "" });

/** The type of `text` is unknown: decoders pass on what hosts send. */
export function appendText(buffer: TextBuffer, text: unknown): StreamError | undefined {
  if (typeof text !== "string") return notText;
  buffer.pending += text;
  const { pending } = buffer;
  if (pending.length < flushLength) return undefined;
  // `+=` only links strings in the engine. Slicing flattens them.
  buffer.flushed += pending.slice(0, -1);
  buffer.pending = pending.slice(-1);
  return buffer.flushed.length >= maxTextLength ? textTooLarge : undefined;
}

export function bufferedText(buffer: TextBuffer): string {
  if (buffer.pending === "") return buffer.flushed;
  buffer.flushed += buffer.pending;
  buffer.pending = "";
  return buffer.flushed;
}
