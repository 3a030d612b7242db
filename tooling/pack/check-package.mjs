#!/usr/bin/env node
// Packs the package in the current folder as it would be published, and checks that tarball.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const bin = (name) => fileURLToPath(new URL(`./node_modules/.bin/${name}`, import.meta.url));
const passes = (name, ...args) => spawnSync(bin(name), args, { stdio: ["ignore", "inherit", "inherit"] }).status === 0;

const folder = mkdtempSync(join(tmpdir(), "pack-"));
try {
  execFileSync("pnpm", ["pack", "--pack-destination", folder], { stdio: ["ignore", "ignore", "inherit"] });
  const tarball = join(folder, readdirSync(folder)[0]);
  const linted = passes("publint", "--strict", tarball);
  const resolved = passes("attw", tarball, "--profile", "esm-only", "--no-emoji", "--quiet");
  if (!linted || !resolved) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
