import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { QueueSpec } from "../spec.ts";
import { live } from "./agent.ts";
import { openJournal } from "./journals.ts";
import { observe } from "./points.ts";

/** Takes runs from a folder until it is empty. The lease of the journal keeps others away from a run. */
const spec = JSON.parse(process.argv[2] ?? "") as QueueSpec;
// The command holds the other end, so a worker does not outlive it.
process.stdin.on("end", () => process.exit(4)).resume();
process.stdin.on("error", () => process.exit(4));

/** Runs side by side in one process. */
const concurrency = 8;

const opened = await openJournal(spec.place);
process.stdout.write("ready\n");
const mine = new Set<string>();
await Promise.all(Array.from({ length: concurrency }, takeRuns));
await opened.close();
process.exit(0);

async function takeRuns(): Promise<void> {
  for (let run = choose(); run !== undefined; run = choose()) {
    mine.add(run);
    const one = { ...spec, run };
    const status = await live(one, observe(opened.journal, one));
    if (status !== undefined) rmSync(join(spec.queue, run), { force: true });
    mine.delete(run);
  }
}

/** A random run, so that two processes seldom meet. */
function choose(): string | undefined {
  const left = readdirSync(spec.queue).filter((run) => !mine.has(run));
  return left[Math.floor(Math.random() * left.length)];
}
