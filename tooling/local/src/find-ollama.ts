import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findPrograms, MissingServiceError } from "@tooling/test/services";

/** The version that is built if the machine has none. */
const ollamaVersion = "v0.17.4";
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

const buildFolder = fileURLToPath(new URL("../../../node_modules/.cache/local", import.meta.url));
const builtFolder = join(buildFolder, `ollama-${ollamaVersion}`);
const builtProgram = join(builtFolder, "ollama");

/**
 * Ollama's program: the one of PATH, or the one of an earlier build. With
 * `FULLSTOP_INSTALL_SERVICES=1` it is built from the Go module proxy.
 * @throws MissingServiceError
 */
export async function findOllama(): Promise<string> {
  const folder = findPrograms(["ollama"]);
  if (folder !== undefined) return join(folder, "ollama");
  if (existsSync(builtProgram)) return builtProgram;
  const canBuild = ["go", "g++"].every((name) => findPrograms([name]) !== undefined);
  if (process.env["FULLSTOP_INSTALL_SERVICES"] !== "1" || !canBuild)
    throw new MissingServiceError(
      "Ollama was not found. Install it (https://ollama.com/download), or run `FULLSTOP_INSTALL_SERVICES=1 pnpm local`, which builds it from the Go module proxy; this needs Go and a C++ compiler.",
    );
  return build();
}

async function build(): Promise<string> {
  process.stderr.write(`Building Ollama ${ollamaVersion} from the Go module proxy.\n`);
  await mkdir(buildFolder, { recursive: true });
  const fresh = await mkdtemp(join(buildFolder, "new-"));
  try {
    await buildIn(fresh);
    await rename(fresh, builtFolder);
  } catch (thrown) {
    await rm(fresh, { recursive: true });
    if (!existsSync(builtFolder)) throw thrown; // otherwise another process was faster
  }
  return builtProgram;
}

/** With few optimizations, so that the compiler needs less time: the models of the tests are small. */
async function buildIn(folder: string): Promise<void> {
  const include = join(folder, "headers");
  await writeHeaders(include);
  const number = `${ollamaModule}/version.Version=${ollamaVersion.slice(1)}`;
  const flags = ["-p", "2", "-trimpath", `-ldflags=-X=${number}`];
  await runGo(["install", ...flags, `${ollamaModule}@${ollamaVersion}`], {
    GOBIN: folder,
    GOFLAGS: "",
    CGO_ENABLED: "1",
    CGO_CPPFLAGS: `-I${include}`,
    CGO_CFLAGS: "-O1",
    CGO_CXXFLAGS: "-O1",
  });
}

async function writeHeaders(folder: string): Promise<void> {
  for (const [name, { module, path }] of Object.entries(headers)) {
    const { Dir: source } = JSON.parse(await runGo(["mod", "download", "-json", module]));
    await mkdir(join(folder, name, ".."), { recursive: true });
    await copyFile(join(source, path), join(folder, name));
  }
  await writeFile(join(folder, "nlohmann/json_fwd.hpp"), '#include "json.hpp"\n');
}

async function runGo(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)("go", args, {
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 26,
  });
  return stdout;
}
