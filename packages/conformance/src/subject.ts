import type { Adapter, Endpoint, readObject, readTurn } from "@fullstop/core";
import type { Exchange, Received, RequestHandler } from "./harness/host.ts";
import type { ReplyCall, Wire } from "./wire.ts";

/** What the calls of a run did. */
export interface Effects {
  /** The calls that ran whole, as lines of `describeCall`, as often as each was seen to run. */
  readonly calls: readonly string[];
  /** Every other effect of a call, one line each: of a shorter input, for example. */
  readonly damaged: readonly string[];
}

/** What was observed of one run. */
export interface ObservedRun {
  readonly effects: Effects;
  /** The requests that the script answered. */
  readonly requests: readonly Received[];
  /** Why the run was stopped: `did not end within 30 s`. Absent if it ended by itself. */
  readonly timeout?: string;
  /** The end of what it printed, or what it threw. */
  readonly output?: string;
  /** It ended by itself with an exception, or with an exit code that is not 0. */
  readonly exception?: true;
  /** Every request in order, with its answer. Absent if the script answered each of them. */
  readonly traffic?: readonly Exchange[];
}

/** Something that runs calls and can be observed: a loop in this process, or another process. */
export interface Runner {
  /** Calls that it can be made to run. Their effects differ. */
  readonly calls: readonly [ReplyCall, ReplyCall, ReplyCall];
  /** One more, with an input of more than 4 kB. Absent if its tool takes no long text. */
  readonly longCall?: ReplyCall | undefined;
  /** Why a second run of a call may leave no trace. Absent if every run of a call is counted. */
  readonly whyNotCounted?: string | undefined;
  /**
   * One run, from its prompt to its end. When `enough` aborts, the run is ended, and what was
   * observed until then is the result. Rejects only if it was aborted in another way.
   */
  run(answer: RequestHandler, enough?: AbortSignal): Promise<ObservedRun>;
  /** The calls whose results a request holds, each as often, as lines of `describeCall`. */
  results(request: Received): readonly string[];
}

interface SubjectBase {
  /** Its name in reports; by default the name of its wire. */
  readonly name?: string | undefined;
  readonly wire: Wire;
  /** Why the subject does not keep a clause, by its id. If it keeps it, that clause is broken. */
  readonly notClaimed?: Readonly<Record<string, string>>;
}

/** Wraps a `fetch` in a guard: `(fetch) => guard(fetch, { closeMs: 0 })` of `@fullstop/guard`. */
export type GuardFetch = (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;

/** An adapter, and the wire that it must understand. It is judged by how it reads replies. */
export interface AdapterSubject extends SubjectBase {
  adapter(endpoint: Endpoint): Adapter;
  /**
   * The same adapter, which asks for replies in one piece: `stream: false`. Without it the other one
   * gets such replies, as from hosts that do not stream.
   */
  wholeAdapter?(endpoint: Endpoint): Adapter;
  /** Replaces the core's reader: a wrapper around `readTurn`, or another gate. */
  readonly read?: typeof readTurn;
  /**
   * Replaces the core's reader of objects. By default it is `readObject`, and with a `read` of its
   * own the subject is judged by `turn.output` and the calls of its turns.
   */
  readonly readObject?: typeof readObject;
  /**
   * The guard that stands between the adapter and the provider. The suite puts it there. The
   * adapter is then judged by what it reads behind the guard, and the clauses about guards are
   * asked, too.
   */
  readonly guard?: GuardFetch | undefined;
}

/** A tool that tells the suite which calls ran. */
export interface Canary {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  execute(input: unknown): string;
}

/** What a loop gets for one run. */
export interface LoopContext {
  /** The server for its requests. A loop that cannot use `fetch` needs a host with a socket. */
  readonly endpoint: Endpoint;
  readonly tools: readonly Canary[];
  readonly prompt: string;
  /** Aborts when the run takes too long. */
  readonly signal: AbortSignal;
}

/** A loop in this process, judged by the calls that it runs and the requests that it sends. */
export interface LoopSubject extends SubjectBase {
  /** One run, from the prompt to its end. It may end with a rejection. */
  loop(context: LoopContext): Promise<unknown>;
  /** The time limit of a run in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
}

/** Another kind of program that runs calls, such as an agent in its own process. */
export interface RunnerSubject extends SubjectBase {
  readonly runner: Runner;
}

/** What the suite can judge. */
export type Subject = AdapterSubject | LoopSubject | RunnerSubject;
