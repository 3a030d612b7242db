import type { WorkerSpec } from "../spec.ts";
import { live } from "./agent.ts";
import { openJournal } from "./journals.ts";
import { observe } from "./points.ts";
import { readSpec } from "./read-spec.ts";

await runOnce(readSpec());

/** Exit codes: 0 the run ended; 3 it did not end here. */
async function runOnce(spec: WorkerSpec): Promise<never> {
  const { journal, close } = await openJournal(spec.place);
  process.stdout.write("ready\n");
  const status = await live(spec, observe(journal, spec));
  await close();
  return process.exit(status === undefined || status === "aborted" ? 3 : 0);
}
