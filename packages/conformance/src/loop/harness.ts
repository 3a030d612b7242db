import { describeCall } from "../harness/check.ts";
import {
  type Answer,
  type Exchange,
  type Host,
  inProcess,
  type Received,
} from "../harness/host.ts";
import { isObject, nestedValues, tryParseJson } from "../harness/json.ts";
import type { Canary, LoopSubject, ObservedRun, Runner, RunnerSubject } from "../subject.ts";
import type { ReplyCall, Wire } from "../wire.ts";
import {
  asksForStream,
  finalReply,
  renderAnswer,
  requestedCap,
  type Script,
  type ScriptContext,
  type ScriptNames,
} from "./script.ts";
import { scripts } from "./scripts.ts";

const canaryCall = (number: number): ReplyCall => ({
  name: "write",
  id: `call_canary_${number}`,
  input: {
    path: `canary-${number}.txt`,
    content: `canary-${number}-${"abcdefghij".repeat(3)}`,
  },
});
const canaryResult = (input: unknown): string =>
  `Wrote ${isObject(input) ? String(input["path"]) : "nothing"}.`;

const canaryTool = (execute: Canary["execute"]): Canary => ({
  name: "write",
  description: "Writes a text file.",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string" }, content: { type: "string" } },
    required: ["path", "content"],
    additionalProperties: false,
  },
  execute,
});

const describeThrown = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);

/**
 * Runs `work` until it ends or the time is over. Then the signal aborts, and `work` is not waited
 * for.
 */
