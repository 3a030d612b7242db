import { isObject } from "../harness/json.ts";

/** The members of an object; none where it is none. */
export type Fields = Readonly<Record<string, unknown>>;
export const fields = (value: unknown): Fields => (isObject(value) ? value : {});
export const list = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.map(fields) : [];

/** Blocks of a message; text alone is a block of its own. */
export const blocksOf = (content: unknown): readonly Fields[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : list(content);

/** The texts of its blocks, joined. */
export const textOf = (content: unknown): string =>
  blocksOf(content)
    .map(({ text }) => String(text ?? ""))
    .join("");

export const matches = (value: unknown, pattern: RegExp): boolean =>
  typeof value === "string" && pattern.test(value);

/** The sentences that hold. */
export const holding = (sentences: Readonly<Record<string, boolean>>): readonly string[] =>
  Object.entries(sentences).flatMap(([sentence, holds]) => (holds ? [sentence] : []));
