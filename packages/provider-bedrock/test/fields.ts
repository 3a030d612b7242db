import type { Violation } from "@fullstop/conformance";

export type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});
export const objectsIn = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.map(fieldsOf) : [];
export const matches = (value: unknown, pattern: RegExp): boolean =>
  typeof value === "string" && pattern.test(value);

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html */
export const idPattern: RegExp = /^[a-zA-Z0-9_.:-]{1,64}$/;
export const namePattern: RegExp = /^[a-zA-Z0-9_-]{1,64}$/;

/** The rules whose value is true: those that are broken. */
export const listViolations = (
  sentences: Readonly<Record<string, boolean>>,
  part?: unknown,
): readonly Violation[] =>
  Object.entries(sentences).flatMap(([message, isBroken]) =>
    isBroken ? [{ message, ...(part !== undefined && { part }) }] : [],
  );
