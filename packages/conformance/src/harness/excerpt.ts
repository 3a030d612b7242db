/** How many characters of a text a check keeps. */
const maxChars = 2000;

/**
 * A text of at most about 2,000 characters as it is. Of a longer one the beginning and the end,
 * with a line between them that says how much was left out.
 */
export function shortenMiddle(text: string, max: number = maxChars): string {
  if (text.length <= max) return text;
  const head = Math.floor(max / 3);
  const tail = max - head;
  const left = (text.length - head - tail).toLocaleString("en-US");
  return `${text.slice(0, head)}\n… ${left} characters left out …\n${text.slice(-tail)}`;
}

/** How many characters of indented JSON a check keeps. */
const maxJsonChars = 4000;

/** JSON values for a person: indented, each once, and of a long text the beginning and the end. */
export function describeJson(values: readonly unknown[]): string {
  const texts = values.map((value) => JSON.stringify(value, null, 2) ?? "no JSON");
  return shortenMiddle([...new Set(texts)].join("\n"), maxJsonChars);
}
