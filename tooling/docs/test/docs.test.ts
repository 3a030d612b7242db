import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { stopRules } from "@fullstop/core";
import { beforeAll, describe, expect, it } from "vitest";
import { type Block, blocksOf, documented, root } from "../src/blocks.ts";
import { startProvider } from "../src/provider.ts";

const here = fileURLToPath(new URL("..", import.meta.url));
const folder = join(here, ".blocks");
const bin = (name: string, path: string): string => join(root, "node_modules", name, path);
const fileOf = ({ at, use }: Block): string => join(folder, `${at.replaceAll(/[^\w-]+/g, "_")}${use === "test" ? ".test" : ""}.ts`);

/** Runs Node, and gives what it said, or rejects with it. */
async function node(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: here, env: { ...process.env, ...env } }).catch(
    (failed: { stdout: string; stderr: string }) => Promise.reject(new Error(`${failed.stdout}${failed.stderr}`)),
  );
  return stdout + stderr;
}

async function program(file: string): Promise<string> {
  await using provider = await startProvider();
  const args = ["--conditions=@fullstop/source", `--import=${join(here, "src/redirect.ts")}`, file];
  return node(args, { PROVIDER_URL: provider.url, ANTHROPIC_API_KEY: "none" });
}

/** A folder with these blocks in it, each a file. */
function write(blocks: readonly Block[]): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const block of blocks) writeFileSync(fileOf(block), block.code);
}

const compile = (): Promise<string> => node([bin("typescript", "bin/tsc"), "-p", "tsconfig.blocks.json"]);
const test = (file: string): Promise<string> => node([bin("vitest", "vitest.mjs"), "run", "--config=blocks.vitest.ts", file]);

describe("the code in the documents", () => {
  beforeAll(() => write(documented));

  it("is found", () => expect(documented.map(({ at }) => at)).toContainEqual(expect.stringMatching(/^README\.md:\d+$/)));
  it("compiles", () => compile());
  for (const block of documented) {
    if (block.use === "run") it(`runs: ${block.at}`, () => program(fileOf(block)));
    if (block.use === "test") it(`passes: ${block.at}`, () => test(fileOf(block)));
  }
});

describe("a block that is wrong", () => {
  const wrong = blocksOf(
    "wrong.md",
    "```ts run\nconst answer: string = 42;\nthrow answer;\n```\n```ts test\nimport { it } from 'vitest';\nit('fails', () => { throw 42; });\n```\n",
  );
  const [thrown, failing] = wrong;
  beforeAll(() => write(wrong));

  it("does not compile", () => expect(compile()).rejects.toThrow("is not assignable to type 'string'"));
  it("does not run", () => expect(program(thrown === undefined ? "" : fileOf(thrown))).rejects.toThrow("42"));
  it("does not pass", () => expect(test(failing === undefined ? "" : fileOf(failing))).rejects.toThrow("1 failed"));
});

it("the README's table of stop reasons is the one in core", () => {
  const rows = [...readFileSync(join(root, "README.md"), "utf8").matchAll(/^\| `([a-z-]+)` \|[^|]*\|([^|]*)\| ([^|]*) \|$/gm)];
  const keeps = { message: "the message", text: "its text", nothing: "nothing" } as const;
  const told = Object.fromEntries(rows.map(([, reason, mayRun, kept]) => [reason, { mayRun: mayRun?.includes("yes"), kept }]));
  expect(told).toEqual(
    Object.fromEntries(Object.entries(stopRules).map(([reason, rule]) => [reason, { mayRun: rule.mayRun, kept: keeps[rule.keeps] }])),
  );
});
