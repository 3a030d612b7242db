import { live } from "./agent.ts";

/** Lives until the point with this number, and dies there as by `kill -9`. */
const [, , folder = "", number = "0"] = process.argv;
let points = 0;
await live(folder, () => {
  if (++points === Number(number)) process.kill(process.pid, "SIGKILL");
});
