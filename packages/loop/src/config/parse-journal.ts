import { anyText, assertOptions, type OptionKinds, withMethods } from "./option-kinds.ts";
import type { JournalOptions } from "./options.ts";
import type { Journal } from "./ports.ts";
import type { RunConfig } from "./run-config.ts";

/** Remembers nothing. */
export const noJournal: Journal = { step: (_, run) => run(async () => {}) };

const journalKinds: OptionKinds<JournalOptions> = {
  store: withMethods(["step"], "a journal, such as `await fileJournal(path)` returns"),
  runId: anyText,
};

/** The journal and the id of a run. Throws if only one of them is given. */
export function resolveJournal(
  journal: JournalOptions | undefined,
): Pick<RunConfig, "journal" | "runId"> {
  if (journal === undefined) return { journal: noJournal, runId: crypto.randomUUID() };
  assertOptions(journal, journalKinds, "journal");
  if (journal.store === undefined)
    throw new TypeError(`\`journal.store\` is missing. It must be ${journalKinds.store.expected}.`);
  if (!journal.runId)
    throw new TypeError(
      "`journal.runId` is missing: without a stable id a run that was killed cannot be resumed.",
    );
  return { journal: journal.store, runId: journal.runId };
}
