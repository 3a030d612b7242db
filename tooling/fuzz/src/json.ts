/** If a double preserves the numbers of a JSON text. */
export type Numbers = "kept" | "lost" | "unclear";

const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const mayBeLarge = /\d{16}|\d[eE]/;

/** Checks each number of a valid JSON text. */
export function numbersOf(json: string): Numbers {
  if (!mayBeLarge.test(json)) return "kept";
  const fates = [...json.matchAll(tokens)].flatMap(([token]) =>
    token.startsWith('"') ? [] : [numberFate(token)],
  );
  return (
    fates.find((fate) => fate === "lost") ?? fates.find((fate) => fate === "unclear") ?? "kept"
  );
}

function numberFate(literal: string): Numbers {
  const value = Number(literal);
  if (!Number.isFinite(value)) return "lost";
  if (/^-?\d+$/.test(literal)) return BigInt(literal) === BigInt(value) ? "kept" : "lost";
  return literal.replace(/[eE].*$/, "").replace(/\D/g, "").length <= 15 ? "kept" : "unclear";
}

const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/** Keeps the source text of a number that a double does not. */
const exactNumber = (token: string): unknown => {
  const value = Number(token);
  return !mayBeLarge.test(token) || String(value) === token ? value : rawJSON(token);
};

const wordsOfJson = /"(?:[^"\\]|\\.)*"|[{}[\]]|[^\s"{}[\],:]+/g;

/**
 * JSON without `JSON.parse` for objects: it gives a key with an escape the name of an earlier key
 * (https://github.com/nodejs/node/issues/63785).
 * @throws SyntaxError if the text is not JSON.
 */
function parseJson(text: string, numberOf: (token: string) => unknown): unknown {
  JSON.parse(text);
  const words = (text.match(wordsOfJson) ?? []).values();
  const next = (): string => words.next().value ?? "";
  const read = (word: string): unknown => {
    if (word === "{") return Object.fromEntries(membersOf());
    if (word === "[") return [...itemsOf()];
    return /^[-\d]/.test(word) ? numberOf(word) : JSON.parse(word);
  };
  function* membersOf(): Generator<readonly [string, unknown]> {
    for (let key = next(); key !== "}"; key = next()) yield [JSON.parse(key), read(next())];
  }
  function* itemsOf(): Generator<unknown> {
    for (let word = next(); word !== "]"; word = next()) yield read(word);
  }
  return read(next());
}

/** Parses JSON and keeps the source text of each number. */
export const parseExact = (text: string): unknown => parseJson(text, exactNumber);

/** The JSON value of a text, or `undefined` if it is invalid. */
export function jsonValue(text: string): unknown {
  try {
    return parseJson(text, Number);
  } catch {
    return undefined;
  }
}

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The members of a value; none if it is not an object. */
export const members = (value: unknown): Fields => (isObject(value) ? value : {});
export const listOrEmpty = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : [];
export const textOrNone = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;
/** A string with content. Hosts send blank strings instead of an id or a name. */
export const nonBlank = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;
export const numberOrNone = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

/** An optional member: absent, or of this type. */
export const isTextOrNone = (value: unknown): boolean =>
  value === undefined || typeof value === "string";
export const isListOrNone = (value: unknown): boolean =>
  value === undefined || Array.isArray(value);
export const isNullish = (value: unknown): boolean => value === undefined || value === null;

/** JSON without the white space outside of its strings. */
export const withoutSpaces = (json: string): string =>
  json.match(/"(?:[^"\\]|\\.)*"?|[^\s"]+/gs)?.join("") ?? "";

/** Equal inputs have the same canonical text. An empty input equals an empty object. */
export const canonical = (json: string): string => {
  const value = jsonValue(json.trim() === "" ? "{}" : json);
  return value === undefined ? json : JSON.stringify(value ?? {});
};

/** The same for every order of the keys. */
export const sortedJson = (json: string): string | undefined =>
  JSON.stringify(jsonValue(json), (_, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/**
 * The pieces of an input without an empty object that some hosts add before or behind it:
 * https://github.com/openai/openai-agents-js/issues/712, https://github.com/BenedictKing/ccx/issues/183.
 */
export function withoutEmptyObject(pieces: readonly string[]): readonly string[] {
  const isEmpty = (text: string | undefined): boolean => text?.trim() === "{}";
  const rests = [
    ...(isEmpty(pieces[0]) ? [pieces.slice(1)] : []),
    ...(isEmpty(pieces.at(-1)) ? [pieces.slice(0, -1)] : []),
  ];
  const isInput = (text: string): boolean => !isEmpty(text) && isObject(jsonValue(text));
  return rests.find((rest) => isInput(rest.join(""))) ?? pieces;
}
