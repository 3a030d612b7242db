import type { Counts } from "./judge.ts";
import type { RowName } from "./spec.ts";

export interface LoadResult {
  readonly row: RowName;
  readonly runs: number;
  /** Model replies and calls of all runs. */
  readonly steps: number;
  readonly kills: number;
  readonly counts: Counts;
  readonly seconds: number;
  /** CPU time of all workers, with their starts. */
  readonly cpuSeconds: number;
  readonly cores: number;
  readonly version: string;
  readonly seed: number;
  readonly date: string;
}
