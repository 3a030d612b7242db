import type { RunLease } from "@fullstop/loop/journal";
import type { Check } from "../../harness/check.ts";
import { compare } from "../ask.ts";
import type { OpenStore } from "../harness.ts";
import { expectedReading, readingOf } from "../outcomes.ts";

/** The run of most checks. */
export const run = "order-7";

export const firstCall: string = `${run}/1/1`;

/** The result of most calls. */
export const result = '{"charged":true}';

/** A key, and what must be read for it: the text of a step that ended, `unrecorded` or `begun`. */
type Recorded = readonly [key: string, recorded: string];

/** Compares what a lease reads for a key. */
export const checkReading = async (
  lease: RunLease,
  id: string,
  at: string,
  [key, recorded]: Recorded,
): Promise<Check> =>
  compare(id, at, expectedReading(recorded), await readingOf(lease.read(key), recorded));

/** The same through a connection of its own, after the others gave the run back. */
export async function checkLater(
  store: OpenStore,
  id: string,
  at: string,
  recorded: Recorded,
): Promise<Check> {
  const lease = await store.open(run);
  const check = await checkReading(lease, id, at, recorded);
  await lease.close();
  return check;
}

/** The check of a reading. If the write before it did not resolve, that is the actual result. */
export const unlessRefused = (written: string, check: Check): Check =>
  written === "resolves" ? check : { ...check, actual: written };
