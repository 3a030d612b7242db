import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cache, runProgram, step } from "@tooling/publish/process";

/** The first of these interpreters that starts, with what `--version` prints. */
export async function findInterpreter(
  interpreters: readonly string[],
  isRight: (version: string) => boolean = () => true,
): Promise<{ readonly program: string; readonly version: string } | undefined> {
  for (const program of interpreters) {
    const printed = await runProgram([program, "--version"], { cwd: process.cwd() }).catch(
      () => "",
    );
    const version = /\d+(\.\d+)+/.exec(printed)?.[0];
    if (version !== undefined && isRight(version)) return { program, version };
  }
  return undefined;
}

/** The program in a virtual environment. */
export const programIn = (folder: string, name: string): string => join(folder, "bin", name);

const uvVersion = "0.13.9";

/** Installs uv on first use: pip needs minutes for what uv does in seconds. */
async function installUv(interpreter: string): Promise<string> {
  const folder = join(cache, "tools", `uv-${uvVersion}`);
  const installed = join(folder, "installed");
  if (!existsSync(installed)) {
    // An environment cannot be moved, so an unfinished one is removed instead of renamed.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dirname(folder), { recursive: true });
    await step(`fetching uv ${uvVersion}`, async () => {
      await runProgram([interpreter, "-m", "venv", folder], { cwd: cache });
      const pip = [programIn(folder, "python"), "-m", "pip", "install", "--quiet"] as const;
      await runProgram([...pip, `uv==${uvVersion}`], { cwd: cache });
      writeFileSync(installed, "");
    });
  }
  return programIn(folder, "uv");
}

/** Runs `uv pip` with these words. Rejects with its output. */
export const runUvPip = async (
  interpreter: string,
  words: readonly string[],
  cwd: string = cache,
): Promise<string> =>
  runProgram(
    [await installUv(interpreter), "pip", ...words, "--quiet", "--cache-dir", join(cache, "uv")],
    { cwd },
  );

/**
 * Makes a virtual environment in an empty folder, and installs packages into it: names with
 * versions, or `-r` and a file.
 */
export async function createEnvironment(
  folder: string,
  interpreter: string,
  packages: readonly string[],
): Promise<void> {
  await runProgram([interpreter, "-m", "venv", "--without-pip", folder], { cwd: cache });
  const python = programIn(folder, "python");
  await runUvPip(interpreter, ["install", "--python", python, ...packages]);
}
