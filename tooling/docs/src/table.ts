const tableRow = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

/** A table of Markdown. All columns but the first are aligned to the right. */
export const table = (
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string =>
  [
    tableRow(head),
    tableRow(head.map((_, column) => (column === 0 ? "---" : "---:"))),
    ...rows.map(tableRow),
  ].join("\n");
