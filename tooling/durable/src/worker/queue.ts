import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Journal } from "@fullstop/loop/journal";
import type { QueueSpec } from "../spec.ts";
import { live } from "./agent.ts";
import { openJournal } from "./journals.ts";
import { observe } from "./points.ts";
import { readSpec } from "./read-spec.ts";

/** Runs side by side in one process. */
const concurrency = 8;

await emptyQueue(readSpec());

/** Takes runs from a folder until it is empty. The lease of the journal keeps others from a run. */
async function emptyQueue(spec: QueueSpec): Promise<never> {
  const { journal, close } = await openJournal(spec.place);
  process.stdout.write("ready\n");
  const mine = new Set<string>();
  const choose = (): string | undefined => {
    const left = readdirSync(spec.queue).filter((run) => !mine.has(run));
    // A random run, so that two processes seldom meet.
    return left[Math.floor(Math.random() * left.length)];
  };
  const takeRuns = async (): Promise<void> => {
    for (let run = choose(); run !== undefined; run = choose()) {
      mine.add(run);
      if (await runToItsEnd(spec, run, journal)) rmSync(join(spec.queue, run), { force: true });
      mine.delete(run);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, takeRuns));
  await close();
  return process.exit(0);
}

async function runToItsEnd(spec: QueueSpec, run: string, journal: Journal): Promise<boolean> {
  const one = { ...spec, run };
  const status = await live(one, observe(journal, one));
  return status !== undefined && status !== "aborted";
}
