import type { System } from "./system.ts";
import { compiledSystems } from "./systems/compiled.ts";
import { pythonSystems } from "./systems/python.ts";
import { typescriptSystems } from "./systems/typescript.ts";

/** The measured systems, in the order of the report. */
export const systems: readonly System[] = [
  ...typescriptSystems.map((system): System => ({ ...system, language: "TypeScript" })),
  ...pythonSystems.map((system): System => ({ ...system, language: "Python" })),
  ...compiledSystems,
];
