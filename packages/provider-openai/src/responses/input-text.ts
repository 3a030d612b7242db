import { canonicalJson } from "@fullstop/core/adapter";

/**
 * The text of one input: deltas, and then the complete text up to three times. Hosts send a blank
 * text in place of a JSON input that came before, so it changes nothing. A custom tool takes any
 * text, so there only the empty text changes nothing.
 */
interface InputText {
  addDelta(text: string): void;
  addComplete(text: string): void;
  /** A piece of it came in an event of an unknown type: only a complete text says all of it. */
  addUnknown(): void;
  /** The text that counts; `undefined` if the deltas count. */
  finalText(): string | undefined;
  /** Whether a complete text is the one that came, or changes nothing. */
  matches(text: string): boolean;
  /** The text so far or another one, in one form for all spellings; `undefined` if it is blank. */
  canonical(text?: string): string | undefined;
  hasText(): boolean;
  /** Whether a complete text came, blank or not. */
  hasComplete(): boolean;
}

/** @param onConflict called once, if two of the texts are not the same input, or one is missing. */
export function createInputText(
  kind: "text" | undefined,
  onConflict: (problem: string) => void,
): InputText {
  let pending = "";
  let flushed = "";
  let blank: string | undefined;
  let complete: string | undefined;
  let hasConflict = false;
  let hasUnknown = false;
  const reportConflict = (problem = "two different inputs"): void => {
    if (!hasConflict) onConflict(problem);
    hasConflict = true;
  };
  const isBlankText = (text: string): boolean => (kind === "text" ? text === "" : !/\S/.test(text));
  const current = (): string => complete ?? flushed + pending;
  const hasText = (): boolean => !isBlankText(current());
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
        if (hasUnknown && complete === undefined) reportConflict("a piece of an unknown type");
        blank ??= text;
        return;
      }
      const before = current();
      // Hosts leave the last pieces out (anomalyco/opencode#44893).
      const isBeginning = complete === undefined && text.startsWith(before);
      if (!hasConflict && !isBlankText(before) && !isBeginning && !isSameInput(before, text, kind))
        reportConflict();
      complete = text;
    },
    addUnknown: () => {
      hasUnknown = true;
    },
    finalText: () => complete ?? (flushed + pending === "" ? blank : undefined),
    matches: (text) => isBlankText(text) || isSameInput(current(), text, kind),
    canonical: (text = current()) => (isBlankText(text) ? undefined : canonicalInput(text, kind)),
    hasText,
    hasComplete: () => (complete ?? blank) !== undefined,
  };
}
const flushLength = 4096;

export const isSameInput = (one: string, other: string, kind: "text" | undefined): boolean =>
  one === other || canonicalInput(one, kind) === canonicalInput(other, kind);

/** A proxy may write JSON with other white space and keys in another order. */
export function canonicalInput(text: string, kind: "text" | undefined): string {
  if (kind === "text") return text;
  try {
    return canonicalJson(text);
  } catch {
    return `not JSON: ${text}`;
  }
}
