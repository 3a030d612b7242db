import type { JournalOptions } from "../contract/options.ts";
import { isObject } from "../util/values.ts";
import { assertOptions, journalKinds } from "./option-kinds.ts";
import type { RunConfig } from "./run-config.ts";

export function resolveJournal(
  journal: JournalOptions | undefined,
): Pick<RunConfig, "journal" | "runId" | "settle"> {
  if (journal === undefined)
    return { journal: undefined, runId: crypto.randomUUID(), settle: undefined };
  assertOptions(journal, journalKinds, "journal");
  if (journal.store === undefined)
    throw new TypeError(`\`journal.store\` is missing. It must be ${journalKinds.store.expected}.`);
  if (!journal.runId)
    throw new TypeError(
      "`journal.runId` is missing: without a stable id a run that was killed cannot be resumed.",
    );
  return { journal: journal.store, runId: journal.runId, settle: journal.settle };
}

/** The loop marks a turn of which some calls have run: only a journal knows their results. */
export interface JournalMark {
  /** `journal.runId` of the run that waited. */
  readonly runId: string;
  /** The run began with this turn, so `waiting.turn` is one of its options. */
  readonly isFirstTurn: boolean;
}

const reason = "Other calls of this turn have run, and only the journal has their results.";

/** @throws TypeError if the calls of a stored turn would start anew. */
export function continuesInJournal(stored: unknown, journal: JournalOptions | undefined): boolean {
  const mark = isObject(stored) ? stored["continuesInJournal"] : undefined;
  if (mark === undefined) return false;
  const { runId, isFirstTurn } = Object(mark) as Partial<JournalMark>;
  if (isFirstTurn !== true)
    throw new TypeError(
      `${reason} Do not give it as \`waiting.turn\`. Give the same options as the run that waited, with \`journal.runId\` "${runId}", and the answers in \`waiting\`.`,
    );
  if (journal?.runId !== runId)
    throw new TypeError(
      `${reason} Give \`journal\` with the same store, and the \`runId\` "${runId}".`,
    );
  return true;
}
