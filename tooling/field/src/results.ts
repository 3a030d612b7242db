import { clauses } from "@fullstop/conformance";
import type { Field, MeasuredSystem } from "@tooling/docs/field";
import { systems } from "./systems.ts";

/** The previous results, with the new ones in their places. */
export function mergeResults(
  before: Field | undefined,
  anew: readonly MeasuredSystem[],
  suite: string,
): Field {
  const known = new Map(
    [...(before?.systems ?? []), ...anew].map((system) => [system.name, system]),
  );
  return {
    suite,
    clauses: clauses
      .filter(({ loop }) => loop !== undefined)
      .map(({ id, rule, level, references }) => ({ id, rule, level, references })),
    systems: systems.flatMap(({ name }) => known.get(name) ?? []),
  };
}

/** One line for each verdict that changed. */
export function differences(
  before: Field | undefined,
  anew: readonly MeasuredSystem[],
): readonly string[] {
  const known = new Map(
    (before?.systems ?? []).flatMap(({ subjects }) =>
      subjects.map((subject) => [subject.name, subject.findings]),
    ),
  );
  return anew.flatMap(({ subjects }) =>
    subjects.flatMap(({ name, findings }) =>
      Object.entries(findings).flatMap(([id, { status }]) => {
        const was = known.get(name)?.[id]?.status;
        return was === undefined || was === status
          ? []
          : [`${name}: ${id} was ${was} and is now ${status}`];
      }),
    ),
  );
}
