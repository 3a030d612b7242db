/** Deeper than anything that people or models say; what lies below goes as it is. */
const deepest = 100;

/**
 * Plain JSON without halves of surrogate pairs: hosts refuse a request that holds one, and with it every later one
 * (claude-code#56064, elizaOS/eliza#18079). The same value where there is none: every turn sends the whole history again.
 */
export const wholeCharacters = <Value>(value: Value): Value => mended(value, deepest) as Value;

function isWhole(value: unknown, levels: number): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null || levels === 0) return true;
  if (Array.isArray(value)) return value.every((member) => isWhole(member, levels - 1));
  for (const key in value)
    if (!isWhole((value as Readonly<Record<string, unknown>>)[key], levels - 1)) return false;
  return true;
}

function mended(value: unknown, levels: number): unknown {
  if (isWhole(value, levels)) return value;
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map((member) => mended(member, levels - 1));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, member]) => [key, mended(member, levels - 1)]),
  );
}

const escapes =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|.)/gs;

/** The same for a JSON text, in which half a pair may be written as an escape. */
export const wholeEscapes = (json: string): string =>
  json.includes("\\u")
    ? json.replace(escapes, (whole, half) => (half === undefined ? whole : "\\ufffd"))
    : json;
