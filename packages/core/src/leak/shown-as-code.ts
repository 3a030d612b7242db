/** A line that opens or closes a block of code, also in a list or a quotation. */
const fenceLine = /^[ \t>]*(`{3,}|~{3,})([^\n]*)/;
/** What stands before an example in its line: the mark of a quotation, or of an item of a list. */
const quoted = /^[ \t]*>/;
const itemMark = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+$/;
const indented = /^(?: {4}|\t)[ \t]*$/;
const codeTag = /<(\/?)(?:pre|code)\b/gi;

const indentOf = (line: string): number => line.length - line.trimStart().length;

interface OpenMarks {
  fence: string | undefined;
  /** The indent of the line that begins a literal block of reStructuredText. */
  literal: number | undefined;
}

function readLine(line: string, lines: OpenMarks): void {
  const [, fence, info = ""] = fenceLine.exec(line) ?? [];
  if (fence !== undefined && lines.fence === undefined) lines.fence = fence;
  else if (fence?.startsWith(lines.fence ?? "") && info.trim() === "") lines.fence = undefined;
  const text = line.trimEnd();
  if (text === "") return;
  const indent = indentOf(text);
  if (lines.literal !== undefined && indent > lines.literal) return;
  lines.literal = /::$|^\s*\.\. [\w-]+::/.test(text) ? indent : undefined;
}

/** Whether a position is inside `<pre>` or `<code>`. Without an end a tag is only named. */
function insideTags(text: string): (position: number) => boolean {
  const lastEnd = Math.max(text.lastIndexOf("</pre"), text.lastIndexOf("</code"));
  const tags = text.matchAll(codeTag);
  let next = tags.next();
  let depth = 0;
  return (position) => {
    for (; !next.done && next.value.index < position; next = tags.next())
      depth = Math.max(0, depth + (next.value[1] === "" ? 1 : -1));
    return depth > 0 && position < lastEnd;
  };
}

/**
 * Whether a position is in a block of code, a quotation or an item of a list that begins with it,
 * or directly behind the mark of inline code. Ask with rising positions: the text is read once.
 */
export function shownAsCode(text: string): (position: number) => boolean {
  const lines: OpenMarks = { fence: undefined, literal: undefined };
  const isInTags = insideTags(text);
  const endFrom = (at: number): number => {
    const end = text.indexOf("\n", at);
    return end < 0 ? text.length : end;
  };
  let start = 0;
  let end = endFrom(0);
  return (position) => {
    while (end < position) {
      readLine(text.slice(start, end), lines);
      start = end + 1;
      end = endFrom(start);
    }
    const before = text.slice(start, position);
    return (
      lines.fence !== undefined ||
      isInTags(position) ||
      before.endsWith("`") ||
      [quoted, itemMark, indented].some((mark) => mark.test(before)) ||
      (lines.literal !== undefined && before.trim() === "" && before.length > lines.literal)
    );
  };
}
