// The workflow of an agent on Temporal. Temporal runs it in a sandbox and replays it, so it only starts
// the activity of ./activity.ts and waits for people. ./worker.ts serves it.
import {
  ActivityCancellationType,
  condition,
  defineQuery,
  defineSignal,
  proxyActivities,
  setHandler,
} from "@temporalio/workflow";
import type { Answers, Ended, RunAgent, Waits } from "./activity.ts";

const { runAgent } = proxyActivities<{ readonly runAgent: RunAgent<string> }>({
  startToCloseTimeout: "1 day",
  heartbeatTimeout: "10 seconds", // when a worker counts as dead
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: "2 seconds", maximumInterval: "1 minute" },
});

/** What the run asks. */
export interface Question {
  /** The answer has the same number. */
  readonly number: number;
  readonly calls: Waits["calls"];
}
/** The answers to all calls of the question with this number. The first answer counts. */
export interface Answer extends Answers {
  readonly number: number;
}
export const question = defineQuery<Question | null>("question");
export const answer = defineSignal<[Answer]>("answer");

/** Runs the agent of an order. The id of the workflow is the id of the run in the journal. */
export async function order(prompt: string): Promise<Ended> {
  let asked: Question | null = null;
  let answers: Answers | undefined;
  setHandler(question, () => asked);
  setHandler(answer, ({ number, ...given }) => {
    if (number !== asked?.number) return;
    answers = given;
    asked = null;
  });
  for (let number = 1; ; number++) {
    const result = await runAgent(prompt, answers);
    if (result.status !== "waiting") return result;
    asked = { number, calls: result.calls };
    await condition(() => asked === null);
  }
}
