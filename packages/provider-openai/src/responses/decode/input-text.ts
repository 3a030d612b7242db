import { isSameInput } from "./equal-inputs.ts";

/**
 * The text of one input: deltas, and then the complete text up to three times. Hosts send a blank
 * text in place of a JSON input that came before, so it changes nothing. A custom tool takes any
 * text, so there only the empty text changes nothing.
 */
export interface InputText {
  addDelta(text: string): void;
  addComplete(text: string): void;
  /** The text that counts; `undefined` if the deltas count. */
  finalText(): string | undefined;
  /** Whether a complete text is the one that came, or changes nothing. */
  matches(text: string): boolean;
  /** The same; any text may still be that of an input that is open and has none. */
  mayBe(text: string, closed: boolean): boolean;
  /** Whether a text came that changes something. */
  hasText(): boolean;
  /** Whether a complete text came, blank or not. */
  hasComplete(): boolean;
}

/** @param onConflict called once, if two of the texts are not the same input. */
export function createInputText(kind: "text" | undefined, onConflict: () => void): InputText {
  let pending = "";
  let flushed = "";
  let blank: string | undefined;
  let complete: string | undefined;
  let hasConflict = false;
  const reportConflict = (): void => {
    if (!hasConflict) onConflict();
    hasConflict = true;
  };
  const isBlankText = (text: string): boolean => (kind === "text" ? text === "" : !/\S/.test(text));
  const matches = (text: string): boolean =>
    isBlankText(text) || isSameInput(complete ?? flushed + pending, text, kind);
  const hasText = (): boolean => complete !== undefined || !isBlankText(flushed + pending);
  return {
    addDelta(text) {
      if (complete !== undefined) return reportConflict();
      pending += text;
      if (pending.length < flushLength) return;
      // Engines keep the result of `+=` as a rope, and flatten it when it is sliced.
      flushed += pending.slice(0, -1);
      pending = pending.slice(-1);
    },
    addComplete(text) {
      if (isBlankText(text)) {
        blank ??= text;
        return;
      }
      const before = complete ?? flushed + pending;
      if (!hasConflict && !isBlankText(before) && !isSameInput(before, text, kind))
        reportConflict();
      complete = text;
    },
    finalText: () => complete ?? (flushed + pending === "" ? blank : undefined),
    matches,
    mayBe: (text, closed) => matches(text) || !(closed || hasText()),
    hasText,
    hasComplete: () => (complete ?? blank) !== undefined,
  };
}
const flushLength = 4096;
