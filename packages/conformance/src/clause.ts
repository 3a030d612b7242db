import type { Rig } from "./rig.ts";

/** One thing tried: kept when `actual` is `expected`. */
export interface Proof {
  /** What was tried, in words that lead back to it. */
  readonly at: string;
  readonly expected: string;
  readonly actual: string;
  /** The bytes that were sent, shortened; only where the proof failed. */
  readonly bytes?: string;
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

export interface Clause extends ClauseText {
  /** Why a subject cannot be asked this, read off its wire or adapter; absent where it can. */
  unless?(rig: Rig): string | undefined;
  prove(rig: Rig): AsyncIterable<Proof>;
}
