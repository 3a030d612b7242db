import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { agentWorkflow, restateJournal } from "@fullstop/restate";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import type { WorkerSpec } from "../spec.ts";
import { createAgent, createLog, createSettle } from "./agent.ts";
import { countOpenLeases, observe } from "./points.ts";

/** Serves the workflow of one run, and its journal in Restate, until it is ended. */
const spec = JSON.parse(process.argv[2] ?? "") as WorkerSpec;
// The command holds the other end, so a worker does not outlive it.
process.stdin.on("end", () => process.exit(4)).resume();
process.stdin.on("error", () => process.exit(4));

const log = createLog(spec);
const { url, leaseMs, service = "" } = spec.place;
const journal = restateJournal({ ingressUrl: url, name: `${service}Journal`, leaseMs });
const workflow = agentWorkflow({
  name: service,
  journal: { store: observe(journal, spec), ...createSettle(spec, log) },
  agent: () => createAgent(spec, log),
  options: { retryPolicy: { initialInterval: 50, maxInterval: 400, maxAttempts: 1000 } },
});
const server = createServer(createEndpointHandler({ services: [workflow, journal.object] }));
server.listen(0, "127.0.0.1");
await once(server, "listening");
process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`);

/** A run that goes on gets this time to end, such as one that was paused. */
const graceMs = 3000;
process.on("SIGTERM", async () => {
  const end = performance.now() + graceMs;
  while (countOpenLeases() > 0 && performance.now() < end) await sleep(20);
  process.exit(0);
});
