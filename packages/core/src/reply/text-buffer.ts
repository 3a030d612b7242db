export interface StreamError {
  readonly kind: "malformed-reply" | "too-large";
  readonly message: string;
}

/** Flattened every 4 KiB: many live small strings cost more than a copy. */
export interface TextBuffer {
  pending: string;
  flushed: string;
  readonly maxLength: number;
}

/** The largest number of characters of one text or input, if the gate has no other limit. */
export const defaultMaxTextLength: number = 16 * 1024 * 1024;
export const textTooLarge = ({ maxLength }: TextBuffer): StreamError => ({
  kind: "too-large",
  message: `A text or an input of the reply is larger than ${maxLength} characters; reading stopped.`,
});
const notText: StreamError = {
  kind: "malformed-reply",
  message: "The reply contains a value of another type in place of a text.",
};
const flushLength = 4096;

export const createTextBuffer = (maxLength: number): TextBuffer => ({
  pending: "",
  flushed: "",
  maxLength,
});

/** The type of `text` is unknown: decoders pass on what hosts send. */
export function appendText(buffer: TextBuffer, text: unknown): StreamError | undefined {
  if (typeof text !== "string") return notText;
  buffer.pending += text;
  const { pending } = buffer;
  if (buffer.flushed.length + pending.length > buffer.maxLength) return textTooLarge(buffer);
  if (pending.length < flushLength) return undefined;
  // `+=` only links strings in the engine. Slicing flattens them.
  buffer.flushed += pending.slice(0, -1);
  buffer.pending = pending.slice(-1);
  return undefined;
}

export function bufferedText(buffer: TextBuffer): string {
  if (buffer.pending === "") return buffer.flushed;
  buffer.flushed += buffer.pending;
  buffer.pending = "";
  return buffer.flushed;
}
