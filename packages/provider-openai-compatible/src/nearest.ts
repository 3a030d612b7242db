/** The name that was probably meant: at most two letters are missing, added or different. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((known) => [distance(name.toLowerCase(), known), known] as const)
    .sort(([a], [b]) => a - b);
  const [[best, known] = [Number.POSITIVE_INFINITY, undefined]] = ranked;
  return best <= 2 ? known : undefined;
}

/**
 * How many letters must be added, removed or changed to turn one word into the other (Levenshtein
 * distance).
 */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const previous = row;
    row = [index + 1];
    for (let at = 0; at < other.length; at++) {
      const change = (previous[at] ?? 0) + (letter === other.charAt(at) ? 0 : 1);
      row.push(Math.min(change, (row[at] ?? 0) + 1, (previous[at + 1] ?? 0) + 1));
    }
  }
  return row.at(-1) ?? 0;
}
