/** Deeper than anything that people or models say; what lies below goes as it is. */
const deepest = 100;

/**
 * Plain JSON without halves of surrogate pairs: hosts refuse a request that holds one, and with it every later one
 * (claude-code#56064, elizaOS/eliza#18079). The same value where there is none: every turn sends the whole history again.
 */
export function wholeCharacters<Value>(value: Value, levels?: number): Value;
export function wholeCharacters(value: unknown, levels: number = deepest): unknown {
  if (typeof value === "string") return value.isWellFormed() ? value : value.toWellFormed();
  if (typeof value !== "object" || value === null || levels === 0) return value;
  const members = Object.entries(value);
  const whole = members.map(([key, member]): [string, unknown] => [key, wholeCharacters(member, levels - 1)]);
  if (whole.every(([, member], at) => member === members[at]?.[1])) return value;
  return Array.isArray(value) ? whole.map(([, member]) => member) : Object.fromEntries(whole);
}

const escapes = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|.)/gs;

/** The same for a JSON text, in which half a pair may be written as an escape. */
export const wholeEscapes = (json: string): string =>
  json.includes("\\u") ? json.replace(escapes, (whole, half) => (half === undefined ? whole : "\\ufffd")) : json;
