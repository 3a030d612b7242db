import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../src/files.ts";

const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `export const name${at}: number = ${at};`).join("\n");
const body = (count: number): string =>
  `export function long(): void {\n${"  console.log();\n".repeat(count)}}`;
const branches = (count: number): string =>
  `export function turns(a: number): void {\n${"  if (a > 1) console.log();\n".repeat(count)}}`;
const fromNode = 'export * from "node:fs";';
const fromBeside = 'export * from "./a.ts";';

interface Budget {
  readonly sentence: string;
  readonly rule: string;
  readonly folder: string;
  readonly within: string;
  readonly beyond: string;
  /** Another file of the same folder, called `other.ts`. */
  readonly other?: string;
}
const core = "packages/core/src";
const budgets: readonly Budget[] = [
  {
    sentence: "a file has 350 lines at most",
    rule: "noExcessiveLinesPerFile",
    folder: core,
    within: lines(350),
    beyond: lines(351),
  },
  {
    sentence: "a test has 400 lines at most",
    rule: "noExcessiveLinesPerFile",
    folder: "apps/cli/test",
    within: lines(400),
    beyond: lines(401),
  },
  {
    sentence: "a function has 50 lines at most",
    rule: "noExcessiveLinesPerFunction",
    folder: core,
    within: body(50),
    beyond: body(51),
  },
  {
    sentence: "its complexity is 12 at most",
    rule: "noExcessiveCognitiveComplexity",
    folder: core,
    within: branches(12),
    beyond: branches(13),
  },
  {
    sentence: "it has 4 parameters at most",
    rule: "useMaxParams",
    folder: core,
    within: "export const f = (_a: 1, _b: 2, _c: 3, _d: 4): void => {};",
    beyond: "export const f = (_a: 1, _b: 2, _c: 3, _d: 4, _e: 5): void => {};",
  },
  {
    sentence: "core uses nothing of Node",
    rule: "noNodejsModules",
    folder: core,
    within: fromBeside,
    beyond: fromNode,
  },
  {
    sentence: "the loop uses nothing of Node",
    rule: "noNodejsModules",
    folder: "packages/loop/src",
    within: fromBeside,
    beyond: fromNode,
  },
  {
    sentence: "a provider uses nothing of Node",
    rule: "noNodejsModules",
    folder: "packages/provider-new/src",
    within: fromBeside,
    beyond: fromNode,
  },
  {
    sentence: "there is no `any`",
    rule: "noExplicitAny",
    folder: core,
    within: "export type A = unknown;",
    beyond: "export type A = any;",
  },
  {
    sentence: "no files import each other, not even their types",
    rule: "noImportCycles",
    folder: core,
    within: 'import type { Other } from "./other.ts";\nexport type Name = Other;',
    beyond: 'import type { Other } from "./other.ts";\nexport type Name = Other | undefined;',
    other: 'import type { Name } from "./beyond.ts";\nexport type Other = { name: Name };',
  },
  {
    sentence: "no literal is spread into another literal",
    rule: "noUselessSpread",
    folder: core,
    within: "export const f = (a: object): object => ({ b: 1, ...a });",
    beyond: "export const f = (a: object): object => ({ ...{ b: 1 }, ...a });",
  },
  {
    sentence: "no list literal is spread into another, in tests either",
    rule: "noUselessSpread",
    folder: "apps/cli/test",
    within: "export const f = (a: string[]): string[] => [...a];",
    beyond: 'export const f = (a: string[]): string[] => [...a, ...["b"]];',
  },
  {
    sentence: "no conditional expression is nested in another",
    rule: "noNestedTernary",
    folder: core,
    within: "export const f = (a: number): number => (a > 1 ? 1 : 2);",
    beyond: "export const f = (a: number): number => (a > 1 ? 1 : a > 0 ? 2 : 3);",
  },
];

/** All samples in a separate folder, linted once with the configuration of the repository. */
const folder = mkdtempSync(join(tmpdir(), "budgets-"));
afterAll(() => rmSync(folder, { recursive: true }));
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const pathOf = ({ folder, rule }: Budget, side: "within" | "beyond"): string =>
  `${folder}/${rule}/${side}.ts`;

function lint(): ReadonlySet<string> {
  copyFileSync(join(root, ".biome.json"), join(folder, ".biome.json"));
  for (const budget of budgets) {
    for (const side of ["within", "beyond"] as const) put(pathOf(budget, side), budget[side]);
    if (budget.other !== undefined) put(`${budget.folder}/${budget.rule}/other.ts`, budget.other);
  }
  const args = [
    join(root, "node_modules/@biomejs/biome/bin/biome"),
    "lint",
    "--vcs-enabled=false",
    "--reporter=json",
    "--max-diagnostics=none",
  ];
  const report: unknown = JSON.parse(
    spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).stdout,
  );
  const { diagnostics } = report as {
    readonly diagnostics: readonly {
      readonly category: string;
      readonly location: { readonly path: string };
    }[];
  };
  return new Set(
    diagnostics.map(({ category, location }) => `${location.path} ${category.split("/").at(-1)}`),
  );
}

describe("the linter keeps the budgets", () => {
  const found = lint();
  for (const budget of budgets) {
    it(budget.sentence, () => {
      expect(found).not.toContain(`${pathOf(budget, "within")} ${budget.rule}`);
      expect(found).toContain(`${pathOf(budget, "beyond")} ${budget.rule}`);
    });
  }
});
