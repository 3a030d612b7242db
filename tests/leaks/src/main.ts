import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fillMarks } from "@tooling/docs/marks";
import { root } from "@tooling/publish/process";
import { readCommandLine } from "@tooling/test/options";
import { measure } from "./measure.ts";
import { page, sentencesOf } from "./table.ts";

const help = `Counts the calls in texts that \`readTurn\` finds and misses, and its false alarms in documents of packages.

  pnpm leaks           prints the result, and each text that is a false alarm
  pnpm leaks --write   also writes it to tests/leaks/result.json and packages/loop/guides/recovery.md

It downloads packages from npm and PyPI into node_modules/.cache/leaks, and runs nothing of them.
It needs npm and Python 3 with pip. Exit codes: 0 success, 1 failure, 2 an invalid option.
`;
const { values } = readCommandLine(help, () =>
  parseArgs({ options: { write: { type: "boolean" }, help: { type: "boolean", short: "h" } } }),
);

const result = await measure((form, text) =>
  process.stdout.write(`--- ${form}\n${text.slice(-600)}\n`),
);
const json = `${JSON.stringify(result, null, 2)}\n`;
process.stdout.write(json);
if (values.write) {
  writeFileSync(join(root, "tests/leaks/result.json"), json);
  writeFileSync(page, fillMarks(readFileSync(page, "utf8"), "leaks", sentencesOf(result)));
}
