import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { packagesOf, readFiles } from "../src/files.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const program = fileURLToPath(new URL("../src/import-entries.mjs", import.meta.url));

/** They run in tests with vitest or on a machine of their own, not in a worker. */
const notInWorkers: readonly string[] = [
  "packages/conformance/src/journal/index.ts",
  "packages/conformance/src/vitest.ts",
];

const sourceOf = (target: unknown): string =>
  typeof target === "object" && target !== null && "@fullstop/source" in target
    ? String(target["@fullstop/source"])
    : "";
const entries = packagesOf(readFiles())
  .flatMap(({ folder, manifest }) =>
    Object.values(manifest.exports ?? {}).map((target) => join(folder, sourceOf(target))),
  )
  .filter((path) => path.endsWith(".ts") && !notInWorkers.includes(path));

async function findings(paths: readonly string[]): Promise<string> {
  const args = ["--conditions=@fullstop/source", program, ...paths];
  return (await promisify(execFile)(process.execPath, args, { cwd: root })).stdout;
}

test("no package does what a worker refuses while it is imported", async () => {
  expect(entries.length).toBeGreaterThan(40);
  expect(await findings(entries)).toBe("");
});

test.each(["setTimeout(() => {}, 1)", "new AbortController()", "crypto.randomUUID()"])(
  "a module that does it is found: %s",
  async (code) => {
    const folder = mkdtempSync(join(tmpdir(), "fullstop-workers-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "bad.mjs");
    writeFileSync(file, `export const value = ${code};\n`);
    expect(await findings([file])).toContain("while it is imported");
  },
);
