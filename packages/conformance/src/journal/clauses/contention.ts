import type { RunLease } from "@fullstop/loop/journal";
import type { TimedCheck } from "../ask.ts";
import { compare, toolStep } from "../ask.ts";
import type { JournalConnection } from "../connection.ts";
import { describeRejection, kindOfError, outcomeOf } from "../outcomes.ts";

/** Who asks for a run that another connection holds. */
export interface Contest {
  readonly runId: string;
  readonly held: RunLease;
  readonly other: JournalConnection;
  /** How long an attempt may wait until it counts as one that waits. */
  readonly waitMs: number;
}

/** What came of it, as an expected or actual result. */
export const contestResults = {
  refused: "the second is refused or waits, and the first goes on",
  bothWrite: "both connections write the run",
  taken: "the second takes the run from the first, which is alive",
} as const;

/**
 * Asks for a run that is held. An attempt that waits is aborted. If the run is given, what counts
 * is who can write: the first may have been too slow to keep its lease.
 */
export async function contest({ runId, held, other, waitMs }: Contest): Promise<string> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), waitMs);
  const opened = await other.tryOpen(runId, controller.signal);
  clearTimeout(timer);
  if (!opened.isFulfilled) {
    const isRefused = kindOfError(opened.thrown) === "in-use" || controller.signal.aborted;
    if (!isRefused) return `the second ${describeRejection(opened.thrown)}`;
    const first = await outcomeOf(held.begin(toolStep(`${runId}/contest/first`)));
    return first === "resolves" ? contestResults.refused : `the first ${first}`;
  }
  const second = await outcomeOf(opened.value.begin(toolStep(`${runId}/contest/second`)));
  const first = await outcomeOf(held.begin(toolStep(`${runId}/contest/first`)));
  await opened.value.close();
  if (first !== "resolves") return contestResults.taken;
  return second === "resolves" ? contestResults.bothWrite : `the second ${second}`;
}

/** Whether a busy machine may explain the result: the first lost its lease and knew it. */
const mayBeLate = (actual: string): boolean =>
  actual === contestResults.taken || actual.startsWith("the first rejects");

/** An attempt that has no answer after this many leases is one that waits. */
export const waitLeases = 4;

/** The check of such an attempt. */
export const contestCheck = (id: string, at: string, actual: string): TimedCheck => ({
  ...compare(id, at, contestResults.refused, actual),
  ...(mayBeLate(actual) && { mayBeLate: true }),
});
