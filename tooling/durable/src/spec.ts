/** The ways to keep a run that the table compares. */
export const rowNames = ["file", "sqlite", "postgres", "restate", "dbos"] as const;
export type RowName = (typeof rowNames)[number];

/** Journals with one fault each, which the counts must show. */
export const faultNames = [
  "forgets-begin",
  "has-no-lease",
  "ends-too-early",
  "by-ordinal",
  "waits-for-lock",
  "waits-for-space",
  "outlives-deletion",
] as const;
export type FaultName = (typeof faultNames)[number];

/** Where a worker finds its journal. */
export interface Place {
  readonly row: RowName | FaultName;
  readonly folder: string;
  /** The address of the database or the engine. */
  readonly url: string;
  readonly leaseMs: number;
  /** The address for the operator of the engine. */
  readonly adminUrl?: string | undefined;
  /** The name of the run in its engine. */
  readonly service?: string | undefined;
}

/** What a worker does to itself at one of its points. */
export interface Disturbance {
  readonly what: "die" | "pause" | "cut" | "lose-answer" | "block" | "delete";
  /** The number of the point: there is one before and one after each operation of the journal. */
  readonly point: number;
}

/** What a worker process does. */
export interface WorkerSpec {
  readonly place: Place;
  readonly worker: string;
  readonly run: string;
  /** The folder of the logs. */
  readonly log: string;
  readonly witness: string;
  /** Milliseconds of the slow effect. */
  readonly slowMs: number;
  /** The tools before and after a deployment. */
  readonly release: 1 | 2;
  /** Whether somebody who knows the witness settles the calls that are in doubt. */
  readonly settles: boolean;
  readonly disturbance?: Disturbance | undefined;
}

/** What a worker process does that takes runs from a folder: each file has the name of a run. */
export interface QueueSpec extends Omit<WorkerSpec, "run"> {
  readonly queue: string;
}
