import type { RunStatus } from "@fullstop/loop/journal";
import { findRun } from "./find-run.ts";
import type { Setup } from "./setup.ts";

/** Why a run with this status cannot be put into the queue. The other statuses are final. */
const hints: { readonly [Status in RunStatus]?: string } = {
  running: "A worker has it.",
  waiting: "`runs` shows what it waits for.",
};
/** A run that stopped without an outcome. */
const canContinue: readonly RunStatus[] = ["interrupted", "aborted"];

/**
 * Puts the run into the queue.
 * @throws Error if it exists and has ended, waits or is running.
 */
export async function startRun(runId: string, { journal, engine }: Setup): Promise<void> {
  const known = await findRun(journal, runId);
  if (known !== undefined && !canContinue.includes(known.status)) {
    const hint = hints[known.status] ?? "Choose another name.";
    throw new Error(`The run "${runId}" exists: it is "${known.status}". ${hint}`);
  }
  await engine.start(runId);
  const verb = known === undefined ? "starts" : "continues";
  process.stdout.write(`"${runId}" is in the queue. The next free worker ${verb} it.\n`);
}
