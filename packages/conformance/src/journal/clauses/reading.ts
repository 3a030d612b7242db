import type { OpenStore } from "../harness.ts";
import { readingOf } from "../outcomes.ts";

/** The run of most checks. */
export const run = "order-7";

/** The key of its first call. */
export const firstCall: string = `${run}/1/1`;

/** The result of most calls. */
export const result = '{"charged":true}';

/**
 * What a connection of its own reads for a key of the run, after the others gave it back. `json`:
 * the text that the step must have ended with.
 */
export async function readLater(store: OpenStore, key: string, json?: string): Promise<string> {
  const lease = await store.open(run);
  const reading = await readingOf(lease.read(key), json);
  await lease.close();
  return reading;
}
