// The process of one contender. The argument is a `ContenderPlan`. The process first says whether
// the protocol has this contender. Then it answers `{ read: times }` when it has read the reply so
// often, and "cpu" with the CPU time that it has taken so far.
import type { ContenderPlan } from "./contender-processes.ts";
import { contendersOf } from "./contenders.ts";
import { isPeer, peersOf } from "./peers.ts";
import { wires } from "./wires/index.ts";
import { charactersOf, workloadNamed } from "./workloads.ts";

const plan: ContenderPlan = JSON.parse(process.argv[2] ?? "");
const { wire, name: contender, url: address, proxyURLs } = plan;
const workload = workloadNamed(plan.workload);
const characters = charactersOf(workload.reply);

const contenders = isPeer(contender)
  ? await peersOf(wire, address)
  : await contendersOf(wires[wire], address, workload, proxyURLs);
const read = new Map(Object.entries(contenders)).get(contender);

process.on("message", async (message: "cpu" | { readonly read: number }) => {
  if (message !== "cpu") await readTimes(message.read);
  process.send?.(process.cpuUsage());
});
process.on("disconnect", () => process.exit());
process.send?.(read !== undefined);

async function readTimes(times: number): Promise<void> {
  if (read === undefined) throw new Error(`The protocol ${wire} has no ${contender}.`);
  for (let time = 0; time < times; time++) {
    const found = await Promise.all(Array.from({ length: workload.parallel }, read));
    const wrong = found.find((count) => count !== characters);
    if (wrong !== undefined)
      throw new Error(`${contender} found ${wrong} of ${characters} characters`);
  }
}
