import { isDeepStrictEqual } from "node:util";
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
    systems: systems.flatMap(({ name }) => known.get(name) ?? []),
  };
}

/**
 * The previous results of a system, with those of one clause. A configuration that could not be
 * asked stays as it was.
 * @throws Error if no earlier results exist, or if they belong to other package versions.
 */
export function addClause(
  before: MeasuredSystem | undefined,
  anew: MeasuredSystem,
  clause: string,
): MeasuredSystem {
  if (before === undefined)
    throw new Error(`${anew.name} has no results yet: measure it without --clause.`);
  const subjects = before.subjects.map((subject) => {
    const other = anew.subjects.find(({ name }) => name === subject.name);
    const found = other?.findings[clause];
    if (found === undefined || found.status === "not-run") return subject;
    if (!isDeepStrictEqual(other?.versions, subject.versions))
      throw new Error(
        `${subject.name} was measured with other packages: measure it without --clause.`,
      );
    return { ...subject, findings: { ...subject.findings, [clause]: found } };
  });
  return { ...before, subjects };
}

/** The failed checks of a system: `AI SDK, Chat: stop.words/length`. */
const failuresOf = ({ subjects }: MeasuredSystem): ReadonlySet<string> =>
  new Set(
    subjects.flatMap(({ name, findings }) =>
      Object.entries(findings).flatMap(([clause, { status, broken }]) =>
        status === "not-run"
          ? [`${name}: ${clause} was not run`]
          : broken.map(({ id, at }) => `${name}: ${clause}/${id ?? at} failed`),
      ),
    ),
  );

/** The results, each with what a second measurement found. Systems without a first one are left out. */
export function compareAgain(before: Field, second: readonly MeasuredSystem[]): Field {
  const again = new Map(second.map((system) => [system.name, system]));
  const systemsNow = before.systems.map((system) => {
    const other = again.get(system.name);
    if (other === undefined) return system;
    const [first, later] = [failuresOf(system), failuresOf(other)];
    const differences = [
      ...[...first]
        .filter((failure) => !later.has(failure))
        .map((failure) => `${failure} only in the first measurement`),
      ...[...later]
        .filter((failure) => !first.has(failure))
        .map((failure) => `${failure} only in the second measurement`),
    ];
    return { ...system, again: { at: other.at, differences } };
  });
  return { ...before, systems: systemsNow };
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
