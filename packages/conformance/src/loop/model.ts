import type { Received, RequestHandler } from "../harness/host.ts";
import { tryParseJson } from "../harness/json.ts";
import type { Runner } from "../subject.ts";
import type { Wire } from "../wire.ts";
import type { Script } from "./script.ts";

/** The most requests of one run. After these the suite says that the model is done. */
export const maxRequests = 40;
/** How many requests get a reply of which nothing may run. */
const maxHazards = 10;

/** One name for each result that a request holds: its call, or the call's id. */
export const namesOfResults = (
  runner: Runner,
  { agent }: Wire,
  request: Received,
): readonly string[] =>
  agent?.results(tryParseJson(request.body)).map(({ call }) => call) ?? runner.results(request);

const countEach = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));

/** Whether a request brings a new result. What the first one holds is older than the run. */
function watchForResults(list: (request: Received) => readonly string[]): typeof isNew {
  let known: Map<string, number> | undefined;
  function isNew(request: Received): boolean {
    const counts = countEach(list(request));
    const before = known;
    const hasMore = [...counts].some(([name, count]) => count > (before?.get(name) ?? 0));
    known = new Map(before);
    for (const [name, count] of counts) known.set(name, Math.max(count, known.get(name) ?? 0));
    return before !== undefined && hasMore;
  }
  return isNew;
}

interface Model {
  /** The step that answers a request. `undefined` if the model says that it is done. */
  stepFor(request: Received, index: number): RequestHandler | undefined;
  /** How many requests a step answered. */
  playedSteps(): number;
}

/** A model that follows the script. `list` names the results that a request holds. */
export function createModel(
  { steps, repeatLast, untilResult }: Script,
  list: (request: Received) => readonly string[],
): Model {
  const bringsResult = watchForResults(list);
  const limit = untilResult ? maxHazards : maxRequests;
  let isDone = false;
  let played = 0;
  return {
    stepFor: (request, index) => {
      if (untilResult && bringsResult(request)) isDone = true;
      const step = steps[index] ?? (repeatLast && index < limit ? steps.at(-1) : undefined);
      if (isDone || step === undefined) return undefined;
      played++;
      return step;
    },
    playedSteps: () => played,
  };
}

/** So many retries must have come before a silent run has been seen enough of. */
const minRetries = 2;

/** Waits for a silence after retries. */
interface QuietWatch {
  readonly enough: AbortSignal;
  onRequest(): void;
  onAnswer(index: number): void;
  stop(): void;
}

/**
 * Notices when a run has been seen enough of: two retries got the reply of which nothing may run,
 * and then no request came for `quietMs`. Many agents wait longer and longer before they retry.
 */
export function watchForQuiet({ repeatLast, untilResult }: Script, quietMs: number): QuietWatch {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWatching = repeatLast === true && untilResult === true;
  return {
    enough: controller.signal,
    onRequest: () => clearTimeout(timer),
    onAnswer: (index) => {
      if (!isWatching || index < minRetries) return;
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), quietMs);
    },
    stop: () => {
      isWatching = false;
      clearTimeout(timer);
    },
  };
}
