import type { RunOptions } from "./options.ts";
import type { Journal } from "./ports.ts";
import type { RunConfig } from "./run-config.ts";

/** Remembers nothing. */
export const noJournal: Journal = { step: (_, run) => run(async () => {}) };

/** The journal and the id of a run. Throws for a journal without an id. */
export function resolveJournal({
  journal,
  runId,
}: Pick<RunOptions, "journal" | "runId">): Pick<RunConfig, "journal" | "runId"> {
  if (journal && !runId)
    throw new TypeError(
      "`journal` requires `runId`: without a stable id a crashed run cannot be resumed.",
    );
  return { journal: journal ?? noJournal, runId: runId || crypto.randomUUID() };
}
