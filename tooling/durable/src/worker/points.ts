import {
  type Journal,
  JournalError,
  type JournalStep,
  type RunLease,
} from "@fullstop/loop/journal";
import type { WorkerSpec } from "../spec.ts";
import { createLog, cut, summarize } from "./agent.ts";
import { itemAt } from "./script.ts";

let isDeleted = false;
let openLeases = 0;
/** How many runs this process writes. */
export const countOpenLeases = (): number => openLeases;

/** A journal that logs what it acknowledged, and disturbs the worker at the point of the spec. */
export function observe(journal: Journal, spec: WorkerSpec): Journal {
  const log = createLog(spec);
  const point = createPoint(spec);
  /** Logs an answer to what was asked after the journal was deleted, and why there is none. */
  const watch = async (lease: RunLease, write: () => Promise<void>): Promise<void> => {
    const wasDeleted = isDeleted;
    try {
      await write();
    } catch (thrown) {
      if (!lease.lost.aborted) logRejection(thrown, log);
      throw thrown;
    }
    if (wasDeleted) log({ event: "unnoticed" });
  };
  const observeLease = (lease: RunLease): RunLease => ({
    lost: lease.lost,
    ...(lease.maxStepBytes !== undefined && { maxStepBytes: lease.maxStepBytes }),
    read: (key) => lease.read(key),
    begin: async (step) => {
      await point();
      await watch(lease, () => lease.begin(step));
      await point();
    },
    end: async (step, json) => {
      await point();
      await watch(lease, () => lease.end(step, json));
      const item = itemOfStep(step, spec.run);
      if (item !== undefined) log({ event: "acknowledged", item, result: summarize(json) });
      await point();
    },
    close: async (end) => {
      await point();
      try {
        // A run that failed gives its lease back in any case.
        await (end === undefined ? lease.close() : watch(lease, () => lease.close(end)));
      } finally {
        openLeases--;
      }
    },
  });
  return {
    open: async (runId, signal) => {
      await point();
      const lease = await journal.open(runId, signal).catch((thrown: unknown) => {
        logRejection(thrown, log);
        throw thrown;
      });
      openLeases++;
      lease.lost.addEventListener("abort", () => logRejection(lease.lost.reason, log));
      log({ event: "opened" });
      process.stdout.write("opened\n");
      return observeLease(lease);
    },
  };
}

function logRejection(thrown: unknown, log: ReturnType<typeof createLog>): void {
  const kind = thrown instanceof JournalError ? thrown.kind : "other";
  log({ event: "rejected", kind, message: String(thrown) });
}

/** The item of a tool step: its key is `<run>/<turn>/<position>`, and more after a settlement. */
function itemOfStep({ key, kind }: JournalStep, run: string): string | undefined {
  if (kind !== "tool") return undefined;
  const [turn = "", position = ""] = key.slice(run.length + 1).split("/");
  return itemAt(Number(turn) - 1, Number(position) - 1);
}

function createPoint(spec: WorkerSpec): () => Promise<void> {
  const { disturbance } = spec;
  let points = 0;
  return async () => {
    if (disturbance === undefined || ++points !== disturbance.point) return;
    await disturb[disturbance.what](spec);
  };
}

const disturb: Readonly<
  Record<NonNullable<WorkerSpec["disturbance"]>["what"], (spec: WorkerSpec) => unknown>
> = {
  die: () => process.kill(process.pid, "SIGKILL"),
  pause: (spec) => {
    createLog(spec)({ event: "paused" });
    process.kill(process.pid, "SIGSTOP");
  },
  cut: (spec) => cut(spec, "cut"),
  "lose-answer": (spec) => cut(spec, "lose-answer"),
  block: (spec) => cut(spec, "block"),
  delete: async (spec) => {
    // First, because the run may be stopped as lost before the answer comes.
    createLog(spec)({ event: "deleted" });
    await cut(spec, "delete");
    isDeleted = true;
  },
};
