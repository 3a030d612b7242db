import type { RunLease } from "@fullstop/loop/journal";
import { type TimedCheck, toolStep, unjudged } from "../ask.ts";
import { type JournalConnection, takeOver } from "../connection.ts";
import type { JournalTiming, OpenStore } from "../harness.ts";
import { result, run } from "./reading.ts";

/** The steps of that run. */
export const takenKeys: Readonly<Record<"ended" | "begun" | "afterLoss" | "ofOther", string>> = {
  ended: `${run}/1/model`,
  begun: `${run}/1/1`,
  afterLoss: `${run}/1/2`,
  ofOther: `${run}/1/3`,
};
/** The text of a step of the second connection. */
export const others = '{"by":"the second"}';

/** A run that another connection has taken from one that was stopped. */
export interface TakenRun {
  /** The lease that was lost, and its connection, which does not know it yet. */
  readonly lost: RunLease;
  readonly stopped: JournalConnection;
  /** The lease of the second connection. */
  readonly taken: RunLease;
}

/** Lets a connection lose its run, and does the work. The checks say if that was not possible. */
export async function withTakenRun(
  store: OpenStore,
  { timeoutMs }: JournalTiming,
  work: (run: TakenRun) => Promise<readonly TimedCheck[]>,
): Promise<readonly TimedCheck[]> {
  const stopped = await store.connect();
  const lost = await stopped.open(run);
  await lost.end(toolStep(takenKeys.ended), result);
  await lost.begin(toolStep(takenKeys.begun));
  await stopped.stop();
  const { leaseMs } = store;
  const by = await store.connect();
  const takeover = await takeOver(by, { runId: run, stopped, leaseMs, timeoutMs });
  if ("lease" in takeover) return work({ lost, stopped, taken: takeover.lease });
  return [unjudged("taken", "the run of a connection that was stopped", takeover.why)];
}
