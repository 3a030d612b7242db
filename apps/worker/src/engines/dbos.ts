import { setTimeout as sleep } from "node:timers/promises";
import { DBOS, DBOSClient } from "@dbos-inc/dbos-sdk";
import type { PostgresJournal } from "@fullstop/journal-postgres";
import { isJournalError } from "@fullstop/loop/journal";
import { runAgent } from "../run-agent.ts";
import { areTablesMissing, launchAlone } from "./dbos-tables.ts";
import { type Answers, type Engine, longestStopMs, type WorkOptions } from "./engine.ts";

/** Where DBOS has its tables, and how often it looks at them. */
export interface DbosOptions {
  readonly databaseUrl: string;
  /** Says which runs are held. */
  readonly listRuns: PostgresJournal["listRuns"];
  /** Milliseconds after which the run of a dead worker is free. */
  readonly leaseMs: number;
  /** Milliseconds between two looks at the queue. */
  readonly pollMs: number;
}

const application = "fullstop-worker";
const queueName = "runs";
const workflowName = "wake";
/**
 * DBOS gives workflows only to processes of their version. Here any version continues any run,
 * because the journal finds steps by key.
 */
const applicationVersion = "any";

/** What a workflow gets: the run, and the answers that it continues with. */
type Wake = readonly [runId: string, answers: Answers];

/**
 * A workflow wakes a run once: it calls `run` and ends when the run waits, so a run that waits for
 * days is a row in a table. The partition of the queue is the run, so its wakes come one after the
 * other.
 */
export async function dbosEngine(options: DbosOptions): Promise<Engine> {
  const client = await DBOSClient.create({
    systemDatabaseUrl: options.databaseUrl,
    applicationName: application,
    logger: quiet,
  });
  const enqueue = async ([runId, answers]: Wake, delaySeconds?: number): Promise<void> => {
    await client.enqueue(
      {
        queueName,
        workflowName,
        appVersion: applicationVersion,
        queuePartitionKey: runId,
        ...(delaySeconds !== undefined && { delaySeconds }),
      },
      runId,
      answers,
    );
  };
  return {
    start: async (runId) => {
      await enqueue([runId, {}]).catch((thrown: unknown) => {
        if (!areTablesMissing(thrown)) throw thrown;
        throw new Error("The queue does not exist yet. The first worker creates it: start one.");
      });
    },
    answer: (runId, answers) => enqueue([runId, answers]),
    listQueued: () => listQueuedWakes(client),
    work: (work) => takeRuns({ ...options, ...work, client, enqueue, active: new Set() }),
    close: () => client.destroy(),
  };
}

async function listQueuedWakes(client: DBOSClient): Promise<readonly string[]> {
  try {
    const queued = await client.listWorkflows({ queueName, status: ["ENQUEUED", "DELAYED"] });
    return queued.flatMap(({ queuePartitionKey: runId }) => runId ?? []);
  } catch (thrown) {
    if (areTablesMissing(thrown)) return [];
    throw thrown;
  }
}

interface Taking extends WorkOptions, DbosOptions {
  readonly client: DBOSClient;
  readonly enqueue: (wake: Wake, delaySeconds?: number) => Promise<void>;
  /** The ids of the workflows that run in this process. */
  readonly active: Set<string>;
}

async function takeRuns(taking: Taking): Promise<void> {
  const { signal, concurrency, pollMs, databaseUrl } = taking;
  const stopping = new AbortController();
  DBOS.setConfig({
    name: application,
    systemDatabaseUrl: databaseUrl,
    applicationVersion,
    executorID: crypto.randomUUID(),
    listenQueues: [queueName],
    logger: quiet,
  });
  const wake = async (...given: Wake): Promise<string> => {
    const id = DBOS.workflowID ?? "";
    taking.active.add(id);
    return wakeRun(given, { ...taking, signal: stopping.signal }).finally(() =>
      taking.active.delete(id),
    );
  };
  DBOS.registerWorkflow(wake, { name: workflowName });
  await launchAlone(databaseUrl, () => DBOS.launch());
  await DBOS.registerQueue(queueName, {
    workerConcurrency: concurrency,
    partitionConcurrency: 1,
    minPollingIntervalMs: pollMs,
    onConflict: "always_update",
  });
  taking.report({ type: "ready" });
  await returnLostRuns(taking);
  // First no new run is taken, then those of this process are aborted.
  const stopped = DBOS.shutdown({ workflowCompletionTimeoutMS: longestStopMs });
  stopping.abort(signal.reason);
  await stopped;
}

/** Seconds until a run is tried again that stopped without an outcome. */
const retrySeconds = 2;

/** Errors that come back until a person has changed something: the options, or the journal. */
const needsPerson = (thrown: unknown): boolean =>
  thrown instanceof TypeError ||
  thrown instanceof RangeError ||
  isJournalError(thrown, "too-large", "damaged");

/** The workflow. It returns a sentence for those who look into the tables of DBOS. */
async function wakeRun([runId, answers]: Wake, taking: Taking): Promise<string> {
  const { report, enqueue, signal } = taking;
  const giveBack = async (reason: string, delaySeconds?: number): Promise<string> => {
    report({ type: "stopped", runId, reason });
    await enqueue([runId, answers], delaySeconds);
    return reason;
  };
  try {
    report({ type: "taken", runId });
    const { status, summary } = await runAgent(runId, answers, taking);
    return status === "aborted" ? await giveBack("The worker ends.") : summary;
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    if (signal.aborted) return giveBack(reason);
    if (!needsPerson(thrown)) return giveBack(reason, retrySeconds);
    report({ type: "failed", runId, reason });
    throw thrown;
  }
}

/** Returns runs to the queue until the worker ends. */
async function returnLostRuns(taking: Taking): Promise<void> {
  const { signal, leaseMs } = taking;
  while (!signal.aborted) {
    await sleep(leaseMs / 2, undefined, { signal }).catch(() => {}); // the worker ends
    if (signal.aborted) return;
    await resumeLostWorkflows(taking).catch((thrown: unknown) => toStderr(thrown)); // tried again
  }
}

/**
 * DBOS gives the workflows of a dead process only to a process with the same name. Here the lease in
 * the journal says which runs are held, so any worker returns the other ones to the queue. If a
 * living worker is mistaken for a dead one, the lease keeps its run in one hand.
 */
async function resumeLostWorkflows({ leaseMs, client, listRuns, active }: Taking): Promise<void> {
  const taken = await client.listWorkflows({ queueName, status: "PENDING", loadInput: false });
  const suspects = taken.filter(
    ({ workflowID, dequeuedAt = 0 }) =>
      !active.has(workflowID) && Date.now() - dequeuedAt > leaseMs,
  );
  if (suspects.length === 0) return;
  const running = await listRuns({ status: "running", limit: 10_000 });
  const held = new Set(running.map(({ runId }) => runId));
  const lost = suspects.filter(({ queuePartitionKey: runId = "" }) => !held.has(runId));
  const ids = lost.map(({ workflowID }) => workflowID);
  if (ids.length > 0) await client.resumeWorkflows(ids, { queueName });
}

const ignore = (): void => {};
const toStderr = (entry: unknown): void => void process.stderr.write(`dbos: ${String(entry)}\n`);
const quiet = { info: ignore, debug: ignore, warn: toStderr, error: toStderr };
