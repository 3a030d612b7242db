import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const requirements = fileURLToPath(new URL("../server/requirements.txt", import.meta.url));
const cache = fileURLToPath(new URL("../../../node_modules/.cache/local", import.meta.url));
const version = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 8);
const home = join(cache, `python-${version}`);
const program = (folder: string): string => join(folder, "bin", "python");

/** The server is missing. The message says what to install. */
export class MissingServerError extends Error {
  override readonly name = "MissingServerError";
}

/**
 * A Python with llama.cpp's server: the one of an earlier run, or the `python3` of the machine.
 * With `FULLSTOP_INSTALL_SERVICES=1` it is installed from PyPI.
 * @throws MissingServerError
 */
export async function findPython(): Promise<string> {
  if (existsSync(program(home))) return program(home);
  const hasPackages = await run("python3", ["-c", "import gguf, xllamacpp"]).then(
    () => true,
    () => false,
  );
  if (hasPackages) return "python3";
  if (process.env["FULLSTOP_INSTALL_SERVICES"] !== "1")
    throw new MissingServerError(
      "llama.cpp's server is missing. Run `FULLSTOP_INSTALL_SERVICES=1 pnpm local`, which installs it from PyPI; this needs python3 with venv.",
    );
  return install();
}

async function install(): Promise<string> {
  process.stderr.write("Installing llama.cpp's server from PyPI.\n");
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, "new-"));
  await run("python3", ["-m", "venv", fresh]);
  await run(program(fresh), ["-m", "pip", "install", "--quiet", "--requirement", requirements]);
  await rename(fresh, home).catch(async (thrown: unknown) => {
    await rm(fresh, { recursive: true });
    if (!existsSync(home)) throw thrown; // otherwise another process was faster
  });
  return program(home);
}
