/**
 * Throws if a function did not get its first argument. `what` says what to pass, such as "an adapter".
 * @throws TypeError
 */
export function checkGiven(
  value: unknown,
  of: string,
  what: string,
  type: "object" | "string" = "object",
): void {
  if (typeof value !== type || value === null) throw new TypeError(`\`${of}\` needs ${what}.`);
}
