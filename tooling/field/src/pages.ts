import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Block, blocksOf } from "@tooling/docs/blocks";
import { cache, root, runProgram, step } from "@tooling/publish/process";
import { npmOptions } from "@tooling/publish/tool";
import { readCommandLine } from "@tooling/test/options";
import { prepareSystem } from "./prepare.ts";
import { systems } from "./systems.ts";

/** Compiles the code of other libraries in `docs/from-*.md`, against the releases that are measured. */
async function checkPages(): Promise<void> {
  for (const { name, title, ...system } of systems) {
    const blocks = blocksOfSystem(name);
    if (blocks.length === 0) continue;
    await prepareSystem({ name, title, ...system });
    await step(`compiling ${blocks.length} blocks of ${title}`, () => compile(name, blocks));
  }
}

/** Packages that only the pages need: no system is measured with them. */
const pagePackages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "ai-sdk": { "@ai-sdk/mcp": "2.0.99" },
};

/** The blocks fenced as `ts <name>`. */
const blocksOfSystem = (name: string): readonly Block[] =>
  globSync("docs/from-*.md", { cwd: root }).flatMap((file) =>
    blocksOf(file, readFileSync(join(root, file), "utf8"), name),
  );

const compilerOptions = {
  target: "es2023",
  module: "nodenext",
  lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"],
  types: ["node"],
  typeRoots: [join(root, "tooling/field/node_modules/@types")],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
};

async function compile(name: string, blocks: readonly Block[]): Promise<void> {
  const folder = join(cache, "field", name, "pages");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const { at, code } of blocks)
    writeFileSync(join(folder, `${at.replaceAll(/[^\w-]+/g, "_")}.ts`), code);
  const dependencies = pagePackages[name];
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", dependencies }));
  if (dependencies !== undefined)
    await runProgram(["npm", "install", "--no-package-lock", "--ignore-scripts", ...npmOptions], {
      cwd: folder,
    });
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  await runProgram([process.execPath, tsc, "-p", folder], { cwd: folder });
}

const pagesHelp = `Compiles the code of other libraries in docs/from-*.md against the releases that \`pnpm field\` measures.

  pnpm check:pages

The first run installs these releases into node_modules/.cache/field. Exit codes: 0 it compiles; 1 it does not; 2 an invalid option.
`;
readCommandLine(pagesHelp, () => parseArgs({ options: { help: { type: "boolean", short: "h" } } }));
await checkPages().catch((thrown: unknown) => {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 1;
});
