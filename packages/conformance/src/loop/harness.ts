import { shortened } from "../harness/bytes.ts";
import type { Answer, Host, Received } from "../harness/host.ts";
import type { LoopSubject, RunnerSubject } from "../subject.ts";
import type { ReplyCall, Wire } from "../wire.ts";
import { loopRunner } from "./loop.ts";
import { lineOf, type Ran, type Runner } from "./runner.ts";
import { answerTo, capOf, done, streams } from "./responses.ts";
import { type Script, scripts } from "./scripts.ts";

/** Requests in one run, before the suite says that the model is done. */
export const patience = 40;

/** Something that runs calls, set up to be asked. */
export interface RunHarness {
  readonly wire: Wire;
  readonly calls: readonly [ReplyCall, ReplyCall];
  /** Whether its requests ask for a stream. */
  readonly streams: boolean;
  /** The output cap that its requests name. */
  readonly cap: number | undefined;
  /** One run by a script. Each script is run once, however many clauses ask for it. */
  run(script: Script): Promise<Told>;
  results: Runner["results"];
}
export interface RunOptions {
  /** Where the requests of a loop go: a `fetch` of the suite's own unless told. */
  readonly host?: Host | undefined;
  /** Runs at the same time; one unless told. */
  readonly jobs?: number | undefined;
}

/** At most so many at the same time. */
function queue(jobs: number): <T>(work: () => Promise<T>) => Promise<T> {
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
export interface Told extends Ran {
  readonly said: string;
}

async function play(runner: Runner, wire: Wire, { steps, forever }: Script): Promise<Told> {
  let said = "";
  const unsaid: unknown[] = [];
  const say = async (request: Received, n: number): Promise<Answer> => {
    const step = steps[n] ?? (forever && n < patience ? steps.at(-1) : undefined);
    if (step === undefined) return answerTo(wire, request, done(wire));
    const answer = await step(request, n);
    const chunks = [...answer.chunks];
    if (n === 0) said = chunks.map(shortened).join("");
    return { ...answer, chunks };
  };
  const ran = await runner.run((request, n) =>
    say(request, n).catch((thrown: unknown) => {
      unsaid.push(thrown);
      throw thrown;
    }),
  );
  if (unsaid.length > 0) throw unsaid[0];
  return { ...ran, said };
}

/** Why nothing can be said of a subject that does not do the one thing that all others are told from. */
function unfit({ ran, requests, unended, output }: Ran, results: readonly string[]): string {
  const told = output === undefined || output === "" ? "" : ` It said last: ${output}`;
  const ended = unended === undefined ? "" : ` It ${unended}.`;
  if (requests.length === 0) return `It cannot be judged: it made no request.${ended}${told}`;
  if (ran.length === 0)
    return `It cannot be judged: a whole call of a finished reply left no trace of having run.${ended}${told}`;
  return `It cannot be judged: the result of a whole call is not in the next request, of ${requests.length}; found ${results.length} results.${ended}${told}`;
}

/** Throws where a whole call does not run: everything else that is seen would mean nothing. */
export async function setUpRun(
  subject: LoopSubject | RunnerSubject,
  { host, jobs = 1 }: RunOptions,
): Promise<RunHarness> {
  const { wire } = subject;
  const runner = "runner" in subject ? subject.runner : loopRunner(subject, host);
  const enter = queue(host === undefined ? jobs : 1);
  const runs = new Map<string, Promise<Told>>();
  const run = (script: Script): Promise<Told> => {
    const before = runs.get(script.name);
    if (before !== undefined) return before;
    const running = enter(() => play(runner, wire, script));
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
  if (request === undefined || !seen.ran.includes(lineOf(calls[0])) || results.length === 0)
    throw new Error(unfit(seen, results));
  return {
    wire,
    calls,
    streams: streams(wire, request),
    cap: capOf(request),
    run,
    results: (one) => runner.results(one),
  };
}
