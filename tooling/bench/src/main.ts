import { parseArgs } from "node:util";
import { measure, type Row } from "./measure.ts";
import { limited, workloads } from "./workloads.ts";

/** How much more than the floor the limited workload may cost, and what a noisy machine may add to that. */
const limit = 1.3;
const slack = 1.25;
const rounds = 15;
const only = workloads.filter(({ name }) => name === limited);

const { values } = parseArgs({ options: { json: { type: "boolean", default: false }, check: { type: "boolean", default: false } } });
if (values.check) await check();
else print(await measure(workloads, rounds));

/** Fails when two measurements in a row are over the limit: the first may have had a bad moment. */
async function check(): Promise<void> {
  const first = await measure(only, rounds);
  const rows = first.every(within) ? first : await measure(only, rounds);
  print(rows);
  if (rows.every(within)) return;
  process.stderr.write(`${limited} may cost ${limit} times the floor, and ${slack} times that on a noisy machine.\n`);
  process.exitCode = 1;
}

function within({ ratio }: Row): boolean {
  return ratio.toFloor <= limit * slack;
}

function print(rows: readonly Row[]): void {
  if (values.json) process.stdout.write(`${JSON.stringify({ node: process.version, limit, rows }, null, 2)}\n`);
  else process.stdout.write(table(rows));
}

function table(rows: readonly Row[]): string {
  const head = ["", "bytes", "floor", "sdk", "fullstop", "to floor", "to sdk"];
  const lines = rows.map((row) => [
    row.workload,
    row.bytes.toLocaleString("en"),
    `${row.cpuMs.floor.toFixed(1)} ms`,
    `${row.cpuMs.sdk.toFixed(1)} ms`,
    `${row.cpuMs.fullstop.toFixed(1)} ms`,
    `${row.ratio.toFloor.toFixed(2)}x`,
    `${row.ratio.toSdk.toFixed(2)}x`,
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)));
  const shown = [head, ...lines].map((line) =>
    line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  "),
  );
  return `CPU of this process for one reply, median of ${rounds} alternating rounds, server in another process, Node ${process.version}
floor: fetch, decode, split, JSON.parse · sdk: @anthropic-ai/sdk, events only · fullstop: readTurn(anthropic()), to the settled turn

${shown.join("\n")}\n`;
}
