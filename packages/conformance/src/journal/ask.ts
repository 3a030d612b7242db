import type { JournalStep, RunLease } from "@fullstop/loop/journal";
import type { ClauseAbout, Mutant, Question, TableOf } from "../clause.ts";
import type { Check } from "../harness/check.ts";
import type { JournalHarness, JournalTiming, OpenStore } from "./harness.ts";
import { expectedReading, readingOf } from "./outcomes.ts";
import type { JournalSubject } from "./subject.ts";

/** A clause about journals. */
export type JournalClause = ClauseAbout<JournalHarness, JournalSubject>;
/** A broken journal. */
export type JournalMutant = Mutant<JournalSubject, JournalSubject>;
export type JournalClauseTable = TableOf<JournalClause>;

/** A check whose failure may only show that the machine was too busy for the lease. */
export interface TimedCheck extends Check {
  readonly mayBeLate?: true;
}

type JournalQuestion = Question<JournalHarness>;

/** A question that needs one store, and no lease that ends. */
export const askStore = (
  work: (store: OpenStore, timing: JournalTiming) => Promise<readonly Check[]>,
): JournalQuestion => ({
  async *check({ withStore, timing }) {
    yield* await withStore((store) => work(store, timing));
  },
});

const isFailed = ({ expected, actual, notJudged }: Check): boolean =>
  notJudged === undefined && expected !== actual;

type TimedWork = (store: OpenStore, timing: JournalTiming) => Promise<readonly TimedCheck[]>;

/** Whether a busy machine may be why checks failed. */
async function isUnsure(attempt: Promise<readonly TimedCheck[]>): Promise<boolean> {
  try {
    const failures = (await attempt).filter(isFailed);
    return failures.length > 0 && failures.every(({ mayBeLate }) => mayBeLate);
  } catch {
    return true;
  }
}

/**
 * A question about a lease that ends or is renewed. It is asked again with a longer lease if a busy
 * machine may be why a check failed.
 */
export const askTimed = (work: TimedWork): JournalQuestion => ({
  async *check({ withStore, timing }) {
    const [shortest = 0, ...longer] = timing.leasesMs;
    const ask = (leaseMs: number): Promise<readonly TimedCheck[]> =>
      withStore((store) => work(store, timing), leaseMs);
    let attempt = ask(shortest);
    for (const leaseMs of longer) if (await isUnsure(attempt)) attempt = ask(leaseMs);
    for (const { mayBeLate: _, ...check } of await attempt) yield check;
  },
});

/** A step with effects. */
export const toolStep = (key: string): JournalStep => ({ key, kind: "tool" });

/** A reply of the model: its beginning is not recorded. */
export const modelStep = (key: string): JournalStep => ({ key, kind: "model" });

/** One thing that was tried. Its id stays the same between runs. */
export const compare = (id: string, at: string, expected: string, actual: string): Check => ({
  id,
  at,
  expected,
  actual,
});

/** A check from which nothing follows about the journal. */
export const unjudged = (id: string, at: string, why: string): Check => ({
  ...compare(id, at, "", ""),
  notJudged: why,
});

export const run = "order-7";

export const firstCall: string = `${run}/1/1`;

/** The result of most calls. */
export const result = '{"charged":true}';

/** A key, and what must be read for it: the text of a step that ended, `unrecorded` or `begun`. */
type Recorded = readonly [key: string, recorded: string];

export const checkReading = async (
  lease: RunLease,
  id: string,
  at: string,
  [key, recorded]: Recorded,
): Promise<Check> =>
  compare(id, at, expectedReading(recorded), await readingOf(lease.read(key), recorded));

/** The same through a connection of its own, after the others gave the run back. */
export async function checkLater(
  store: OpenStore,
  id: string,
  at: string,
  recorded: Recorded,
): Promise<Check> {
  const lease = await store.open(run);
  const check = await checkReading(lease, id, at, recorded);
  await lease.close();
  return check;
}

/** The check of a reading. If the write before it did not resolve, that is the actual result. */
export const unlessRefused = (written: string, check: Check): Check =>
  written === "resolves" ? check : { ...check, actual: written };
