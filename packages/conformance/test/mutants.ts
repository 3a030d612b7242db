import type { Mutant } from "../src/clause.ts";
import { clauses, type FramingName, type LoopSubject, type Subject } from "../src/index.ts";

/** A mutant, and the id of the clause that must catch it. */
export type Caught<One> = One & { readonly caughtBy: string };
export type CaughtMutant<Broken extends Subject> = Caught<Mutant<Broken>>;

interface Catching<One> {
  readonly id: string;
  readonly mutants?: readonly One[];
}

export const mutantsOf = <One>(from: readonly Catching<One>[]): readonly Caught<One>[] =>
  from.flatMap(({ id, mutants: own = [] }) => own.map((one) => ({ ...one, caughtBy: id })));

/** The ids of the clauses that have none. */
export const clausesWithoutMutant = (from: readonly Catching<unknown>[]): readonly string[] =>
  from.flatMap(({ id, mutants: own = [] }) => (own.length === 0 ? [id] : []));

/** The broken adapters of all clauses, for wires with this framing. */
export const mutantsFor = (name: FramingName): readonly Caught<Mutant>[] =>
  mutantsOf(clauses).filter(({ framing = name }) => framing === name);

/** The same, for server-sent events. */
export const adapterMutants: ReturnType<typeof mutantsFor> = mutantsFor("sse");

/** The broken loops of all clauses. */
export const loopMutants: readonly CaughtMutant<LoopSubject>[] = mutantsOf(
  clauses.map(({ id, loopMutants: own = [] }) => ({ id, mutants: own })),
);

export const mutants: readonly CaughtMutant<Subject>[] = [...adapterMutants, ...loopMutants];
