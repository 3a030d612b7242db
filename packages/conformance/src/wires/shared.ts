import type { ErrorKind } from "@fullstop/core";
import { isObject } from "../harness/json.ts";
import type { HttpFailure, Violation } from "../wire.ts";

/** The members of an object. An empty object for any other value. */
export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

export const objectsIn = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.map(fieldsOf) : [];

/** The blocks of a message. A string is one text block. */
export const blocksOf = (content: unknown): readonly Fields[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content);

export const textsOf = (...values: readonly unknown[]): readonly string[] =>
  values.filter((value) => typeof value === "string");

/** The texts of the blocks, joined. */
export const contentText = (content: unknown): string =>
  blocksOf(content)
    .map(({ text }) => String(text ?? ""))
    .join("");

export const matches = (value: unknown, pattern: RegExp): boolean =>
  typeof value === "string" && pattern.test(value);

/**
 * The rules whose value is true: those that are broken. `part` is the part that breaks them, and
 * `undefined` for the whole body.
 */
export const listViolations = (
  part: unknown,
  sentences: Readonly<Record<string, boolean>>,
): readonly Violation[] =>
  Object.entries(sentences).flatMap(([message, isBroken]) =>
    isBroken ? [{ message, ...(part !== undefined && { part }) }] : [],
  );

/**
 * The same for rules of which no page of the vendor and no public issue shows that the vendor
 * refuses what breaks them.
 */
export const listDoubtful: typeof listViolations = (part, sentences) =>
  listViolations(part, sentences).map((violation) => ({ ...violation, level: "should" }));

/**
 * Error statuses by their messages: the status, its kind, and what else `bodyOf` writes its body of.
 * Those that limit the rate have the header `retry-after`.
 */
export const listFailures = <Said extends readonly unknown[]>(
  bodyOf: (message: string, ...said: Said) => string,
  rows: Readonly<Record<string, readonly [status: number, kind: ErrorKind, ...said: Said]>>,
): readonly HttpFailure[] =>
  Object.entries(rows).map(([message, [status, kind, ...said]]) => ({
    status,
    ...(kind === "rate-limit" && { headers: { "retry-after": "12" } }),
    body: bodyOf(message, ...said),
    kind,
  }));

/** The violation of a body that cannot be judged at all. */
export const noJsonObject: readonly Violation[] = [{ message: "the body is not a JSON object" }];

/** Splits a text into about four pieces of at least five characters. */
export const pieces = (text: string): readonly string[] => {
  const step = Math.max(5, Math.ceil(text.length / 4));
  const chars = [...text];
  return Array.from({ length: Math.ceil(chars.length / step) }, (_, index) =>
    chars.slice(index * step, (index + 1) * step).join(""),
  );
};

/**
 * The vendor's SDKs, LangChain and the AI SDK read the first variable. LiteLLM, older LangChain and
 * goose read the others.
 */
export const openaiEnv = (server: string): Readonly<Record<string, string>> => ({
  OPENAI_BASE_URL: `${server}/v1`,
  OPENAI_API_BASE: `${server}/v1`,
  OPENAI_HOST: server,
  OPENAI_API_KEY: "not-a-key",
});
