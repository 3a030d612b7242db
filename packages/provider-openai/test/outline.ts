import type { Turn } from "@fullstop/core";

/** The stop reason of a turn, and its calls. */
export const outline = ({ stopReason, calls }: Turn): readonly unknown[] => [
  stopReason,
  ...calls.map(({ name, input }) => [name, input]),
];
/** The outline of a turn that reads these files. */
export const ran = (...paths: readonly string[]): unknown => [
  "tool-use",
  ...paths.map((path) => ["read", { path }]),
];
