import type { ErrorKind } from "@fullstop/core";
import { isObject } from "../harness/json.ts";
import type { HttpFailure, InBandError, Opening, Violation } from "../wire.ts";

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

export const wordsIn = (text: string): readonly string[] => text.trim().split(/\s+/);

export const matches = (value: unknown, pattern: RegExp): boolean =>
  typeof value === "string" && pattern.test(value);

/** The broken rules: those whose value is true. `part` breaks them; if absent, the whole body. */
export const listViolations = (
  part: unknown,
  sentences: Readonly<Record<string, boolean>>,
): readonly Violation[] =>
  Object.entries(sentences).flatMap(([message, isBroken]) =>
    isBroken ? [{ message, ...(part !== undefined && { part }) }] : [],
  );

/** The same for rules of which nothing public shows that the vendor refuses what breaks them. */
export const listDoubtful: typeof listViolations = (part, sentences) =>
  listViolations(part, sentences).map((violation) => ({ ...violation, level: "should" }));

/**
 * Error statuses by their messages: the status, its kind, and what else `bodyOf` writes its body of.
 * Those that limit the rate have the header `retry-after`.
 */
export const listFailures = (
  bodyOf: (message: string, ...said: readonly string[]) => string,
  rows: Readonly<Record<string, `${number} ${ErrorKind}${"" | ` ${string}`}`>>,
): readonly HttpFailure[] =>
  Object.entries(rows).map(([message, row]) => {
    const [status, kind, ...said] = row.split(" ") as [string, ErrorKind, ...string[]];
    return {
      status: Number(status),
      ...(kind === "rate-limit" && { headers: { "retry-after": "12" } }),
      body: bodyOf(message, ...said),
      kind,
    };
  });

/** Errors inside a reply by their events. */
export const listErrors = (kinds: Readonly<Record<string, ErrorKind>>): readonly InBandError[] =>
  Object.entries(kinds).map(([frame, kind]) => ({ frame, kind }));

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

/** SDKs, LangChain and the AI SDK read the first; LiteLLM, older LangChain and goose the others. */
export const openaiEnv = (server: string): Readonly<Record<string, string>> => ({
  OPENAI_BASE_URL: `${server}/v1`,
  OPENAI_API_BASE: `${server}/v1`,
  OPENAI_HOST: server,
  OPENAI_API_KEY: "not-a-key",
});

const isInstruction = ({ role }: Fields): boolean => role === "system" || role === "developer";

/**
 * What a conversation begins with, if its instructions are messages.
 * @param system Instructions outside of the messages.
 */
export function readOpening(messages: readonly Fields[], system = ""): Opening {
  const first = messages.find(({ role }) => role === "user");
  const before = messages.slice(0, first === undefined ? undefined : messages.indexOf(first));
  const instructions = before.filter(isInstruction).map(({ content }) => contentText(content));
  return {
    system: [system, ...instructions].join("\n").trim(),
    firstMessage: contentText(first?.["content"]),
  };
}

type Node = readonly [path: string, schema: Fields];

/** A JSON Schema and the schemas in it, each with its path. */
export function schemaNodes(schema: Fields, at = "$"): readonly Node[] {
  const named = ["properties", "$defs", "definitions"].flatMap((keyword) =>
    Object.entries(fieldsOf(schema[keyword])).map(
      ([name, inner]): Node => [`${at}.${keyword}.${name}`, fieldsOf(inner)],
    ),
  );
  const listed = ["anyOf", "oneOf", "allOf", "prefixItems"].flatMap((keyword) =>
    objectsIn(schema[keyword]).map((inner, index): Node => [`${at}.${keyword}.${index}`, inner]),
  );
  const items: readonly Node[] =
    schema["items"] === undefined ? [] : [[`${at}.items`, fieldsOf(schema["items"])]];
  const inner = [...named, ...listed, ...items];
  return [[at, schema], ...inner.flatMap(([path, node]) => schemaNodes(node, path))];
}

/** The paths of objects that do not refuse properties which they do not name. */
export const openObjects = (schema: Fields): readonly string[] =>
  schemaNodes(schema)
    .filter(([, { type }]) => type === "object" || (Array.isArray(type) && type.includes("object")))
    .filter(([, node]) => node["additionalProperties"] !== false)
    .map(([path]) => path);
