export type SqlText = string | Uint8Array;

/**
 * SQLite keeps UTF-8, so half of a surrogate pair would be replaced, and two ids could become the
 * same; and the drivers of some runtimes cut a text at U+0000. Such a text is kept as a blob of
 * UTF-16.
 */
export const toSql = (text: string): SqlText =>
  text.isWellFormed() && !text.includes("\0") ? text : toUnits(text);

function toUnits(text: string): Uint8Array {
  const units = Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return new Uint8Array(units.buffer);
}

/** Durable Objects give a blob as an `ArrayBuffer`. */
export function fromSql(value: SqlText | ArrayBuffer): string {
  if (typeof value === "string") return value;
  const units = new Uint16Array(Uint8Array.from(new Uint8Array(value)).buffer);
  return Array.from(units, (unit) => String.fromCharCode(unit)).join("");
}
