#!/usr/bin/env node
// `npx @fullstop/conformance …` runs the command of @fullstop/conformance-cli if it is installed in
// this folder.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const commandPackage = "@fullstop/conformance-cli";

function findCommand(): string | undefined {
  try {
    return createRequire(join(process.cwd(), "package.json")).resolve(`${commandPackage}/command`);
  } catch {
    return undefined;
  }
}

const command = findCommand();
if (command === undefined) {
  const args = ["npx", commandPackage, ...process.argv.slice(2)].join(" ");
  process.stderr.write(`conformance: This command is in ${commandPackage}. Run: ${args}\n`);
  process.exitCode = 2;
} else {
  const { runCommand } = await import(pathToFileURL(command).href);
  await runCommand();
}
