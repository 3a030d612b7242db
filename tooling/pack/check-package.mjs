#!/usr/bin/env node
// Packs the package in the current folder as it would be published, and checks that tarball.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const bin = (name) => fileURLToPath(new URL(`./node_modules/.bin/${name}`, import.meta.url));
const run = (file, ...args) => execFileSync(file, args, { stdio: ["ignore", "inherit", "inherit"] });
const folder = mkdtempSync(join(tmpdir(), "pack-"));
try {
  execFileSync("pnpm", ["pack", "--pack-destination", folder], { stdio: "ignore" });
  const tarball = join(folder, readdirSync(folder)[0]);
  run(bin("publint"), "--strict", tarball);
  run(bin("attw"), tarball, "--profile", "esm-only", "--no-emoji", "--quiet");
} finally {
  rmSync(folder, { recursive: true });
}
