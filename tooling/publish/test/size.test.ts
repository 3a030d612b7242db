import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { budgetsOf } from "../src/pack/budgets.ts";
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
  expect(budgetsOf("provider-google")).toMatchObject([
    { only: "google" },
    { only: "googleInteractions" },
    { entry: "./reply", only: "googleReply", withGate: true },
  ]);
});

it("the packages that are loaded at run time are named", async () => {
  expect((await measure(file, { external })).imports).toEqual(["sdk"]);
});

it("the largest file is named first", async () => {
  const { files } = await measure(file, { external });
  expect(files[0]).toMatchObject({ file: "index.js" });
});

it("a package without a row has the goal of one protocol", () => {
  expect(budgetsOf("provider-new")).toEqual([{ goal: 8, kB: 8 }]);
});

it("a missed goal stands beside the size, and a little more than the size passes", () => {
  for (const { goal, kB } of budgetsOf("loop")) expect(kB).toBeGreaterThanOrEqual(goal);
  const [core] = budgetsOf("core").filter(({ only }) => only === undefined);
  expect(core?.goal).toBe(10);
  expect(core?.kB).toBeGreaterThan(10);
});

it("a package of several protocols has a budget for each", () => {
  expect(budgetsOf("provider-openai").map(({ entry, only }) => [entry, only])).toEqual([
    [undefined, "openai"],
    [undefined, "openaiChat"],
    ["./reply", "openaiReply"],
    ["./reply", "openaiChatReply"],
  ]);
});
