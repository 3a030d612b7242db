import type { Exchange, ObservedRun, RequestHandler } from "@fullstop/conformance";

/**
 * Looks at a run that comes before the first question: `detection`, without a call, or `evidence`,
 * with a complete one.
 */
export type PreparationObserver = (name: "detection" | "evidence", run: ObservedRun) => void;

/** Requests and their answers, in the order of the requests. */
export interface TrafficRecorder {
  /** The same handler. Its requests and answers are recorded. */
  record(handler: RequestHandler): RequestHandler;
  /** What was answered so far. */
  exchanges(): readonly Exchange[];
}

/** Records everything that a server is asked. */
export function createTrafficRecorder(): TrafficRecorder {
  const answered = new Map<number, Exchange>();
  return {
    record: (handler) => async (request, index) => {
      const given = await handler(request, index);
      const answer = { ...given, chunks: [...given.chunks] };
      answered.set(index, { request, answer });
      return answer;
    },
    exchanges: () =>
      [...answered].toSorted(([first], [second]) => first - second).map(([, exchange]) => exchange),
  };
}
