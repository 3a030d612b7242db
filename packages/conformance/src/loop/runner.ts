import type { Received, RequestHandler } from "../harness/host.ts";
import type { ReplyCall } from "../wire.ts";

/** What was observed of one run. */
export interface ObservedRun {
  /** One line for each call that ran (`describeCall`), and one for each other effect that was seen. */
  readonly ran: readonly string[];
  /** The requests that the script answered. */
  readonly requests: readonly Received[];
  /** Why the run was stopped, as a predicate: `did not end within 30 s`. Absent if the run ended by itself. */
  readonly timeout?: string;
  /** The end of what it printed, or what it threw. */
  readonly output?: string;
}

/** Something that runs calls and can be observed: a loop in this process, or another process. */
export interface Runner {
  /** Calls that it can be made to run. Their effects can be told apart. */
  readonly calls: readonly [ReplyCall, ReplyCall];
  /** One run, from its prompt to its end. Rejects only if it was aborted. */
  run(answer: RequestHandler): Promise<ObservedRun>;
  /** The calls whose results a request holds, as lines of `describeCall`. A call occurs as often as its result. */
  results(request: Received): readonly string[];
}
