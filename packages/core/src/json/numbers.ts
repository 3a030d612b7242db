/** Replaces the numbers of a JSON text. Digits inside of its strings are not numbers. */
export function mapNumbers(json: string, map: (literal: string) => string): string {
  let mapped = "";
  for (let at = 0; ; ) {
    const quote = json.indexOf('"', at);
    const outside = json.slice(at, quote < 0 ? undefined : quote);
    mapped += outside.replace(/-?\d[\d.eE+-]*/g, map);
    if (quote < 0) return mapped;
    at = endOfString(json, quote);
    mapped += json.slice(quote, at);
  }
}

const backslash = 92;
export function endOfString(json: string, quote: number): number {
  for (let end = json.indexOf('"', quote + 1); ; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json.charCodeAt(before) === backslash) before--;
    if ((end - before) % 2 === 1) return end + 1;
  }
}

/** An integer that a double rounds, or a number that becomes infinite. */
export function hasLossyNumber(json: string): boolean {
  if (!/\d{16}|\d[eE]\+?\d{2}/.test(json)) return false;
  let isFound = false;
  mapNumbers(json, (literal) => {
    isFound ||= isLossy(literal);
    return "";
  });
  return isFound;
}

/** A double keeps every number with at most this many significant digits. */
const safeDigits = 15;
/** An integer in any notation: `1`, `1.0`, `1e2`. */
const integer = /^(-?\d+)(?:\.0*)?(?:[eE]\+?(\d+))?$/;
function isLossy(literal: string): boolean {
  const number = Number(literal);
  if (!Number.isFinite(number)) return true;
  const [, digits, exponent = "0"] = integer.exec(literal) ?? [];
  if (digits === undefined || digits.replace(/^-|(?<!0)0+$/g, "").length <= safeDigits)
    return false;
  return BigInt(number) !== BigInt(digits) * 10n ** BigInt(exponent);
}
