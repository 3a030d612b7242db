export interface Member {
  /** As JSON, with its quotes. */
  readonly key: string;
  /** Where its value begins and ends. A cut value has no end. */
  readonly from: number;
  to: number | undefined;
}

export type PartialResult = "complete" | "cut" | "invalid";
interface Cursor {
  readonly text: string;
  at: number;
  readonly members: Member[];
}

/** Deeper than any schema needs. Values below this depth are not read. */
const maxParseDepth = 1000;

/**
 * The outermost members of a cut JSON object, or `"invalid"` if no continuation could make the text
 * valid JSON. Follows the grammar, not the error text of an engine. For texts that strict parsing
 * rejected. https://www.rfc-editor.org/rfc/rfc8259
 */
export function scanCutJson(text: string): readonly Member[] | "invalid" {
  const cursor: Cursor = { text, at: 0, members: [] };
  return parseValue(cursor, 0) === "cut" ? cursor.members : "invalid";
}

/** A JSON value inside a text. `end`: where it ends, or where it is not JSON. */
export interface FoundJson {
  readonly result: PartialResult;
  readonly end: number;
  /** The outermost members, if it is an object. */
  readonly members: readonly Member[];
}

/** Reads the JSON value that begins at this position. What follows it is not read. */
export function scanJsonAt(text: string, at: number): FoundJson {
  const cursor: Cursor = { text, at, members: [] };
  const result = parseValue(cursor, 0);
  return { result, end: cursor.at, members: cursor.members };
}

function parseValue(cursor: Cursor, depth: number): PartialResult {
  skipSpace(cursor);
  const char = cursor.text[cursor.at];
  if (char === undefined) return "cut";
  if (depth > maxParseDepth) return "cut";
  if (char === "{") return parseList(cursor, depth, { close: "}", item: parseProperty });
  if (char === "[") return parseList(cursor, depth, { close: "]", item: parseValue });
  return char === '"' ? parseString(cursor) : parseLiteral(cursor);
}

interface ListKind {
  readonly close: "}" | "]";
  readonly item: (cursor: Cursor, depth: number) => PartialResult;
}
function parseList(cursor: Cursor, depth: number, { close, item }: ListKind): PartialResult {
  cursor.at++;
  skipSpace(cursor);
  if (cursor.text[cursor.at] === close) return advance(cursor);
  for (;;) {
    const end = item(cursor, depth + 1);
    if (end !== "complete") return end;
    skipSpace(cursor);
    const char = cursor.text[cursor.at];
    if (char === undefined) return "cut";
    if (char === close) return advance(cursor);
    if (char !== ",") return "invalid";
    cursor.at++;
  }
}

function parseProperty(cursor: Cursor, depth: number): PartialResult {
  skipSpace(cursor);
  const from = cursor.at;
  if (cursor.text[from] === undefined) return "cut";
  if (cursor.text[from] !== '"') return "invalid";
  const key = parseString(cursor);
  if (key !== "complete") return key;
  const keyEnd = cursor.at;
  skipSpace(cursor);
  if (cursor.text[cursor.at] === undefined) return "cut";
  if (cursor.text[cursor.at] !== ":") return "invalid";
  cursor.at++;
  skipSpace(cursor);
  const member: Member = { key: cursor.text.slice(from, keyEnd), from: cursor.at, to: undefined };
  if (depth === 1) cursor.members.push(member);
  const end = parseValue(cursor, depth);
  if (end === "complete") member.to = cursor.at;
  return end;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON refuses them inside a string
const unescaped = /[^"\\\u0000-\u001f]*/y;
function parseString(cursor: Cursor): PartialResult {
  cursor.at++;
  for (;;) {
    consume(cursor, unescaped);
    const char = cursor.text[cursor.at];
    if (char === undefined) return "cut";
    if (char === '"') return advance(cursor);
    if (char !== "\\") return "invalid";
    if (!consume(cursor, /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y))
      return consume(cursor, /\\(?:u[\da-fA-F]{0,3})?$/y) ? "cut" : "invalid";
  }
}

/** A number at the end of the text may have more digits to come. */
function parseLiteral(cursor: Cursor): PartialResult {
  if (consume(cursor, /true|false|null/y)) return "complete";
  if (consume(cursor, /-?(?:0|[1-9]\d*)(?:\.(?:\d+(?:[eE][+-]?\d*)?)?|[eE][+-]?\d*)?$/y))
    return "cut";
  if (consume(cursor, /(?:-|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/y)) return "cut";
  return consume(cursor, /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y) ? "complete" : "invalid";
}

function consume(cursor: Cursor, pattern: RegExp): boolean {
  pattern.lastIndex = cursor.at;
  const found = pattern.test(cursor.text);
  if (found) cursor.at = pattern.lastIndex;
  return found;
}
const skipSpace = (cursor: Cursor): boolean => consume(cursor, /[\t\n\r ]*/y);
const advance = (cursor: Cursor): PartialResult => {
  cursor.at++;
  return "complete";
};
