import { type Outcome, run } from "@fullstop/loop";
import type { Answers, WorkOptions } from "./engines/engine.ts";

/**
 * Starts a run or continues it in its journal, until it ends or waits. A call that is in doubt waits
 * for a person too.
 */
export function runAgent(
  runId: string,
  answers: Answers,
  { journal, createAgent, signal, report }: WorkOptions,
): Promise<Outcome> {
  return run({
    ...createAgent(runId),
    journal: { store: journal, runId, settle: () => "later" },
    waiting: answers,
    signal,
    onEvent: (event) => report({ type: "event", runId, event }),
  }).outcome();
}
