import { execFile } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { type Block, blocksOf, documented, root } from "../src/blocks.ts";
import { startProvider } from "../src/provider.ts";
import { publishedFolders } from "../src/published.ts";

const here = fileURLToPath(new URL("..", import.meta.url));
const folder = join(here, "blocks");
const fileOf = ({ at }: Block): string => join(folder, `${at.replaceAll(/[^\w-]+/g, "_")}.ts`);

/** Runs Node, and rejects with its output if it fails. */
async function node(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  const running = promisify(execFile)(process.execPath, args, {
    cwd: here,
    env: { ...process.env, ...env },
  });
  await running.catch(
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
      throw new Error(`${stdout}${stderr}`);
    },
  );
}

const compile = (): Promise<void> =>
  node([join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.blocks.json"]);

async function runBlock(block: Block): Promise<void> {
  const provider = await startProvider();
  const args = [
    "--conditions=@fullstop/source",
    `--import=${join(here, "src/redirect.ts")}`,
    fileOf(block),
  ];
  await node(args, { PROVIDER_URL: provider.url, ANTHROPIC_API_KEY: "none" }).finally(() =>
    provider.close(),
  );
}

/** Writes each block to a file, in a folder that finds all packages of the repository. */
function writeBlocks(blocks: readonly Block[]): void {
  const packages = join(folder, "node_modules/@fullstop");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(packages, { recursive: true });
  for (const path of publishedFolders(root))
    symlinkSync(join(root, path), join(packages, basename(path)), "junction");
  for (const block of blocks) writeFileSync(fileOf(block), block.code);
}

describe("the code in the documents", () => {
  beforeAll(() => writeBlocks(documented));

  it("is found in the README", () =>
    expect(documented.map(({ at }) => at)).toContainEqual(
      expect.stringMatching(/^README\.md:\d+$/),
    ));
  it("compiles", () => compile());
  for (const block of documented) if (block.runs) it(`runs: ${block.at}`, () => runBlock(block));
});

describe("code that is wrong", () => {
  const wrong = blocksOf("wrong.md", "```ts run\nconst answer: string = 42;\nthrow answer;\n```\n");
  beforeAll(() => writeBlocks(wrong));

  it("does not compile", () =>
    expect(compile()).rejects.toThrow("is not assignable to type 'string'"));
  for (const block of wrong)
    it("does not run", () => expect(runBlock(block)).rejects.toThrow("42"));
});
