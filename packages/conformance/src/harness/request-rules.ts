import type { Violation } from "../wire.ts";
import type { Check } from "./check.ts";
import { excerpt } from "./excerpt.ts";

/** The parts that break rules, as JSON, each once and on a line of its own. */
function describeParts(violations: readonly Violation[], body: unknown): string {
  const parts = violations.map(({ part = body }) => JSON.stringify(part) ?? "no JSON");
  return excerpt([...new Set(parts)].join("\n"));
}

/** What was expected of a request, and which rules it breaks. `bytes` holds the parts that do. */
export function requestFinding(
  violations: readonly Violation[],
  body: unknown,
): Pick<Check, "expected" | "actual" | "bytes" | "bytesOf"> {
  const expected = "no violation";
  if (violations.length === 0) return { expected, actual: expected };
  const actual = violations.map(({ message }) => message).join("\n");
  return { expected, actual, bytes: describeParts(violations, body), bytesOf: "request" };
}
