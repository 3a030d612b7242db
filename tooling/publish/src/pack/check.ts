#!/usr/bin/env node
// Packs the package in the current folder for publication, and checks the tarball and its size.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Budget, budgets, weigh } from "./budgets.ts";
import { dependenciesChunk, installed, manifest } from "./manifest.ts";
import { measure } from "./size.ts";

const bin = (name: string): string =>
  fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url));
/** Not measured: an app has these anyway, or leaves them out if it does not use them. */
const external = [...installed, `./shared-${dependenciesChunk}.js`];

const runCheck = (name: string, ...args: readonly string[]): boolean =>
  spawnSync(bin(name), args, { stdio: ["ignore", "inherit", "inherit"] }).status === 0;

function checkTarball(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "pack-"));
  try {
    execFileSync("pnpm", ["pack", "--pack-destination", folder], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const tarball = join(folder, readdirSync(folder)[0] ?? "");
    const linted = runCheck("publint", "--strict", tarball);
    return runCheck("attw", tarball, "--profile", "esm-only", "--no-emoji", "--quiet") && linted;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function checkSideEffects(): boolean {
  const { sideEffects } = manifest;
  if (sideEffects === false) return true;
  if (Array.isArray(sideEffects) && !sideEffects.includes(builtTarget("."))) return true;
  process.stderr.write(
    `${manifest.name}: package.json must have "sideEffects": false, so that apps bundle only what they use.\n`,
  );
  return false;
}

function builtTarget(entry: string): string {
  const target = manifest.exports[entry];
  if (target === undefined) throw new Error(`${manifest.name} does not export ${entry}.`);
  return typeof target === "string" ? target : target.default;
}
/** The built file of an entry point. */
const builtFile = (entry: string): string => resolve(builtTarget(entry));

const replyEntry = "./reply";
const sdkFree = /^@fullstop\/(core(\/adapter)?|provider-[^/]+\/reply)$/;

/** The readers of replies must work without the vendor's SDK. */
async function checkReplyEntry(): Promise<boolean> {
  if (manifest.exports[replyEntry] === undefined) return true;
  const { imports } = await measure(builtFile(replyEntry), { external });
  const refused = imports.filter((name) => !sdkFree.test(name));
  if (refused.length === 0) return true;
  process.stderr.write(
    `${manifest.name}/reply loads ${refused.join(", ")}. Import types only, or move the code: a gate must work without an SDK.\n`,
  );
  return false;
}

/** Core's built file, as the package in the current folder finds it. */
const coreFile = (): string => createRequire(resolve("package.json")).resolve("@fullstop/core");

async function checkSize(budget: Budget): Promise<boolean> {
  const { entry = ".", only, withGate } = budget;
  const measured = await measure(
    builtFile(entry),
    withGate ? { only, external: [], core: coreFile() } : { only, external },
  );
  const { fits, sentence } = weigh(manifest.name, budget, measured);
  process[fits ? "stdout" : "stderr"].write(sentence);
  return fits;
}

const packageFolder = basename(process.cwd());
const passed = [
  checkTarball(),
  checkSideEffects(),
  await checkReplyEntry(),
  ...(await Promise.all(budgets.filter((one) => one.folder === packageFolder).map(checkSize))),
];
if (!passed.every(Boolean)) process.exitCode = 1;
