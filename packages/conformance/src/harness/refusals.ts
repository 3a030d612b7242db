import type { Violation } from "../wire.ts";
import type { Check } from "./check.ts";
import { describeJson } from "./excerpt.ts";

/** How sure it is that the vendor refuses a request that breaks a rule. */
export type Level = NonNullable<Violation["level"]>;

/**
 * What was expected of a request, and which rules of the level it breaks. `bytes` holds the parts
 * that do.
 */
export function requestFinding(
  found: readonly Violation[],
  body: unknown,
  only: Level,
): Pick<Check, "expected" | "actual" | "bytes" | "bytesOf"> {
  const expected = "no violation";
  const violations = found.filter(({ level = "must" }) => level === only);
  if (violations.length === 0) return { expected, actual: expected };
  const actual = violations.map(({ message }) => message).join("\n");
  const bytes = describeJson(violations.map(({ part = body }) => part));
  return { expected, actual, bytes, bytesOf: "request" };
}
