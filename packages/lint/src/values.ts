/** The members of a JSON object; their values are not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object, or an empty one in place of another value. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** The objects of a list; empty if the value is not a list. */
export const objectsIn = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.filter(isFields) : [];

/** A string, or an empty one in place of another value. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The value of strict JSON, or undefined. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
