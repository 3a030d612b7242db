import { availableParallelism } from "node:os";
import { addCounts, type Counts, isSound, noCounts } from "./judge.ts";
import type { ScenarioName } from "./scenarios/index.ts";
import type { ScenarioResult } from "./scenarios/scenario.ts";
import type { RowName } from "./spec.ts";

/** A row of the table, as `tooling/durable/results.json` keeps it. */
export type RowResult = {
  readonly row: RowName;
  readonly seed: number;
  readonly date: string;
} & (MeasuredRow | { readonly skipped: string });

export interface MeasuredRow {
  /** Of the server, or of Node. */
  readonly version: string;
  readonly cores: number;
  readonly seconds: number;
  /** Null: the row has nothing that could be disturbed so. */
  readonly scenarios: Partial<Readonly<Record<ScenarioName, ScenarioSummary | null>>>;
}
export type ScenarioSummary = Omit<ScenarioResult, "faulty" | "crashes">;

export const cores = (): number => availableParallelism();

/** The sums over all scenarios of a row. */
export function sumRow({ scenarios }: MeasuredRow): Counts {
  return Object.values(scenarios)
    .flatMap((result) => (result === null ? [] : [result.counts]))
    .reduce(addCounts, noCounts);
}

export const isSoundRow = (row: RowResult): boolean => "skipped" in row || isSound(sumRow(row));
