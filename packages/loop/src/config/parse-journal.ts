import type { JournalOptions } from "../contract/options.ts";
import {
  anyFunction,
  anyText,
  assertOptions,
  type OptionKinds,
  withMethods,
} from "./option-kinds.ts";
import type { RunConfig } from "./run-config.ts";

const journalKinds: OptionKinds<JournalOptions> = {
  store: withMethods(["open"], "a journal, such as `fileJournal(path)` returns"),
  runId: anyText,
  settle: anyFunction,
};

/** The journal and the id of a run. Throws if only one of them is given. */
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
