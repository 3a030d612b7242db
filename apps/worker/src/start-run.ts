import { findRun } from "./find-run.ts";
import type { Setup } from "./setup.ts";

/** Puts the run into the queue, and says what a worker will do with it. */
export async function startRun(runId: string, { journal, engine }: Setup): Promise<void> {
  const known = await findRun(journal, runId);
  await engine.start(runId);
  const next =
    known === undefined
      ? "The next free worker starts it."
      : `It exists (${known.status}). The next free worker continues it.`;
  process.stdout.write(`"${runId}" is in the queue. ${next}\n`);
}
