/** A row of a Markdown table. */
const tableRow = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
/** A Markdown table. All columns but the first are aligned to the right. */
export const table = (
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string =>
  [
    tableRow(head),
    tableRow(head.map((_, column) => (column === 0 ? "---" : "---:"))),
    ...rows.map(tableRow),
  ].join("\n");

/** A text in one line of Markdown, with long inputs shortened. */
export const brief = (text: string): string =>
  text
    .replaceAll("abcdefghij".repeat(3), "…")
    .replace(/\s*\n\s*/g, "; ")
    .replaceAll("`", "'");

/** A text in one line of prose, or in a cell: no markup, and no end of the cell. */
export const inProse = (text: string): string => brief(text).replaceAll(/[<|]/g, "\\$&");
