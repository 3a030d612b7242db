import type { System } from "../system.ts";

/** The systems from PyPI, and one without a package. */
export const pythonSystems: readonly System[] = [
  { name: "python", title: "Python", language: "Python", ways: { whole: [] } },
];
