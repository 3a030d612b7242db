import type { Check } from "./harness/check.ts";
import type { Harness } from "./harness/harness.ts";
import type { RunHarness } from "./loop/harness.ts";
import type { AdapterSubject, LoopSubject, Subject } from "./subject.ts";

/** How a clause is asked of one kind of subject. */
export interface Question<Asked> {
  /** Why this subject cannot be asked: its wire, its adapter or its requests lack something. `undefined` if it can. */
  whyNotAsked?(harness: Asked): string | undefined;
  /** Tries everything that the clause is about. */
  check(harness: Asked): AsyncIterable<Check>;
}

/** A public source that shows what happens without a clause. */
export type Reference =
  | {
      /** `owner/repository#1`; without an owner it has no link. */
      readonly issue: string;
      /** What happened there. If it is absent, the note of the next reference belongs to this one too. */
      readonly note?: string;
    }
  | { readonly url: string; readonly note?: string };

/** What reports show of a clause. */
export interface ClauseText {
  /** Its family and its name: `stop.cut`. An id never changes its meaning. */
  readonly id: string;
  /** One sentence. */
  readonly rule: string;
  readonly level: "must" | "should";
  readonly references: readonly Reference[];
}

/** A subject that is broken in one way. The clause that has it must catch it. */
export interface Mutant<Broken extends Subject = AdapterSubject> {
  /** What it does wrong, as systems in the field do: a phrase without a subject. */
  readonly wrong: string;
  /** Breaks a sound subject. */
  subject(sound: AdapterSubject): Broken;
}

/** A rule, and how subjects are asked about it. */
export interface Clause extends ClauseText {
  /** How adapters are asked. Absent if the clause is about loops and agents only. */
  readonly adapter?: Question<Harness>;
  /** How loops and agents are asked. Absent if the clause is about adapters only. */
  readonly loop?: Question<RunHarness>;
  /** Broken adapters that it catches. If it is asked of loops, it also catches a loop around at least one of them. */
  readonly mutants?: readonly Mutant[];
  /** Broken loops that it catches. */
  readonly loopMutants?: readonly Mutant<LoopSubject>[];
}

/** Clauses by their ids. */
export type ClauseTable = Readonly<Record<string, Omit<Clause, "id">>>;

/** A clause that is asked of adapters. */
export type AdapterClause = ClauseText & { readonly adapter: Question<Harness> };

/** A clause that is asked of loops and agents. */
export type LoopClause = ClauseText & { readonly loop: Question<RunHarness> };
