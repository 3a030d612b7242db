#!/usr/bin/env node
// Packs the package in the current folder for publication, and checks the tarball and its size.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Budget, budgetsOf } from "./budgets.ts";
import { measure } from "./size.ts";

interface Manifest {
  readonly name: string;
  readonly sideEffects?: boolean;
  readonly exports: { readonly ".": { readonly default: string } };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const external = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });

const bin = (name: string): string =>
  fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));
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
  if (manifest.sideEffects === false) return true;
  process.stderr.write(
    `${manifest.name}: package.json must have "sideEffects": false, so that apps bundle only what they use.\n`,
  );
  return false;
}

async function checkSize({ only, kB }: Budget): Promise<boolean> {
  const { bytes, files } = await measure(resolve(manifest.exports["."].default), {
    only,
    external,
  });
  const what = `${manifest.name}${only === undefined ? "" : ` { ${only} }`}`;
  const weight = `${what}: ${(bytes / 1000).toFixed(1)} kB of ${kB} kB, minified and gzipped\n`;
  if (bytes <= kB * 1000) {
    process.stdout.write(weight);
    return true;
  }
  const largest = files.slice(0, 5).map(({ file, percent }) => `${file} ${percent} %`);
  process.stderr.write(
    `${weight}That is ${bytes - kB * 1000} bytes too many. The largest files: ${largest.join(", ")}.\n` +
      "Remove what is not needed. For the rest, raise the budget in tooling/pack/src/budgets.ts and give the reason in the commit.\n",
  );
  return false;
}

const passed = [
  checkTarball(),
  checkSideEffects(),
  ...(await Promise.all(budgetsOf(basename(process.cwd())).map(checkSize))),
];
if (!passed.every(Boolean)) process.exitCode = 1;
