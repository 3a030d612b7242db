import type { Violation } from "../wire.ts";
import type { Check } from "./check.ts";
import { describeJson } from "./excerpt.ts";

/** What was expected of a request, and which rules it breaks. `bytes` holds the parts that do. */
export function requestFinding(
  violations: readonly Violation[],
  body: unknown,
): Pick<Check, "expected" | "actual" | "bytes" | "bytesOf"> {
  const expected = "no violation";
  if (violations.length === 0) return { expected, actual: expected };
  const actual = violations.map(({ message }) => message).join("\n");
  const bytes = describeJson(violations.map(({ part = body }) => part));
  return { expected, actual, bytes, bytesOf: "request" };
}
