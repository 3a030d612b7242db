export type SqlText = string | Uint8Array;

/**
 * SQLite keeps UTF-8, so half of a surrogate pair would be replaced, and two ids could become the
 * same; and the drivers of some runtimes cut a text at U+0000. Such a text is kept as a blob of
 * UTF-16.
 */
export const toSql = (text: string): SqlText =>
  text.isWellFormed() && !text.includes("\0") ? text : Buffer.from(text, "utf16le");

export const fromSql = (value: SqlText): string =>
  typeof value === "string"
    ? value
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("utf16le");
