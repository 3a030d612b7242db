/** Deeper than messages of people and models are. Values below this depth are not changed. */
const maxDepth = 100;

/**
 * Replaces lone surrogates in plain JSON. Hosts refuse a request that contains one, and then every
 * later request of the conversation (claude-code#56064, elizaOS/eliza#18079). Returns the same
 * value if there is none: every turn sends the whole history again.
 */
export const toWellFormed = <Value>(value: Value): Value => convert(value, maxDepth) as Value;

function isWellFormed(value: unknown, levels: number): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null || levels === 0) return true;
  if (Array.isArray(value)) return value.every((member) => isWellFormed(member, levels - 1));
  for (const key in value)
    if (!isWellFormed((value as Readonly<Record<string, unknown>>)[key], levels - 1)) return false;
  return true;
}

function convert(value: unknown, levels: number): unknown {
  if (isWellFormed(value, levels)) return value;
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map((member) => convert(member, levels - 1));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, member]) => [key, convert(member, levels - 1)]),
  );
}

const escapes =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|.)/gs;

/** The same for a JSON text, which may contain a lone surrogate as an escape. */
export const toWellFormedEscapes = (json: string): string =>
  json.includes("\\u")
    ? json.replace(escapes, (whole, half) => (half === undefined ? whole : "\\ufffd"))
    : json;
