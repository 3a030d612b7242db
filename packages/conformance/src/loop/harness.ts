import { describeCall } from "../harness/check.ts";
import { limitConcurrency } from "../harness/concurrency.ts";
import type { Answer, Exchange, Host, Received } from "../harness/host.ts";
import { tryParseJson } from "../harness/json.ts";
import type { ReplySource } from "../reference.ts";
import type { LoopSubject, ObservedRun, Runner, RunnerSubject } from "../subject.ts";
import type { Wire } from "../wire.ts";
import {
  createReplyIds,
  isRefusedForCall,
  joinConversations,
  type SeenRequest,
  withHistory,
} from "./conversation.ts";
import { createLoopRunner } from "./loop-runner.ts";
import { createModel, namesOfResults, watchForQuiet } from "./model.ts";
import {
  asksForStream,
  finalReply,
  renderAnswer,
  requestedCap,
  type Script,
  type ScriptContext,
  type ScriptNames,
} from "./script.ts";
import { completeReplies } from "./stop-scripts.ts";

export { maxRequests } from "./model.ts";

/**
 * How long a run must be silent after two retries before the suite ends it; longer if a whole run
 * of a complete call took longer. The silence ends the run and decides nothing else: what ran until
 * then is judged.
 */
const minQuietMs = 5000;

/** A run by a script. */
export interface ScriptedRun extends ObservedRun {
  /** All requests of the run, in order. */
  readonly exchanges: readonly Exchange[];
  /** The same requests with the histories that the provider keeps. */
  readonly joined: readonly SeenRequest[];
  /** How many of them a step of the script answered. The others were told that the model is done. */
  readonly playedSteps: number;
  /** What shows that the replies of the script are sent. */
  readonly source?: ReplySource;
  /** Why the suite ended the run before its time was over: `ended by the suite after 4 retries`. */
  readonly endedBySuite?: string;
}

/** A loop or an agent that is ready to be asked. */
export interface RunHarness extends ScriptContext {
  /** One run by a script. A script runs once, also if several clauses ask for it. */
  run(script: Script): Promise<ScriptedRun>;
  results: Runner["results"];
  readonly whyNotCounted?: Runner["whyNotCounted"];
  /** Only the check with this id is asked for. */
  readonly checkId?: string | undefined;
}

interface RunHarnessOptions {
  /** The server to which a loop sends its requests. By default a `fetch` of the suite. */
  readonly host?: Host | undefined;
  /** Runs at the same time; 1 by default. */
  readonly jobs?: number | undefined;
  readonly onRun?: RunObserver | undefined;
}

/** Looks at a run after it ended: what the model did, and what was seen. */
export type RunObserver = (script: ScriptNames, run: ScriptedRun) => void;

interface RunSettings {
  readonly runner: Runner;
  readonly wire: Wire;
  /** How long a run may be silent before it has been seen enough of. */
  readonly quietMs: number;
}

async function runScript(
  { runner, wire, quietMs }: RunSettings,
  script: Script,
): Promise<ScriptedRun> {
  const exchanges: Exchange[] = [];
  const failures: unknown[] = [];
  const giveOwnIds = createReplyIds(wire);
  const model = createModel(script, (request) => namesOfResults(runner, wire, request));
  const quiet = watchForQuiet(script, quietMs);
  const answer = async (request: Received, index: number): Promise<Answer> => {
    quiet.onRequest();
    const step = model.stepFor(request, index);
    const answered =
      (await step?.(request, index)) ?? renderAnswer(wire, request, finalReply(wire));
    const identified = giveOwnIds(answered);
    const sent = { ...identified, chunks: [...identified.chunks] };
    exchanges[index] = { request, answer: sent };
    if (step !== undefined) quiet.onAnswer(index);
    return sent;
  };
  const recordFailure = (thrown: unknown): never => {
    failures.push(thrown);
    throw thrown;
  };
  const run = await runner
    .run((request, index) => answer(request, index).catch(recordFailure), quiet.enough)
    .finally(quiet.stop);
  if (failures.length > 0) throw failures[0];
  const endedBySuite = quiet.enough.aborted
    ? `ended by the suite after ${exchanges.length - 1} retries, because no other came for ${Math.round(quietMs / 1000)} s`
    : undefined;
  const source = wire.sources?.[script.id];
  return {
    ...run,
    ...(source && { source }),
    exchanges,
    joined: joinConversations(wire, exchanges),
    playedSteps: model.playedSteps(),
    ...(endedBySuite !== undefined && { endedBySuite }),
  };
}

/** Why a subject cannot be judged if it does not run a complete call. */
function whyUnfit(
  { effects, requests, timeout, output }: ObservedRun,
  results: readonly string[],
): string {
  const problem = (): string => {
    if (requests.length === 0) return "it made no request.";
    if (effects.calls.length === 0)
      return "a complete call of a finished reply left no trace of a run.";
    return `the next request does not hold the result of a complete call (requests: ${requests.length}, results found: ${results.length}).`;
  };
  const ended = timeout === undefined ? "" : ` It ${timeout}.`;
  const lastOutput = output === undefined || output === "" ? "" : ` Its last output: ${output}`;
  return `It cannot be judged: ${problem()}${ended}${lastOutput}`;
}

/** @throws Error if the subject does not run a complete call: then nothing else means anything. */
export async function createRunHarness(
  subject: LoopSubject | RunnerSubject,
  { host, jobs = 1, onRun }: RunHarnessOptions,
): Promise<RunHarness> {
  const { wire } = subject;
  const runner = "runner" in subject ? subject.runner : createLoopRunner(subject, host);
  const enqueue = limitConcurrency(host === undefined ? jobs : 1);
  const runs = new Map<string, Promise<ScriptedRun>>();
  let quietMs = minQuietMs;
  const run = (script: Script): Promise<ScriptedRun> => {
    const earlier = runs.get(script.id);
    if (earlier !== undefined) return earlier;
    const running = enqueue(async () => {
      const finished = await runScript({ runner, wire, quietMs }, script);
      onRun?.({ id: script.id, name: script.name }, finished);
      return finished;
    });
    running.catch(() => undefined);
    runs.set(script.id, running);
    return running;
  };
  const { calls, longCall } = runner;
  const [first] = completeReplies({ wire, calls, streams: true, cap: undefined });
  const started = performance.now();
  const observed = await run(first as Script);
  quietMs = Math.max(minQuietMs, performance.now() - started);
  const [request] = observed.requests;
  const last = observed.joined.at(-1);
  const results = last === undefined ? [] : runner.results(withHistory(last));
  const ranFirstCall = observed.effects.calls.includes(describeCall(calls[0]));
  const needsResult = wire.agent?.actsOnText !== true && results.length === 0;
  const losesResults =
    needsResult && last !== undefined && isRefusedForCall(last, wire, [calls[0]]);
  if (request === undefined || !ranFirstCall || (needsResult && !losesResults))
    throw new Error(whyUnfit(observed, results));
  return {
    wire,
    calls,
    ...(longCall && { longCall }),
    streams: asksForStream(wire, request),
    cap: requestedCap(request),
    canPause: wire.pause?.canFollow(tryParseJson(request.body)) ?? false,
    forcesCall: wire.agent?.forcesCall?.(tryParseJson(request.body)) ?? false,
    losesResults,
    run,
    results: (received) => runner.results(received),
    whyNotCounted: runner.whyNotCounted,
  };
}
