/** A line that opens or closes a block of code, also in a list or a quotation. */
const fenceLine = /^[ \t>]*(`{3,}|~{3,})([^\n]*)$/gm;

/** The beginning of a line of indented code. */
const indented = /(?:^|\n)(?: {4}|\t)[ \t]*$/;
const longestIndent = 64;

/**
 * Whether a position is inside a block of code, at the beginning of an indented line of code, or
 * directly after the mark of inline code. Ask with rising positions: the text is read once.
 */
export function insideCode(text: string): (position: number) => boolean {
  const lines = text.matchAll(fenceLine);
  let next = lines.next();
  let open: string | undefined;
  return (position) => {
    for (; !next.done && next.value.index < position; next = lines.next()) {
      const [, fence = "", info = ""] = next.value;
      if (open === undefined) open = fence;
      else if (fence.startsWith(open) && info.trim() === "") open = undefined;
    }
    const before = text.slice(Math.max(0, position - longestIndent), position);
    return open !== undefined || before.endsWith("`") || indented.test(before);
  };
}
