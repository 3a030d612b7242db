import type { JournalOptions } from "../contract/options.ts";
import { isObject } from "../util/values.ts";

/** The loop marks a turn of which some calls have run: only a journal knows their results. */
export interface JournalMark {
  /** `journal.runId` of the run that waited. */
  readonly runId: string;
  /** The run began with this turn, so `waiting.turn` is one of its options. */
  readonly isFirstTurn: boolean;
}

const reason = "Other calls of this turn have run, and only the journal has their results.";

/**
 * Whether a stored turn continues in this journal.
 * @throws TypeError if its calls would start anew.
 */
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
