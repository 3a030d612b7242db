import { isObject } from "../../bytes.ts";

export type Fields = Readonly<Record<string, unknown>>;
export const fields = (value: unknown): Fields => (isObject(value) ? value : {});
export const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fields) : []);

/** The sentences that hold. */
export const holding = (sentences: Readonly<Record<string, boolean>>): readonly string[] =>
  Object.entries(sentences).flatMap(([sentence, holds]) => (holds ? [sentence] : []));
