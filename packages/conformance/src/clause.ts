import type { Harness } from "./harness/harness.ts";
import type { RunHarness } from "./loop/harness.ts";

/** One thing tried: kept when `actual` is `expected`. */
export interface Check {
  /** What was tried, in words that lead back to it. */
  readonly at: string;
  readonly expected: string;
  readonly actual: string;
  /** The bytes that were sent, shortened; only where the check failed. */
  readonly bytes?: string;
  /** The end of what the subject printed, or what it threw; only where the check failed. */
  readonly output?: string;
}

/** What a clause says of itself. */
export interface ClauseText {
  /** Its path: `clauses/stop/cut.ts` is `stop.cut`. */
  readonly id: string;
  /** One sentence. */
  readonly rule: string;
  readonly level: "must" | "should";
  /** The public issue or source that shows what happens otherwise. */
  readonly because: string;
}

/** How a clause asks one kind of subject. */
export interface Question<Asked> {
  /** Why a subject cannot be asked this, read off its wire, its adapter or its requests; absent where it can. */
  whyNotAsked?(harness: Asked): string | undefined;
  check(harness: Asked): AsyncIterable<Check>;
}

/** A rule, and how it is asked: of adapters, unless `Asked` is a `RunHarness`. */
export interface Clause<Asked = Harness> extends ClauseText, Question<Asked> {
  /** How the same rule is asked of loops and agents. */
  readonly run?: Question<RunHarness>;
}

/** How many failed checks of a clause are kept, unless all are asked for. */
export const maxKeptChecks = 20;
