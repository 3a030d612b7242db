import { goToolchain } from "./go.ts";
import { javaToolchain } from "./java.ts";
import { nodeToolchain } from "./node.ts";
import { pythonToolchain } from "./python.ts";
import { rustToolchain } from "./rust.ts";
import type { Toolchain } from "./toolchain.ts";

/** The languages of the drivers, as the report names them. */
export type Language = "TypeScript" | "Python" | "Go" | "Rust" | "Java";

export const toolchains: Readonly<Record<Language, Toolchain>> = {
  TypeScript: nodeToolchain,
  Python: pythonToolchain,
  Go: goToolchain,
  Rust: rustToolchain,
  Java: javaToolchain,
};
