import { type Fields, isFields } from "@fullstop/core/adapter";

export { type Fields, fieldsOf, isFields, tryParseJson } from "@fullstop/core/adapter";

export const objectsIn = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.filter(isFields) : [];

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
