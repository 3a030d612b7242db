import type { Violation } from "../wire.ts";
import type { Check } from "./check.ts";

/** The most characters of a request that a proof shows. */
const maxShownCharacters = 2000;

/** The parts that break rules, as JSON, each once and on a line of its own. */
function describeParts(violations: readonly Violation[], body: unknown): string {
  const parts = violations.map(({ part = body }) => JSON.stringify(part) ?? "no JSON");
  const text = [...new Set(parts)].join("\n");
  return text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}…` : text;
}

/** What was expected of a request, and which rules it breaks. `bytes` holds the parts that do. */
export function requestFinding(
  violations: readonly Violation[],
  body: unknown,
): Pick<Check, "expected" | "actual" | "bytes"> {
  const expected = "no violation";
  if (violations.length === 0) return { expected, actual: expected };
  const actual = violations.map(({ message }) => message).join("\n");
  return { expected, actual, bytes: describeParts(violations, body) };
}
