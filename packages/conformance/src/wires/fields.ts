import { isObject } from "../harness/json.ts";

/** The members of an object. An empty object for any other value. */
export type Fields = Readonly<Record<string, unknown>>;
export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});
export const objectsIn = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.map(fieldsOf) : [];

/** The blocks of a message. A string is one text block. */
export const blocksOf = (content: unknown): readonly Fields[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content);

/** The texts of the blocks, joined. */
export const contentText = (content: unknown): string =>
  blocksOf(content)
    .map(({ text }) => String(text ?? ""))
    .join("");

export const matches = (value: unknown, pattern: RegExp): boolean =>
  typeof value === "string" && pattern.test(value);

/** The rules whose value is true: those that are broken. */
export const listViolations = (sentences: Readonly<Record<string, boolean>>): readonly string[] =>
  Object.entries(sentences).flatMap(([sentence, holds]) => (holds ? [sentence] : []));
