import { expect, test } from "vitest";
import type { Violation, Wire } from "../../src/index.ts";

/** The messages of the broken rules, one on each line. */
export const messagesOf = (violations: readonly Violation[]): string =>
  violations.map(({ message }) => message).join("\n");

/** Requests that break no rule of a wire, and requests that break one, each with a part of it. */
export function testViolations(
  { violations }: Wire,
  valid: Readonly<Record<string, object>>,
  invalid: Readonly<Record<string, readonly [request: unknown, violation: string]>>,
): void {
  test.for(Object.entries(valid))("%s is valid", ([, request]) => {
    expect(violations(request)).toEqual([]);
  });
  test.for(Object.entries(invalid))("%s is a violation", ([, [request, violation]]) => {
    expect(messagesOf(violations(request))).toContain(violation);
  });
}
