import type { ClauseText } from "./clause.ts";

/** How many letters must change for one word to become the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (const [n, letter] of [...one].entries()) {
    const next = [n + 1];
    for (let m = 0; m < other.length; m++)
      next.push(
        Math.min(
          (next[m] ?? 0) + 1,
          (row[m + 1] ?? 0) + 1,
          (row[m] ?? 0) + (letter === other[m] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The ids, and the families, that somebody who wrote `name` may have meant. */
export function suggestions(name: string, ids: readonly string[]): readonly string[] {
  const far = (id: string): number =>
    Math.min(...[id, id.slice(id.indexOf(".") + 1)].map((part) => distance(name, part)));
  const names = new Set([...ids, ...ids.map(familyOf)]);
  const found = [...names]
    .map((id) => ({ id, far: far(id) }))
    .filter((one) => one.far <= Math.max(1, Math.floor(name.length / 3)));
  return found
    .toSorted((one, other) => one.far - other.far)
    .slice(0, 3)
    .map(({ id }) => id);
}

/** `stop` of `stop.cut`. */
export const familyOf = (id: string): string => id.slice(0, id.indexOf("."));

/** Why a name that is no clause's cannot be taken, and what may have been meant. */
export function unknownClauseMessage(name: string, from: readonly ClauseText[]): string {
  const ids = from.map(({ id }) => id);
  const near = suggestions(name, ids);
  const families = [...new Set(ids.map(familyOf))];
  return `No clause is called "${name}". ${near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `The families are ${families.join(", ")}.`}`;
}

/** The clauses that a name stands for: one (`stop.cut`) or a family (`stop`). Throws where it stands for none. */
export function selectClauses<Of extends ClauseText>(
  only: string | undefined,
  from: readonly Of[],
): readonly Of[] {
  if (only === undefined) return from;
  const named = from.filter(({ id }) => id === only || familyOf(id) === only);
  if (named.length === 0) throw new Error(unknownClauseMessage(only, from));
  return named;
}
