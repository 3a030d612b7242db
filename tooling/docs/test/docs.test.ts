import { execFile } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { stopRules } from "@fullstop/core";
import { beforeAll, describe, expect, it } from "vitest";
import { type Block, blocksOf, documented, root } from "../src/blocks.ts";
import { startProvider } from "../src/provider.ts";

const here = fileURLToPath(new URL("..", import.meta.url));
const folder = join(here, "blocks");
const fileOf = ({ at }: Block): string => join(folder, `${at.replaceAll(/[^\w-]+/g, "_")}.ts`);

/** Runs Node, and rejects with what it said. */
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

async function program(block: Block): Promise<void> {
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

/** A folder with these blocks in it, each a file; it finds all packages of the repository. */
function write(blocks: readonly Block[]): void {
  const packages = join(folder, "node_modules/@fullstop");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(packages, { recursive: true });
  for (const path of globSync("packages/*", { cwd: root }))
    symlinkSync(join(root, path), join(packages, basename(path)), "junction");
  for (const block of blocks) writeFileSync(fileOf(block), block.code);
}

describe("the code in the documents", () => {
  beforeAll(() => write(documented));

  it("is found", () =>
    expect(documented.map(({ at }) => at)).toContainEqual(
      expect.stringMatching(/^README\.md:\d+$/),
    ));
  it("compiles", () => compile());
  for (const block of documented) if (block.runs) it(`runs: ${block.at}`, () => program(block));
});

describe("code that is wrong", () => {
  const wrong = blocksOf("wrong.md", "```ts run\nconst answer: string = 42;\nthrow answer;\n```\n");
  beforeAll(() => write(wrong));

  it("does not compile", () =>
    expect(compile()).rejects.toThrow("is not assignable to type 'string'"));
  for (const block of wrong) it("does not run", () => expect(program(block)).rejects.toThrow("42"));
});

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const columns = (text: string, row: RegExp): readonly string[] =>
  [...text.matchAll(row)].map(([, name = ""]) => name);

describe("the tables in the documents", () => {
  it("tell the stop reasons as core has them", () => {
    const rows = [
      ...read("README.md").matchAll(/^\| `([a-z-]+)` \|[^|]*\|([^|]*)\| ([^|]*) \|$/gm),
    ];
    const keeps = { message: "the message", text: "its text", nothing: "nothing" } as const;
    const documented = Object.fromEntries(
      rows.map(([, reason, mayRun, kept]) => [reason, { mayRun: mayRun?.includes("yes"), kept }]),
    );
    expect(documented).toEqual(
      Object.fromEntries(
        Object.entries(stopRules).map(([reason, { keeps: kept }]) => [
          reason,
          { mayRun: reason === "tool-use", kept: keeps[kept] },
        ]),
      ),
    );
  });

  it("tell the gate's rules in their order", () => {
    const [, table = ""] = read("packages/core/src/gate/rules.ts").split("export const rules");
    const rules = columns(table, /^ {2}(\w+)(?:: \(|,$)/gm);
    expect(rules.length).toBeGreaterThan(10);
    const [, told = ""] = read("ARCHITECTURE.md").split("## The gate's rules");
    expect(columns(told, /^\| `(\w+)` \| [^|]+ \| [^|]+ \|$/gm)).toEqual(rules);
  });

  it.each(["core", "loop"])("name every file of %s", (name) => {
    const [, layout = ""] = read("ARCHITECTURE.md").split(`\n  ${name}/ `);
    const [section = ""] = layout.split(/\n {2}\S/);
    const files = globSync("*.ts", { cwd: join(root, "packages", name, "src") }).map((file) =>
      file.replace(".ts", ""),
    );
    expect(columns(section, /^ {4}([\w-]+) {2,}/gm).toSorted()).toEqual(
      files.filter((file) => file !== "index").toSorted(),
    );
  });
});
