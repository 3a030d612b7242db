import type { WorkerSpec } from "../spec.ts";
import { live } from "./agent.ts";
import { openJournal } from "./journals.ts";
import { observe } from "./points.ts";

/** Exit codes: 0 the run ended; 3 it did not end here. */
const spec = JSON.parse(process.argv[2] ?? "") as WorkerSpec;
// The command holds the other end, so a worker does not outlive it.
process.stdin.on("end", () => process.exit(4)).resume();
process.stdin.on("error", () => process.exit(4));

const opened = await openJournal(spec.place);
process.stdout.write("ready\n");
const status = await live(spec, observe(opened.journal, spec));
await opened.close();
process.exit(status === undefined || status === "aborted" ? 3 : 0);
