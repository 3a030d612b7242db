import { parseArgs } from "node:util";
import { readCommandLine } from "@tooling/test/options";
import { findOld, readComparisons } from "./ages.ts";

const agesHelp = `Names the published comparisons with other projects that are too old.

  pnpm check:ages

Exit codes: 0 none is; 1 one is; 2 an invalid option.
`;
readCommandLine(agesHelp, () => parseArgs({ options: { help: { type: "boolean", short: "h" } } }));

const comparisons = readComparisons();
const old = findOld(comparisons, new Date().toISOString().slice(0, 10));
if (old.length > 0) process.exitCode = 1;
process.stdout.write(
  old.length > 0
    ? `${old.join("\n")}\n`
    : `${comparisons.length} measurements of other projects are not too old.\n`,
);
