import { describeBytes } from "../harness/bytes.ts";
import type { Answer, Host, Received } from "../harness/host.ts";
import type { LoopSubject, RunnerSubject } from "../subject.ts";
import type { ReplyCall, Wire } from "../wire.ts";
import { createLoopRunner } from "./loop.ts";
import { describeCall, type ObservedRun, type Runner } from "./runner.ts";
import { renderAnswer, requestedCap, finalReply, asksForStream } from "./responses.ts";
import { type Script, scripts } from "./scripts.ts";

/** Requests in one run, before the suite says that the model is done. */
export const maxRequests = 40;

/** Something that runs calls, set up to be asked. */
export interface RunHarness {
  readonly wire: Wire;
  readonly calls: readonly [ReplyCall, ReplyCall];
  /** Whether its requests ask for a stream. */
  readonly streams: boolean;
  /** The output cap that its requests name. */
  readonly cap: number | undefined;
  /** One run by a script. Each script is run once, however many clauses ask for it. */
  run(script: Script): Promise<ScriptedRun>;
  results: Runner["results"];
}
export interface RunHarnessOptions {
  /** Where the requests of a loop go: a `fetch` of the suite's own unless told. */
  readonly host?: Host | undefined;
  /** Runs at the same time; one unless told. */
  readonly jobs?: number | undefined;
}

/** At most so many at the same time. */
function limitConcurrency(jobs: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = jobs;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}

/** A run by a script, and what the script said first. */
export interface ScriptedRun extends ObservedRun {
  readonly firstReply: string;
}

async function runScript(
  runner: Runner,
  wire: Wire,
  { steps, repeatLast: forever }: Script,
): Promise<ScriptedRun> {
  let said = "";
  const unsaid: unknown[] = [];
  const say = async (request: Received, n: number): Promise<Answer> => {
    const step = steps[n] ?? (forever && n < maxRequests ? steps.at(-1) : undefined);
    if (step === undefined) return renderAnswer(wire, request, finalReply(wire));
    const answer = await step(request, n);
    const chunks = [...answer.chunks];
    if (n === 0) said = chunks.map(describeBytes).join("");
    return { ...answer, chunks };
  };
  const ran = await runner.run((request, n) =>
    say(request, n).catch((thrown: unknown) => {
      unsaid.push(thrown);
      throw thrown;
    }),
  );
  if (unsaid.length > 0) throw unsaid[0];
  return { ...ran, firstReply: said };
}

/** Why nothing can be said of a subject that does not do the one thing that all others are told from. */
function whyUnfit(
  { ran, requests, timeout: timeout, output }: ObservedRun,
  results: readonly string[],
): string {
  const told = output === undefined || output === "" ? "" : ` It said last: ${output}`;
  const ended = timeout === undefined ? "" : ` It ${timeout}.`;
  if (requests.length === 0) return `It cannot be judged: it made no request.${ended}${told}`;
  if (ran.length === 0)
    return `It cannot be judged: a whole call of a finished reply left no trace of having run.${ended}${told}`;
  return `It cannot be judged: the result of a whole call is not in the next request, of ${requests.length}; found ${results.length} results.${ended}${told}`;
}

/** Throws where a whole call does not run: everything else that is seen would mean nothing. */
export async function createRunHarness(
  subject: LoopSubject | RunnerSubject,
  { host, jobs = 1 }: RunHarnessOptions,
): Promise<RunHarness> {
  const { wire } = subject;
  const runner = "runner" in subject ? subject.runner : createLoopRunner(subject, host);
  const enter = limitConcurrency(host === undefined ? jobs : 1);
  const runs = new Map<string, Promise<ScriptedRun>>();
  const run = (script: Script): Promise<ScriptedRun> => {
    const before = runs.get(script.name);
    if (before !== undefined) return before;
    const running = enter(() => runScript(runner, wire, script));
    running.catch(() => undefined);
    runs.set(script.name, running);
    return running;
  };
  const { calls } = runner;
  const [first] = scripts.whole({ wire, calls, streams: true, cap: undefined });
  const seen = await run(first as Script);
  const [request] = seen.requests;
  const last = seen.requests.at(-1);
  const results = last === undefined ? [] : runner.results(last);
  if (request === undefined || !seen.ran.includes(describeCall(calls[0])) || results.length === 0)
    throw new Error(whyUnfit(seen, results));
  return {
    wire,
    calls,
    streams: asksForStream(wire, request),
    cap: requestedCap(request),
    run,
    results: (one) => runner.results(one),
  };
}
