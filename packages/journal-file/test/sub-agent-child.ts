import { dieAt } from "./agent.ts";
import { liveNested } from "./sub-agent-run.ts";

/** Lives until the point with this number, and dies there as by `kill -9`. */
const [, , folder = "", number = "0"] = process.argv;
await liveNested(folder, dieAt(Number(number)));
