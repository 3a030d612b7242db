import { live } from "./agent.ts";

/** Lives until the point with this number, and dies there by SIGKILL. */
const [, , url = "", runId = "", world = "", number = ""] = process.argv;
let points = 0;
await live({ url, runId, world }, () => {
  if (++points === Number(number)) process.kill(process.pid, "SIGKILL");
});
