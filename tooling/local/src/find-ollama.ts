import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findPrograms, MissingServiceError } from "@tooling/services";

/** The version that is built if the machine has none. */
const version = "v0.17.4";
const ollamaModule = "github.com/ollama/ollama";
/**
 * The proxy leaves out folders named `vendor`, so these headers are missing in the module. An older
 * version has two of them elsewhere, and the third is in a module of its own.
 */
const headers: Readonly<Record<string, { readonly module: string; readonly path: string }>> = {
  "nlohmann/json.hpp": {
    module: `${ollamaModule}@v0.9.0`,
    path: "llama/llama.cpp/common/json.hpp",
  },
  "stb/stb_image.h": {
    module: `${ollamaModule}@v0.9.0`,
    path: "llama/llama.cpp/common/stb_image.h",
  },
  "miniaudio/miniaudio.h": { module: "github.com/gen2brain/malgo@v0.11.23", path: "miniaudio.h" },
};

const cache = fileURLToPath(new URL("../../../node_modules/.cache/local", import.meta.url));
const home = join(cache, `ollama-${version}`);
const program = join(home, "ollama");

/**
 * Ollama's program: the one of PATH, or the one of an earlier build. With
 * `FULLSTOP_INSTALL_SERVICES=1` it is built from the Go module proxy.
 * @throws MissingServiceError
 */
export async function findOllama(): Promise<string> {
  const folder = findPrograms(["ollama"]);
  if (folder !== undefined) return join(folder, "ollama");
  if (existsSync(program)) return program;
  const canBuild = ["go", "g++"].every((name) => findPrograms([name]) !== undefined);
  if (process.env["FULLSTOP_INSTALL_SERVICES"] !== "1" || !canBuild)
    throw new MissingServiceError(
      "Ollama was not found. Install it (https://ollama.com/download), or run `FULLSTOP_INSTALL_SERVICES=1 pnpm local`, which builds it from the Go module proxy; this needs Go and a C++ compiler.",
    );
  return build();
}

/** Without optimizations of the compiler beyond the first level: the models of the tests are small. */
async function build(): Promise<string> {
  process.stderr.write(`Building Ollama ${version} from the Go module proxy.\n`);
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, "new-"));
  const include = join(fresh, "headers");
  await writeHeaders(include);
  const number = `${ollamaModule}/version.Version=${version.slice(1)}`;
  const flags = ["-p", "2", "-trimpath", `-ldflags=-X=${number}`];
  await go(["install", ...flags, `${ollamaModule}@${version}`], {
    GOBIN: fresh,
    GOFLAGS: "",
    CGO_ENABLED: "1",
    CGO_CPPFLAGS: `-I${include}`,
    CGO_CFLAGS: "-O1",
    CGO_CXXFLAGS: "-O1",
  });
  await rename(fresh, home).catch(async (thrown: unknown) => {
    await rm(fresh, { recursive: true });
    if (!existsSync(home)) throw thrown; // otherwise another process was faster
  });
  return program;
}

async function writeHeaders(folder: string): Promise<void> {
  for (const [name, { module, path }] of Object.entries(headers)) {
    const { Dir: source } = JSON.parse(await go(["mod", "download", "-json", module]));
    await mkdir(join(folder, name, ".."), { recursive: true });
    await copyFile(join(source, path), join(folder, name));
  }
  await writeFile(join(folder, "nlohmann/json_fwd.hpp"), '#include "json.hpp"\n');
}

async function go(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)("go", args, {
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 26,
  });
  return stdout;
}
