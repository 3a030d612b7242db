import { JournalError, type JournalStep } from "../contract/journal.ts";

/** Throws if the text has more bytes of UTF-8 than the journal takes. */
export function assertStepSize(
  { key }: JournalStep,
  json: string,
  maxStepBytes: number = Number.POSITIVE_INFINITY,
): void {
  // A UTF-16 unit has at most three bytes of UTF-8.
  if (json.length * 3 <= maxStepBytes) return;
  const bytes = new TextEncoder().encode(json).length;
  if (bytes > maxStepBytes)
    throw new JournalError(
      "too-large",
      `The result of the step "${key}" has ${bytes} bytes, and the journal takes at most ${maxStepBytes}. Make the result smaller, or raise \`maxStepBytes\` of the journal.`,
    );
}
