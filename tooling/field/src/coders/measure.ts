import { wires } from "@fullstop/conformance/wires";
import type { CoderPair, CoderRun, MeasuredCoder, MeasuredWay } from "@tooling/docs/coders";
import type { Coder, CoderWay, Setting } from "./coder.ts";
import { installCoder } from "./install.ts";
import { type ObservedCoder, type RunOptions, runCoder } from "./run.ts";
import type { Scenario } from "./scenarios.ts";

/** Without the guard, or behind it. */
export type Side = keyof CoderPair;

/** How agents are measured. */
export interface MeasureCoderOptions {
  readonly sides: readonly Side[];
  readonly scenarios: readonly Scenario[];
  /** Starts the gateway. */
  readonly between: NonNullable<RunOptions["between"]>;
  readonly timeoutMs: number;
  /** Runs at the same time. */
  readonly jobs: number;
  /** Finds the programs of an agent; by default it is installed. */
  install?(origin: Coder["origin"]): Promise<Setting["program"]>;
  /** Called after each run, with its name. */
  onRun?(name: string, run: CoderRun): void;
}

interface PlannedRun {
  readonly way: string;
  readonly scenario: Scenario;
  readonly side: Side;
}
type DoneRun = PlannedRun & ObservedCoder;

const planRuns = (
  ways: Coder["ways"],
  { sides, scenarios }: Pick<MeasureCoderOptions, "sides" | "scenarios">,
): readonly PlannedRun[] =>
  Object.entries(ways).flatMap(([way, about]) =>
    scenarios
      .filter(({ fits }) => fits?.(about) ?? true)
      .flatMap((scenario) => sides.map((side) => ({ way, scenario, side }))),
  );

/**
 * Runs `work` on each item, at most `jobs` at the same time. The results keep the order. After a
 * failure no other item begins; rejects when those that run have ended.
 */
async function mapWithLimit<Item, Result>(
  items: readonly Item[],
  jobs: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (failures.length > 0) return;
      await work(item).then(
        (result) => {
          results[index] = result;
        },
        (thrown: unknown) => failures.push(thrown),
      );
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}

const pairOf = (runs: readonly DoneRun[]): CoderPair =>
  Object.fromEntries(runs.map(({ side, run }) => [side, run]));

const toMeasuredWay = (name: string, way: CoderWay, done: readonly DoneRun[]): MeasuredWay => ({
  name,
  wire: wires[way.wire].name,
  namesCap: done.some(({ namesCap }) => namesCap),
  ...(way.action.form === "text" && { actsOnText: true as const }),
  runs: Object.fromEntries(
    [...Map.groupBy(done, ({ scenario }) => scenario.name)].map(([scenario, runs]) => [
      scenario,
      pairOf(runs),
    ]),
  ),
});

const about = ({ name, title, origin, note }: Coder): Omit<MeasuredCoder, "ways"> => ({
  name,
  title,
  package: "npm" in origin ? origin.npm : origin.pypi,
  version: origin.version,
  ...(note !== undefined && { note }),
});

/**
 * Measures an agent with each protocol in each scenario. If it cannot be installed or started, the
 * result says why.
 */
export async function measureCoder(
  coder: Coder,
  options: MeasureCoderOptions,
): Promise<MeasuredCoder> {
  const { between, timeoutMs, jobs, install = installCoder, onRun } = options;
  try {
    const program = await install(coder.origin);
    const done = await mapWithLimit(planRuns(coder.ways, options), jobs, async (planned) => {
      const { way, scenario, side } = planned;
      const through = side === "after" ? between : undefined;
      const observed = await runUntilAsked(coder.ways[way] as CoderWay, scenario, {
        program,
        timeoutMs,
        between: through,
      });
      onRun?.(`${coder.title}, ${way}, ${scenario.name} ${side}`, observed.run);
      return { ...planned, ...observed };
    });
    const ways = Object.entries(coder.ways).map(([name, way]) =>
      toMeasuredWay(
        name,
        way,
        done.filter((run) => run.way === name),
      ),
    );
    return { ...about(coder), ways };
  } catch (thrown) {
    return { ...about(coder), notRun: firstSentence(thrown), ways: [] };
  }
}

/** How often an agent is started that makes no request: on a busy machine its start takes long. */
const maxStarts = 3;

/** Runs an agent until it made a request: without one, its run shows nothing. */
async function runUntilAsked(
  ...[way, scenario, options]: Parameters<typeof runCoder>
): Promise<ObservedCoder> {
  for (let start = 1; ; start++) {
    const observed = await runCoder(way, scenario, options);
    if (observed.run.requests > 0) return observed;
    if (start === maxStarts)
      throw new Error(`It made no request. It printed: ${observed.run.last}`);
  }
}

const firstSentence = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown)).split("\n")[0] ?? "";
