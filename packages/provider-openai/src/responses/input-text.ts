/**
 * The text of one input: deltas, and then the complete text up to three times. Hosts send a blank
 * text in place of a JSON input that came before, so it changes nothing. A custom tool takes any
 * text, so there only the empty text changes nothing.
 */
interface InputText {
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

/**
 * Whether two texts are the same input. A proxy may rewrite JSON with other white space and another
 * order of keys.
 */
export function isSameInput(one: string, other: string, kind: "text" | undefined): boolean {
  if (one === other) return true;
  if (kind === "text") return false;
  try {
    return isSameValue(JSON.parse(one), JSON.parse(other));
  } catch {
    return false;
  }
}

type Pair = readonly [unknown, unknown];

/** Deep equality without recursion: an input may be nested deeper than the stack allows. */
function isSameValue(one: unknown, other: unknown): boolean {
  const pending: Pair[] = [[one, other]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    if (pair[0] === pair[1]) continue;
    const members = memberPairs(pair);
    if (members === undefined) return false;
    for (const member of members) pending.push(member);
  }
  return true;
}

/** The members that must be equal; `undefined` if the two values are not alike. */
function memberPairs([left, right]: Pair): readonly Pair[] | undefined {
  if (!hasMembers(left) || !hasMembers(right) || Array.isArray(left) !== Array.isArray(right))
    return undefined;
  const keys = Object.keys(left);
  const isAlike =
    keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key));
  return isAlike ? keys.map((key) => [left[key], right[key]]) : undefined;
}
const hasMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
