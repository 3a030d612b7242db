#!/usr/bin/env node
import { CommanderError } from "commander";
import { exitCodes, Unable } from "./exit.ts";
import { program } from "./index.ts";

try {
  await program().parseAsync();
} catch (thrown) {
  process.exitCode = exitCodes.unable;
  if (thrown instanceof CommanderError) process.exitCode = thrown.exitCode === 0 ? exitCodes.kept : exitCodes.unable;
  else if (thrown instanceof Unable) process.stderr.write(`conformance: ${thrown.message}\n`);
  else process.stderr.write(`conformance: ${thrown instanceof Error ? thrown.stack : String(thrown)}\n`);
}
