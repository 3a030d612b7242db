/** A part of a reply: an event with its text, the line ends behind it included. */
export interface Frame {
  readonly raw: string;
  /** The JSON of the event. Undefined: a comment, or an event that is not JSON. */
  readonly value: Fields | undefined;
}
export type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
/** The objects in a list. */
export const objectsIn = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.filter(isFields) : [];

export function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The data of a server-sent event. */
const dataOf = (raw: string): string =>
  [...raw.matchAll(/^data: ?(.*)$/gm)].map(([, data]) => data).join("\n");

const parsedFields = (text: string): Fields | undefined => {
  const value = tryParse(text);
  return isFields(value) ? value : undefined;
};

/** Splits a stream into its events. A body is one frame. */
export function framesOf(text: string): readonly Frame[] {
  if (parsedFields(text) !== undefined) return [{ raw: text, value: parsedFields(text) }];
  if (text.trimStart().startsWith("{"))
    return text.split(/(?<=\n)/).map((raw) => ({ raw, value: parsedFields(raw) }));
  return text.split(/(?<=\r?\n\r?\n)/).map((raw) => ({ raw, value: parsedFields(dataOf(raw)) }));
}

/** The frame with another event. */
export function withValue({ raw }: Frame, value: Fields): Frame {
  if (/^data:/m.test(raw)) {
    const name = /^event:.*\n/m.exec(raw)?.[0] ?? "";
    return { raw: `${name}data: ${JSON.stringify(value)}\n\n`, value };
  }
  const isOneLine = !raw.trimEnd().includes("\n");
  return { raw: `${JSON.stringify(value, null, isOneLine ? 0 : 2)}\n`, value };
}
