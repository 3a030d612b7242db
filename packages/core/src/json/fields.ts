/** A JSON object whose members are not known. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an object or a list. */
export const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null;

/** Whether a value is a JSON object, and not a list. */
export const isFields = (value: unknown): value is Fields =>
  isRecord(value) && !Array.isArray(value);

/** The number of a part of a reply. Some hosts write it as a text. Other values stay as they are. */
export const readIndex = <Index>(index: Index): Index | number =>
  typeof index === "string" && /^\d+$/.test(index) ? Number(index) : index;

/** The members of a JSON object; none of any other value. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
