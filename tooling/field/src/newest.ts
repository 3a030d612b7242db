import type { NewestRelease } from "@tooling/docs/field";
import { cache } from "@tooling/publish/process";
import { findInterpreter } from "./toolchains/environment.ts";
import { newestOnNpm } from "./toolchains/node.ts";
import { newestOnPypi } from "./toolchains/python.ts";

/** The package of a gateway or of a coding agent. */
export type PackageOrigin =
  | { readonly npm: string }
  | { readonly pypi: string; readonly interpreters?: readonly string[] };

const askRegistry = async (origin: PackageOrigin): Promise<string | undefined> => {
  if ("npm" in origin) return newestOnNpm(origin.npm, cache);
  const found = await findInterpreter(origin.interpreters ?? ["python3"]);
  return found && newestOnPypi(origin.pypi, found.program, found.version);
};

/** The newest release of a package; nothing if the registry does not answer. */
export async function findNewestPackage(origin: PackageOrigin): Promise<NewestRelease | undefined> {
  const version = await askRegistry(origin).catch(() => undefined);
  return version ? { version, at: new Date().toISOString() } : undefined;
}
