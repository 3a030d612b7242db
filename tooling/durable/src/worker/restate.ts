import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { agentWorkflow, restateJournal } from "@fullstop/restate";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import type { WorkerSpec } from "../spec.ts";
import { createAgent, createLog, createSettle } from "./agent.ts";
import { countOpenLeases, observe } from "./points.ts";
import { readSpec } from "./read-spec.ts";

/** A run that goes on gets this time to end, such as one that was paused. */
const graceMs = 3000;

await serveWorkflow(readSpec());

/** Serves the workflow of one run, and its journal in Restate, until the process is ended. */
async function serveWorkflow(spec: WorkerSpec): Promise<void> {
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
  process.on("SIGTERM", async () => {
    const end = performance.now() + graceMs;
    while (countOpenLeases() > 0 && performance.now() < end) await sleep(20);
    process.exit(0);
  });
  process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`);
}
