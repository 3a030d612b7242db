import type { Violation } from "../../src/index.ts";

/** The messages of the broken rules, one on each line. */
export const messagesOf = (violations: readonly Violation[]): string =>
  violations.map(({ message }) => message).join("\n");
