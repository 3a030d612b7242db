import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cache, step } from "@tooling/publish/process";
import { installTool } from "@tooling/publish/tool";
import { createEnvironment, findInterpreter, programIn } from "../toolchains/environment.ts";
import type { Origin, Setting } from "./coder.ts";

type FromPypi = Extract<Origin, { readonly pypi: string }>;

/** Installs a package of PyPI into an environment of its own, on first use. Returns its folder. */
export async function installFromPypi(origin: FromPypi): Promise<string> {
  const { pypi, version, interpreters, extra = [] } = origin;
  const folder = join(cache, "tools", `${pypi}-${version}`);
  const installed = join(folder, "installed");
  if (existsSync(installed)) return folder;
  mkdirSync(join(cache, "tools"), { recursive: true });
  const interpreter = await findInterpreter(interpreters);
  if (interpreter === undefined)
    throw new Error(
      `${pypi} needs one of ${interpreters.join(", ")}: install it, or put it on PATH.`,
    );
  // An environment cannot be moved, so an unfinished one is removed instead of renamed.
  rmSync(folder, { recursive: true, force: true });
  await step(`fetching ${pypi} ${version}`, async () => {
    await createEnvironment(folder, interpreter.program, [`${pypi}==${version}`, ...extra]);
    writeFileSync(installed, "");
  });
  return folder;
}

/** Installs an agent on first use. Returns how to find its programs. Rejects if that fails. */
export async function installCoder(origin: Origin): Promise<Setting["program"]> {
  if ("pypi" in origin) {
    const folder = await installFromPypi(origin);
    return (name) => programIn(folder, name);
  }
  const folder = await installTool({ name: origin.npm, version: origin.version });
  return (name) => join(folder, "node_modules/.bin", name);
}
