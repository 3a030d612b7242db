#!/usr/bin/env node
// Checks all regular expressions of the built packages: none may grow faster than its text.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { readCommandLine } from "@tooling/test/options";
import { root } from "../install/process.ts";
import { exceptions } from "./exceptions.ts";
import { distinct, type Expression, literalsIn, madeWhileLoading } from "./expressions.ts";
import { findGrowth } from "./report.ts";

const help = `Checks all regular expressions of the built packages: none may grow faster than its text.
The exceptions, each with what bounds its text, are in tooling/publish/src/regexps/exceptions.ts.

  pnpm build && pnpm check:regexps

Exit codes: 0 none does; 1 one does, or the packages are not built; 2 an invalid option.
`;
readCommandLine(help, () => parseArgs({ options: { help: { type: "boolean", short: "h" } } }));

/** Other people's code that a package brings along is not ours to mend. */
const files = globSync("{packages,apps}/*/dist/**/*.js", { cwd: root }).filter(
  (file) => !/shared-dependencies\.js$|^apps\/(?:playground|site)\//.test(file),
);
if (files.length === 0) throw new Error("The packages are not built: run `pnpm build`.");

const expressions: Expression[] = [];
for (const file of files) {
  const code = readFileSync(join(root, file), "utf8");
  expressions.push(...literalsIn(file, code));
  if (code.includes("new RegExp(") && file.startsWith("packages/"))
    expressions.push(
      ...(await madeWhileLoading(file, () => import(pathToFileURL(join(root, file)).href))),
    );
}
const all = distinct(expressions);
const found = findGrowth(all, exceptions);
const summary = `${all.length} regular expressions of ${files.length} files: ${found.length} to mend, ${exceptions.length} kinds of exceptions\n`;
if (found.length === 0) process.stdout.write(summary);
else {
  process.stderr.write(
    `${found.join("\n")}\n${summary}Write the expression so that it cannot go back over the same text, or add it to tooling/publish/src/regexps/exceptions.ts with the reason why its text is short.\n`,
  );
  process.exitCode = 1;
}
