/** How many characters of a text a check keeps. */
const maxChars = 2000;

/**
 * A text of at most about 2,000 characters as it is. Of a longer one the beginning and the end,
 * with a line between them that says how much was left out.
 */
export function excerpt(text: string, max: number = maxChars): string {
  if (text.length <= max) return text;
  const head = Math.floor(max / 3);
  const tail = max - head;
  const left = (text.length - head - tail).toLocaleString("en-US");
  return `${text.slice(0, head)}\n… ${left} characters left out …\n${text.slice(-tail)}`;
}

/** A JSON value for a person: indented, and of a long one the beginning and the end. */
export const describeJson = (value: unknown): string =>
  excerpt(JSON.stringify(value, null, 2) ?? String(value));
