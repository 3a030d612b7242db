import type { System } from "./system.ts";
import { compiledSystems } from "./systems/compiled.ts";
import { pythonSystems } from "./systems/python.ts";
import { typescriptSystems } from "./systems/typescript.ts";

/** The measured systems, in the order of the report. */
export const systems: readonly System[] = [
  ...typescriptSystems.map((system): System => ({ ...system, language: "TypeScript" })),
  ...Object.entries(pythonSystems).map(
    ([folder, system]): System => ({
      name: `python/${folder}`,
      package: folder,
      language: "Python",
      ...system,
    }),
  ),
  { name: "python", title: "Python", language: "Python", ways: { whole: [] } },
  ...compiledSystems,
];
