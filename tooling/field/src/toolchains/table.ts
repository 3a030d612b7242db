import { nodeToolchain } from "./node.ts";
import { pythonToolchain } from "./python.ts";
import type { Toolchain } from "./toolchain.ts";

/** The languages of the drivers, as the report names them. */
export type Language = "TypeScript" | "Python";

export const toolchains: Readonly<Record<Language, Toolchain>> = {
  TypeScript: nodeToolchain,
  Python: pythonToolchain,
};
