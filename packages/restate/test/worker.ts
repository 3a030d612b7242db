import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { sqliteJournal } from "@fullstop/journal-sqlite";
import { agentWorkflow, restateJournal } from "@fullstop/restate";
import { createEndpointHandler, type Hooks } from "@restatedev/restate-sdk";
import { agentFor, type Task } from "./agent.ts";

/** What the test tells a worker, as JSON. */
export interface WorkerOptions {
  readonly name: string;
  readonly ingressUrl: string;
  /** The file of a SQLite journal. Without it the journal is in Restate. */
  readonly file?: string;
  readonly leaseMs?: number;
  /** A call in doubt waits for a person. */
  readonly settlesLater?: true;
  /** Its code was changed: `run` refuses the options. */
  readonly isBroken?: true;
  /** Restate gives up an attempt that reports nothing for so long. */
  readonly abortTimeout?: number;
}

const worker = JSON.parse(process.argv[2] ?? "") as WorkerOptions;
const { name, ingressUrl, file, leaseMs = 3000, settlesLater, isBroken, abortTimeout } = worker;
const timeouts = abortTimeout !== undefined && { inactivityTimeout: 1, abortTimeout };
/** Tells the test why an attempt of this process ended. */
const reporter: Hooks = {
  interceptor: {
    run: async (_name, next) => {
      await next().catch((thrown: unknown) => {
        console.error(String(thrown));
        throw thrown;
      });
    },
  },
};
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
const journal = restateJournal({ ingressUrl, name: `${name}Journal`, leaseMs });
const workflow = agentWorkflow({
  name,
  journal: {
    store: file === undefined ? journal : sqliteJournal(file, { leaseMs }),
    ...(settlesLater && { settle: () => "later" as const }),
  },
  agent: (task: Task, context) => ({
    ...agentFor({ ...task, ...(isBroken && { refused: true }) }, context),
    signal: stop.signal,
  }),
  options: {
    retryPolicy: { initialInterval: 50, maxInterval: 200 },
    hooks: [() => reporter],
    ...timeouts,
  },
});

const server = createServer(createEndpointHandler({ services: [workflow, journal.object] }));
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
// It ends with the test, and by itself.
process.stdin.on("end", () => process.exit()).resume();
setTimeout(() => process.exit(), 120_000);
