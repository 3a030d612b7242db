import { DBOS } from "@dbos-inc/dbos-sdk";
import { registerAgent } from "@example/recipes/dbos";
import type { WorkerSpec } from "../spec.ts";
import { createAgent, createLog, createSettle } from "./agent.ts";
import { openJournal } from "./journals.ts";
import { observe } from "./points.ts";
import { readSpec } from "./read-spec.ts";

await runWorkflow(readSpec());

/**
 * Runs one run as a workflow of DBOS, or takes it over. A worker of the harness has one run only, so
 * the executor and the version have the name of the run: DBOS gives a workflow to any process with
 * the same version.
 */
async function runWorkflow(spec: WorkerSpec): Promise<never> {
  const log = createLog(spec);
  const { journal } = await openJournal(spec.place);
  const agent = registerAgent("agent", () => createAgent(spec, log), {
    store: observe(journal, spec),
    ...createSettle(spec, log),
  });
  DBOS.setConfig({
    name: "durable",
    systemDatabaseUrl: spec.place.url,
    systemDatabasePoolSize: 4,
    applicationVersion: spec.run,
    executorID: spec.run,
    logLevel: "error",
  });
  try {
    await DBOS.launch();
    process.stdout.write("ready\n");
    const handle = await DBOS.startWorkflow(agent, { workflowID: spec.run })(undefined);
    const { status, text } = await handle.getResult();
    log({ event: "ended", status, text });
    return process.exit(0);
  } catch (thrown) {
    log({ event: "rejected", kind: "engine", message: String(thrown) });
    return process.exit(3);
  }
}
