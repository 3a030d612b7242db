import type { RequestHandler, Received } from "../harness/host.ts";
import type { ReplyCall } from "../wire.ts";

/** What was seen of one run. */
export interface ObservedRun {
  /** What ran, a line each: `lineOf` a call that ran with its input, else what was seen instead. */
  readonly ran: readonly string[];
  /** The requests that were answered by the script. */
  readonly requests: readonly Received[];
  /** Why it was given up; absent where it came to its end. */
  readonly timeout?: string;
  /** The end of what it printed, or what it threw. */
  readonly output?: string;
}

/** Whatever runs calls, set up to be watched: a loop in this process, or a process of its own. */
export interface Runner {
  /** Calls that it can be made to run, with effects that can be told apart. */
  readonly calls: readonly [ReplyCall, ReplyCall];
  /** One run from its prompt to its end. Rejects only where it was aborted. */
  run(answer: RequestHandler): Promise<ObservedRun>;
  /** The calls whose results a request holds, `lineOf` each, as often as it holds them. */
  results(request: Received): readonly string[];
}

/** A call that ran, in one line. */
export const describeCall = ({ name, input }: Pick<ReplyCall, "name" | "input">): string =>
  `${name} ${JSON.stringify(input)}`;
