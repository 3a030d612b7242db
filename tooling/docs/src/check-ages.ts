import { findOld, readComparisons } from "./ages.ts";

const comparisons = readComparisons();
const old = findOld(comparisons, new Date().toISOString().slice(0, 10));
if (old.length > 0) process.exitCode = 1;
process.stdout.write(
  old.length > 0
    ? `${old.join("\n")}\n`
    : `${comparisons.length} measurements of other projects are not too old.\n`,
);
