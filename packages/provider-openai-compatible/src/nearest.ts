/** The name that was probably meant: at most two letters are missing, added or others. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((known) => [distance(name.toLowerCase(), known), known] as const)
    .sort(([a], [b]) => a - b);
  const [[away, known] = [Number.POSITIVE_INFINITY, undefined]] = ranked;
  return away <= 2 ? known : undefined;
}

/** How many letters must be added, left out or changed to make one word the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (const [n, letter] of [...one].entries()) {
    const before = row;
    row = [n + 1];
    for (let at = 0; at < other.length; at++) {
      const change = (before[at] ?? 0) + (letter === other.charAt(at) ? 0 : 1);
      row.push(Math.min(change, (row[at] ?? 0) + 1, (before[at + 1] ?? 0) + 1));
    }
  }
  return row.at(-1) ?? 0;
}
