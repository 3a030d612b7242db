#!/usr/bin/env node
import { oldNode } from "./old-node.ts";

const problem = oldNode(process.versions.node);
if (problem === undefined) await (await import("./program.ts")).runProgram();
else {
  process.exitCode = 2;
  process.stderr.write(`fullstop: ${problem}\n`);
}
