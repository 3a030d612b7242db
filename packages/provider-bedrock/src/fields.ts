/** The members of an object of an unknown shape. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The members of an object. An empty object for any other value. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
