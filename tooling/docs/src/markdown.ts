/** A Markdown table. All columns but the first `left` ones are aligned to the right. */
export const table = (
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  left = 1,
): string =>
  [head, head.map((_, column) => (column < left ? "---" : "---:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");

/** A Markdown table of texts. */
export const textTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  table(head, rows, head.length);

/** A text in one line of Markdown, with long inputs shortened. */
export const brief = (text: string): string =>
  text
    .replaceAll("abcdefghij".repeat(3), "…")
    .replace(/\s*\n\s*/g, "; ")
    .replaceAll("`", "'");

/** A text in one line of prose, or in a cell: no markup, and no end of the cell. */
export const inProse = (text: string): string => brief(text).replaceAll(/[<|]/g, "\\$&");
