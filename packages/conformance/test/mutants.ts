import type { Mutant } from "../src/clause.ts";
import { clauses, type FramingName, type LoopSubject, type Subject } from "../src/index.ts";

/** A mutant, and the id of the clause that must catch it. */
export interface CaughtMutant<Broken extends Subject> extends Mutant<Broken> {
  readonly caughtBy: string;
}

/** The broken adapters of all clauses, for wires with this framing. */
export const mutantsFor = (
  name: FramingName,
): readonly CaughtMutant<ReturnType<Mutant["subject"]>>[] =>
  clauses.flatMap(({ id, mutants = [] }) =>
    mutants.flatMap((mutant) =>
      (mutant.framing ?? name) === name ? [{ ...mutant, caughtBy: id }] : [],
    ),
  );

/** The same, for server-sent events. */
export const adapterMutants: ReturnType<typeof mutantsFor> = mutantsFor("sse");

/** The broken loops of all clauses. */
export const loopMutants: readonly CaughtMutant<LoopSubject>[] = clauses.flatMap(
  ({ id, loopMutants = [] }) => loopMutants.map((mutant) => ({ ...mutant, caughtBy: id })),
);

export const mutants: readonly CaughtMutant<Subject>[] = [...adapterMutants, ...loopMutants];
