/** The parsed JSON, or `undefined` if the text is not JSON (for example `[DONE]`). */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value itself, and every value inside it, at any depth. */
export function* nestedValues(value: unknown): Generator<unknown> {
  yield value;
  if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) yield* nestedValues(inner);
}

/** Whether two JSON values are equal. The order of members does not matter. */
export function sameJson(first: unknown, second: unknown): boolean {
  if (typeof first !== "object" || typeof second !== "object" || first === null || second === null)
    return Object.is(first, second);
  const keys = Object.keys(first);
  if (Array.isArray(first) !== Array.isArray(second)) return false;
  if (keys.length !== Object.keys(second).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(second, key) &&
      sameJson((first as Record<string, unknown>)[key], (second as Record<string, unknown>)[key]),
  );
}

export interface StringLeaf {
  /** The number of the event that holds it. */
  readonly frame: number;
  /** The keys that lead to it; array indices are left out. */
  readonly path: string;
  readonly holder: Record<string, unknown>;
  readonly key: string;
  readonly text: string;
}

export function* stringLeaves(value: unknown, frame: number, path: string): Generator<StringLeaf> {
  if (typeof value !== "object" || value === null) return;
  const holder = value as Record<string, unknown>;
  for (const [key, inner] of Object.entries(holder)) {
    const here = `${path}/${Array.isArray(value) ? "" : key}`;
    if (typeof inner === "string") yield { frame, path: here, holder, key, text: inner };
    else yield* stringLeaves(inner, frame, here);
  }
}

/** How many results are kept. */
const maxEntries = 4096;

/** The same function, but it computes each value once. The cache is emptied when it is full. */
export function memoize<Key extends string, T>(compute: (text: Key) => T): (text: Key) => T {
  const cache = new Map<Key, T>();
  return (text) => {
    if (cache.has(text)) return cache.get(text) as T;
    if (cache.size >= maxEntries) cache.clear();
    const value = compute(text);
    cache.set(text, value);
    return value;
  };
}

/** How many characters of a text a check keeps. */
const maxChars = 2000;

/**
 * A text of at most about 2,000 characters as it is. Of a longer one the beginning and the end,
 * with a line between them that says how much was left out.
 */
export function shortenMiddle(text: string, max: number = maxChars): string {
  if (text.length <= max) return text;
  const head = Math.floor(max / 3);
  const tail = max - head;
  const left = (text.length - head - tail).toLocaleString("en-US");
  return `${text.slice(0, head)}\n… ${left} characters left out …\n${text.slice(-tail)}`;
}

/** How many characters of indented JSON a check keeps. */
const maxJsonChars = 4000;

/** JSON values for a person: indented, each once, and of a long text the beginning and the end. */
export function describeJson(values: readonly unknown[]): string {
  const texts = values.map((value) => JSON.stringify(value, null, 2) ?? "no JSON");
  return shortenMiddle([...new Set(texts)].join("\n"), maxJsonChars);
}
