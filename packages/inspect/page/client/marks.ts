/** A piece of a text. `mark` is set if it stands for one character that a reader cannot see. */
export interface Segment {
  readonly text: string;
  readonly mark?: true;
}

/**
 * Characters that cannot be seen, or that change the order of what stands around them: controls,
 * escapes, marks of direction, zero-width characters, and halves of surrogate pairs.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}]/gu;
const isLayout = (text: string): boolean => text === "\n" || text === "\t";
const joinsEmoji = /[\ufe0f\u200d]/u;
const emojiBefore = /\p{Extended_Pictographic}\ufe0f?$/u;

const nameOf = (character: string): string =>
  `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}›`;

/** Splits a text into pieces as they are, and marks such as `‹U+202E›`. */
export function splitMarks(text: string): readonly Segment[] {
  const segments: Segment[] = [];
  let shown = 0;
  for (const { 0: found, index } of text.matchAll(hidden)) {
    if (isLayout(found) || isInEmoji(text, found, index)) continue;
    if (index > shown) segments.push({ text: text.slice(shown, index) });
    segments.push({ text: nameOf(found), mark: true });
    shown = index + found.length;
  }
  if (shown < text.length) segments.push({ text: text.slice(shown) });
  return segments;
}

const isInEmoji = (text: string, found: string, index: number): boolean =>
  joinsEmoji.test(found) && emojiBefore.test(text.slice(Math.max(0, index - 3), index));

/** The same in one text, for labels and titles. */
export const showMarks = (text: string): string =>
  splitMarks(text)
    .map((segment) => segment.text)
    .join("");

/** A text without line breaks, for one line. */
export const oneLine = (text: string, length = 200): string =>
  showMarks(cutAt(text, 0, length).replaceAll(/\s+/g, " "));

/** A part of a text that does not begin or end inside a surrogate pair. */
export function cutAt(text: string, from: number, to: number): string {
  return text.slice(from + Number(splitsPair(text, from)), to + Number(splitsPair(text, to)));
}

function splitsPair(text: string, index: number): boolean {
  return (
    index > 0 &&
    /[\ud800-\udbff]/.test(text.charAt(index - 1)) &&
    /[\udc00-\udfff]/.test(text.charAt(index))
  );
}
