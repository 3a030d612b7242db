import { losesNumbers } from "./lossy-numbers.ts";

/** What arrived of an input that was cut. */
export interface PartialInput {
  /** Members that arrived closed, but for those with a number that would be rounded. */
  readonly complete: Readonly<Record<string, unknown>>;
  /** The member whose text was being written, as far as it came. */
  readonly incomplete?: { readonly key: string; readonly text: string };
}

type End = "whole" | "cut" | "invalid";
interface Cursor {
  readonly text: string;
  at: number;
  readonly members: [string, unknown][];
  /** The outermost member being read, and where its value begins. */
  member?: { readonly key: string; readonly from: number } | undefined;
}

/** Deeper than any schema asks for; what lies below is not looked at. */
const deepest = 1000;

/**
 * Tells a JSON text that could still go on from one that is no JSON, by the grammar and not by an engine's error text,
 * and reads of a cut object what is certain. For texts that strict parsing refused. https://www.rfc-editor.org/rfc/rfc8259
 */
export function readPrefix(text: string): PartialInput | "invalid" {
  const cursor: Cursor = { text, at: 0, members: [] };
  if (value(cursor, 0) !== "cut") return "invalid";
  const whole = Object.fromEntries(cursor.members);
  const { member } = cursor;
  if (member === undefined || text[member.from] !== '"') return { complete: whole };
  return {
    complete: whole,
    incomplete: { key: member.key, text: decodeCut(text.slice(member.from + 1)) },
  };
}

function value(cursor: Cursor, depth: number): End {
  skipSpace(cursor);
  const char = cursor.text[cursor.at];
  if (char === undefined) return "cut";
  if (depth > deepest) return "cut";
  if (char === "{") return list(cursor, depth, { close: "}", item: property });
  if (char === "[") return list(cursor, depth, { close: "]", item: value });
  return char === '"' ? string(cursor) : literal(cursor);
}

interface ListKind {
  readonly close: "}" | "]";
  readonly item: (cursor: Cursor, depth: number) => End;
}
function list(cursor: Cursor, depth: number, { close, item }: ListKind): End {
  cursor.at++;
  skipSpace(cursor);
  if (cursor.text[cursor.at] === close) return advance(cursor, "whole");
  for (;;) {
    const end = item(cursor, depth + 1);
    if (end !== "whole") return end;
    skipSpace(cursor);
    const char = cursor.text[cursor.at];
    if (char === undefined) return "cut";
    if (char === close) return advance(cursor, "whole");
    if (char !== ",") return "invalid";
    cursor.at++;
  }
}

function property(cursor: Cursor, depth: number): End {
  skipSpace(cursor);
  const from = cursor.at;
  if (cursor.text[from] === undefined) return "cut";
  if (cursor.text[from] !== '"') return "invalid";
  const key = string(cursor);
  if (key !== "whole") return key;
  const keyEnd = cursor.at;
  skipSpace(cursor);
  if (cursor.text[cursor.at] === undefined) return "cut";
  if (cursor.text[cursor.at] !== ":") return "invalid";
  cursor.at++;
  skipSpace(cursor);
  const outermost =
    depth === 1
      ? { key: JSON.parse(cursor.text.slice(from, keyEnd)) as string, from: cursor.at }
      : undefined;
  if (outermost !== undefined) cursor.member = outermost;
  const end = value(cursor, depth);
  if (end === "whole" && outermost !== undefined) {
    const text = cursor.text.slice(outermost.from, cursor.at);
    if (!losesNumbers(text)) cursor.members.push([outermost.key, JSON.parse(text)]);
    cursor.member = undefined;
  }
  return end;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON refuses them inside a string
const unescaped = /[^"\\\u0000-\u001f]*/y;
function string(cursor: Cursor): End {
  cursor.at++;
  for (;;) {
    take(cursor, unescaped);
    const char = cursor.text[cursor.at];
    if (char === undefined) return "cut";
    if (char === '"') return advance(cursor, "whole");
    if (char !== "\\") return "invalid";
    if (!take(cursor, /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y))
      return take(cursor, /\\(?:u[\da-fA-F]{0,3})?$/y) ? "cut" : "invalid";
  }
}

/** A number at the end of the text may have more digits to come. */
function literal(cursor: Cursor): End {
  if (take(cursor, /true|false|null/y)) return "whole";
  if (take(cursor, /-?(?:0|[1-9]\d*)(?:\.(?:\d+(?:[eE][+-]?\d*)?)?|[eE][+-]?\d*)?$/y)) return "cut";
  if (take(cursor, /(?:-|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/y)) return "cut";
  return take(cursor, /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y) ? "whole" : "invalid";
}

function take(cursor: Cursor, pattern: RegExp): boolean {
  pattern.lastIndex = cursor.at;
  const found = pattern.test(cursor.text);
  if (found) cursor.at = pattern.lastIndex;
  return found;
}
const skipSpace = (cursor: Cursor): boolean => take(cursor, /[\t\n\r ]*/y);
const advance = (cursor: Cursor, end: End): End => {
  cursor.at++;
  return end;
};

/** Without an escape, or half of a surrogate pair, that did not arrive whole. */
function decodeCut(raw: string): string {
  const withoutEscape = raw.replace(/(^|[^\\])((?:\\\\)*)\\(?:u[\da-fA-F]{0,3})?$/, "$1$2");
  const text = JSON.parse(`"${withoutEscape}"`) as string;
  return text.replace(/[\ud800-\udbff]$/, "");
}
