import {
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { documented } from "@tooling/docs/blocks";
import { startProvider } from "@tooling/docs/provider";
import { packArguments, publishedFolders } from "@tooling/docs/published";
import { buildAll } from "./build.ts";
import { tryCommand } from "./command.ts";
import { manifestOf } from "./manifest.ts";
import { root, runProgram, scratch } from "./process.ts";
import type { Source } from "./source.ts";
import { subjectFiles } from "./subjects.ts";
import { npmOptions } from "./tool.ts";

const here = fileURLToPath(new URL("../..", import.meta.url));
/** What the app is compiled with. */
const compilers = ["typescript", "typescript-5.9"].map((name) =>
  join(here, "node_modules", name, "bin/tsc"),
);
/** Programs of the documents, which must compile against the published types too. */
const recipes = join(root, "docs/recipes");

const packageNames = (): readonly string[] =>
  publishedFolders(root).map((folder) => manifestOf(join(root, folder)).name);

/** The exact versions that this repository tests with. */
const otherPackages = ["zod", "@types/node"].map(
  (name) => `${name}@${manifestOf(join(here, "node_modules", name)).version}`,
);

async function install(folder: string, source: Source, names: readonly string[]): Promise<void> {
  const specs = names.map((name) => source.spec(name));
  await runProgram(["npm", "install", ...npmOptions, ...source.args, ...specs, ...otherPackages], {
    cwd: folder,
  });
}

/**
 * Installs two packages into an empty folder and runs the first example of the README there.
 * Resolves with its output.
 */
async function readme(source: Source): Promise<string> {
  const wanted = ["@fullstop/loop", "@fullstop/provider-anthropic"];
  const block = documented.find(
    ({ at, runs, code }) =>
      /^README\.md:/.test(at) && runs && wanted.every((name) => code.includes(name)),
  );
  if (block === undefined)
    throw new Error(`README.md has no \`ts run\` block with ${wanted.join(" and ")}.`);
  const folder = scratch("readme");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await install(folder, source, source.complete ? wanted : [...wanted, "@fullstop/core"]);
  writeFileSync(join(folder, "agent.ts"), block.code);
  const provider = await startProvider();
  const redirect = fileURLToPath(import.meta.resolve("@tooling/docs/redirect"));
  const env = {
    NODE_OPTIONS: `--import=${redirect}`,
    PROVIDER_URL: provider.url,
    ANTHROPIC_API_KEY: "none",
  };
  try {
    const printed = await runProgram([process.execPath, "agent.ts"], { cwd: folder, env });
    if (printed.trim() === "" || provider.requests.length < 2)
      throw new Error(
        `${block.at} printed ${JSON.stringify(printed)} after ${provider.requests.length} requests.`,
      );
    return printed.trim();
  } finally {
    await provider.close();
    rmSync(folder, { recursive: true });
  }
}

/**
 * Installs all packages into an app, checks its types, and runs an agent with each provider.
 * Resolves with one line for each.
 */
async function everything(source: Source): Promise<readonly string[]> {
  const folder = scratch("consumer");
  cpSync(join(here, "consumer"), folder, { recursive: true });
  for (const [path, text] of subjectFiles()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const file of globSync("{,tasks/}*.ts", { cwd: recipes, exclude: ["*.config.ts"] }))
    cpSync(join(recipes, file), join(folder, "recipes", file));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await install(folder, source, packageNames());
  assertSingle(folder);
  for (const tsc of compilers)
    await runProgram([process.execPath, tsc, "-p", folder], { cwd: folder });
  const lines: string[] = [];
  for (const program of ["turns.ts", "own-clients.ts"])
    lines.push(
      ...(await runProgram([process.execPath, program], { cwd: folder })).trim().split("\n"),
    );
  rmSync(folder, { recursive: true });
  return lines;
}

export const tryingPackages =
  "README.md in an empty folder, the command and what it writes, and an app with every package";

/** Tries the packages as users do. Resolves with a sentence about the result. */
export async function tryPackages(source: Source): Promise<string> {
  const [printed, lines] = await Promise.all([readme(source), everything(source)]);
  const demo = await tryCommand(source);
  return `the README's example printed ${JSON.stringify(printed)}; ${lines.length} agents finished; the demo ended with ${JSON.stringify(demo)}, and the three programs of \`fullstop init\` compiled and ran.`;
}

const shared = /^(@fullstop\/core|openai|@anthropic-ai\/sdk|@google\/genai)$/;

/** The app and the packages must share one copy of each peer dependency. */
function assertSingle(folder: string): void {
  const lock = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, unknown>>;
  };
  const names = Object.keys(lock.packages).map((path) => path.split("node_modules/").at(-1) ?? "");
  const twice = names.filter((name, at) => shared.test(name) && names.indexOf(name) !== at);
  if (twice.length > 0)
    throw new Error(
      `Installed more than once: ${twice.join(", ")}. Make it a peer dependency of each package.`,
    );
}

/** Packs each package for publication into a folder. */
export async function packAll(): Promise<Source> {
  const folder = scratch("packed");
  await buildAll();
  await runProgram(packArguments(root, folder), { cwd: root });
  const files = readdirSync(folder);
  const spec = (name: string): string => {
    const file = files.find((one) =>
      basename(one).startsWith(`${name.replace("@", "").replace("/", "-")}-0`),
    );
    if (file === undefined) throw new Error(`${name} was not packed.`);
    return join(folder, file);
  };
  return { spec, args: [], complete: false };
}
