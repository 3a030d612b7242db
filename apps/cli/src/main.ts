#!/usr/bin/env node
import { endOnSignals } from "./interruptible.ts";
import { oldNode } from "./old-node.ts";

endOnSignals();

const problem = oldNode(process.versions.node);
if (problem === undefined) await (await import("./program.ts")).runProgram();
else {
  process.exitCode = 2;
  process.stderr.write(`fullstop: ${problem}\n`);
}