async function withTimeLimit(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<Pick<ObservedRun, "timeout" | "output">> {
  const controller = new AbortController();
  const late = Promise.withResolvers<Pick<ObservedRun, "timeout">>();
  const timer = setTimeout(() => {
    late.resolve({ timeout: `did not end within ${timeoutMs} ms` });
    controller.abort(new Error("The run took too long."));
  }, timeoutMs);
  const run = async (): Promise<Pick<ObservedRun, "output">> => {
    try {
      await work(controller.signal);
      return {};
    } catch (thrown) {
      return { output: describeThrown(thrown) };
    }
  };
  const end = await Promise.race([run(), late.promise]);
  clearTimeout(timer);
  return end;
}

/** A loop in this process. By default its requests go to a `fetch` of the suite. */
function createLoopRunner({ loop, timeoutMs = 30_000 }: LoopSubject, givenHost?: Host): Runner {
  const calls = [canaryCall(1), canaryCall(2)] as const;
  return {
    calls,
    results: ({ body }) => {
      const values = [...nestedValues(tryParseJson(body))];
      return calls.flatMap((call) =>
        values.filter((value) => value === canaryResult(call.input)).map(() => describeCall(call)),
      );
    },
    run: async (answer) => {
      const host = givenHost ?? inProcess();
      const ran: string[] = [];
      const requests: ObservedRun["requests"][number][] = [];
      host.answer((request, index) => {
        requests.push(request);
        return answer(request, index);
      });
      const execute = (input: unknown): string => {
        ran.push(describeCall({ name: "write", input: input as object }));
        return canaryResult(input);
      };
      const end = await withTimeLimit(timeoutMs, (signal) =>
        loop({
          endpoint: host.endpoint,
          tools: [canaryTool(execute)],
          prompt: "Write the file.",
          signal,
        }),
      );
      return { ran, requests, ...end };
    },
  };
}

/** The most requests of one run. After these the suite says that the model is done. */
export const maxRequests = 40;

/** A run by a script. */
export interface ScriptedRun extends ObservedRun {
  /** All requests that the script answered, in order. */
  readonly exchanges: readonly Exchange[];
}

/** A loop or an agent that is ready to be asked. */
export interface RunHarness extends ScriptContext {
  /** One run by a script. A script runs once, also if several clauses ask for it. */
  run(script: Script): Promise<ScriptedRun>;
  results: Runner["results"];
  /** Only the check with this id is asked for. */
  readonly proof?: string | undefined;
}

interface RunHarnessOptions {
  /** The server to which a loop sends its requests. By default a `fetch` of the suite. */
  readonly host?: Host | undefined;
  /** Runs at the same time; 1 by default. */
  readonly jobs?: number | undefined;
  /** Called after each run. */
  readonly onRun?: RunObserver | undefined;
}

/** Looks at a run after it ended: what the model did, and what was seen. */
export type RunObserver = (script: ScriptNames, run: ScriptedRun) => void;

/** Runs at most `jobs` works at the same time. */
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

async function runScript(
  runner: Runner,
  wire: Wire,
  { steps, repeatLast }: Script,
): Promise<ScriptedRun> {
  const exchanges: Exchange[] = [];
  const answer = async (request: Received, index: number): Promise<Answer> => {
    const step = steps[index] ?? (repeatLast && index < maxRequests ? steps.at(-1) : undefined);
    const answered =
      (await step?.(request, index)) ?? renderAnswer(wire, request, finalReply(wire));
    const sent = { ...answered, chunks: [...answered.chunks] };
    exchanges[index] = { request, answer: sent };
    return sent;
  };
  const failures: unknown[] = [];
  const run = await runner.run((request, index) =>
    answer(request, index).catch((thrown: unknown) => {
      failures.push(thrown);
      throw thrown;
    }),
  );
  if (failures.length > 0) throw failures[0];
  return { ...run, exchanges };
}

/** Why a subject cannot be judged if it does not run a complete call. */
function whyUnfit(
  { ran, requests, timeout, output }: ObservedRun,
  results: readonly string[],
): string {
  const problem = (): string => {
    if (requests.length === 0) return "it made no request.";
    if (ran.length === 0) return "a complete call of a finished reply left no trace of a run.";
    return `the next request does not hold the result of a complete call (requests: ${requests.length}, results found: ${results.length}).`;
  };
  const ended = timeout === undefined ? "" : ` It ${timeout}.`;
  const lastOutput = output === undefined || output === "" ? "" : ` Its last output: ${output}`;
  return `It cannot be judged: ${problem()}${ended}${lastOutput}`;
}

/**
 * @throws Error if the subject does not run a complete call: then no other observation means
 * anything.
 */
export async function createRunHarness(
  subject: LoopSubject | RunnerSubject,
  { host, jobs = 1, onRun }: RunHarnessOptions,
): Promise<RunHarness> {
  const { wire } = subject;
  const runner = "runner" in subject ? subject.runner : createLoopRunner(subject, host);
  const enqueue = limitConcurrency(host === undefined ? jobs : 1);
  const runs = new Map<string, Promise<ScriptedRun>>();
  const run = (script: Script): Promise<ScriptedRun> => {
    const earlier = runs.get(script.id);
    if (earlier !== undefined) return earlier;
    const running = enqueue(async () => {
      const finished = await runScript(runner, wire, script);
      onRun?.({ id: script.id, name: script.name }, finished);
      return finished;
    });
    running.catch(() => undefined);
    runs.set(script.id, running);
    return running;
  };
  const { calls } = runner;
  const [first] = scripts.complete({ wire, calls, streams: true, cap: undefined });
  const observed = await run(first as Script);
  const [request] = observed.requests;
  const last = observed.requests.at(-1);
  const results = last === undefined ? [] : runner.results(last);
  const ranFirstCall = observed.ran.includes(describeCall(calls[0]));
  const needsResult = wire.agent?.actsOnText !== true;
  if (request === undefined || !ranFirstCall || (needsResult && results.length === 0))
    throw new Error(whyUnfit(observed, results));
  return {
    wire,
    calls,
    streams: asksForStream(wire, request),
    cap: requestedCap(request),
    canPause: wire.pause?.canFollow(tryParseJson(request.body)) ?? false,
    run,
    results: (received) => runner.results(received),
  };
}
