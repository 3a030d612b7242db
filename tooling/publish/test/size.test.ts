import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { type Budget, budgets, type Weighed, weigh } from "../src/pack/budgets.ts";
import { measure } from "../src/pack/size.ts";

const folder = mkdtempSync(join(tmpdir(), "size-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, "index.js");
/** Text that does not compress well. */
const long = Array.from({ length: 400 }, (_, n) => Math.sin(n)).join();
writeFileSync(
  file,
  `import sdk from "sdk";\nexport const small = sdk(1);\nexport const large = ${JSON.stringify(long)};\n`,
);
const external = ["sdk"];

it("an export is measured without the others", async () => {
  const [all, small] = await Promise.all([
    measure(file, { external }),
    measure(file, { only: "small", external }),
  ]);
  expect(all.bytes).toBeGreaterThan(2000);
  expect(small.bytes).toBeLessThan(200);
});

it("a module that is loaded later does not count", async () => {
  const later = join(folder, "later.js");
  writeFileSync(later, 'export const open = () => import("./index.js");\n');
  expect((await measure(later, { external })).bytes).toBeLessThan(200);
});

it("a reader of replies is measured with the gate", async () => {
  const core = join(folder, "core.js");
  writeFileSync(core, `export const createGate = ${JSON.stringify(long)};\n`);
  const { bytes } = await measure(file, { only: "small", external, core });
  expect(bytes).toBeGreaterThan(2000);
});

it("the packages that are loaded at run time are named", async () => {
  expect((await measure(file, { external })).imports).toEqual(["sdk"]);
});

it("the largest file is named first", async () => {
  const { files } = await measure(file, { external });
  expect(files[0]).toMatchObject({ file: "index.js" });
});

const exportsOf = (name: string): object =>
  JSON.parse(
    readFileSync(new URL(`../../../packages/${name}/package.json`, import.meta.url), "utf8"),
  ).exports;

it.each(budgets)("$folder $entry $only is an entry point", ({ folder: name, entry = "." }) => {
  expect(exportsOf(name)).toHaveProperty([entry]);
});

it("a size passes up to its limit, and one byte more fails and says who pays", () => {
  const budget: Budget = { folder: "acme", only: "read", kB: 1.1, paidBy: "Every app loads it." };
  const files = [{ file: "index.js", percent: 100 }];
  const weighed = (bytes: number): Weighed =>
    weigh("@acme/acme", budget, { bytes, files, imports: [] });
  expect(weighed(1100)).toEqual({
    fits: true,
    sentence: "@acme/acme { read }: 1.1 kB of 1.1 kB, minified and gzipped.\n",
  });
  expect(weighed(1101).fits).toBe(false);
  expect(weighed(1101).sentence).toContain(
    "1 bytes too many. Every app loads it. The largest files: index.js 100 %.",
  );
});
