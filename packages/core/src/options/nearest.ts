/**
 * The name that was probably meant. Case, `_` and `-` do not count; at most two letters are
 * missing, added, changed or swapped, and one in a name of fewer than six letters.
 */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const given = lettersOf(name);
  return names
    .map((known) => ({ known, distance: editDistance(given, lettersOf(known)) }))
    .toSorted((one, other) => one.distance - other.distance)
    .find(({ known, distance }) => distance <= (known.length < 6 ? 1 : 2))?.known;
}

/** A name without what differs between libraries: `max_tokens` and `maxTokens` are the same. */
export const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Optimal string alignment: a swap of two neighbours counts once. */
function editDistance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row++) {
    const cells = [row];
    for (let column = 1; column <= other.length; column++)
      cells.push(nextCell(rows, cells, { one, other, row, column }));
    rows.push(cells);
  }
  return rows[one.length]?.[other.length] ?? 0;
}

interface CellPosition {
  readonly one: string;
  readonly other: string;
  readonly row: number;
  readonly column: number;
}
function nextCell(
  rows: readonly (readonly number[])[],
  cells: readonly number[],
  { one, other, row, column }: CellPosition,
): number {
  const cell = (up: number, left: number): number =>
    (up === 0 ? cells : rows[row - up])?.[column - left] ?? Number.POSITIVE_INFINITY;
  const isSame = one[row - 1] === other[column - 1];
  const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
  return Math.min(
    cell(1, 0) + 1,
    cell(0, 1) + 1,
    cell(1, 1) + (isSame ? 0 : 1),
    isSwapped ? cell(2, 2) + 1 : Number.POSITIVE_INFINITY,
  );
}
