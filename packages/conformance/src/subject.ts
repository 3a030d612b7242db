import type { Adapter, Endpoint, readTurn } from "@fullstop/core";
import type { Runner } from "./loop/runner.ts";
import type { Wire } from "./wire.ts";

interface SubjectBase {
  /** What reports call it: the name of its wire unless given. */
  readonly name?: string | undefined;
  readonly wire: Wire;
  /** Ids of clauses that this subject does not claim to keep, with the reason. A clause listed and yet kept is broken. */
  readonly notClaimed?: Readonly<Record<string, string>>;
}

/** An adapter, and the wire that it must understand: judged by how it reads replies. */
export interface AdapterSubject extends SubjectBase {
  adapter(endpoint: Endpoint): Adapter;
  /** Another reader than the core's: something wrapped around `readTurn`, or a gate on trial. */
  readonly read?: typeof readTurn;
}

/** A tool that tells the suite what ran. */
export interface Canary {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  execute(input: unknown): string;
}
/** What a loop is given for one run. */
export interface LoopContext {
  /** Where its requests go. A loop that cannot use `fetch` is judged with a host behind a socket. */
  readonly endpoint: Endpoint;
  readonly tools: readonly Canary[];
  readonly prompt: string;
  /** Aborts when the run took too long. */
  readonly signal: AbortSignal;
}
/** A loop in this process: judged by what it runs, and by what it sends next. */
export interface LoopSubject extends SubjectBase {
  /** One run, from the prompt to its end. A rejection is an end too. */
  loop(given: LoopContext): Promise<unknown>;
  /** How long a run may take; 30,000 unless told. */
  readonly timeoutMs?: number | undefined;
}

/** Anything else that runs calls: an agent in a process of its own. */
export interface RunnerSubject extends SubjectBase {
  readonly runner: Runner;
}

/** What the suite judges. */
export type Subject = AdapterSubject | LoopSubject | RunnerSubject;
