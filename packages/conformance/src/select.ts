import type { ClauseText } from "./clause.ts";

/** How many letters must change to turn one name into the other. */
function editDistance(first: string, second: string): number {
  let row = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...first].entries()) {
    const next = [index + 1];
    for (let column = 0; column < second.length; column++) {
      const inserted = (next[column] ?? 0) + 1;
      const deleted = (row[column + 1] ?? 0) + 1;
      const replaced = (row[column] ?? 0) + (letter === second[column] ? 0 : 1);
      next.push(Math.min(inserted, deleted, replaced));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The ids and the families that are most similar to a name. */
function suggestions(name: string, ids: readonly string[]): readonly string[] {
  const distanceTo = (id: string): number =>
    Math.min(...[id, id.slice(id.indexOf(".") + 1)].map((part) => editDistance(name, part)));
  const maxDistance = Math.max(1, Math.floor(name.length / 3));
  return [...new Set([...ids, ...ids.map(familyOf)])]
    .map((id) => ({ id, distance: distanceTo(id) }))
    .filter(({ distance }) => distance <= maxDistance)
    .toSorted((first, second) => first.distance - second.distance)
    .slice(0, 3)
    .map(({ id }) => id);
}

/** The family of a clause: `stop` of `stop.cut`. */
export const familyOf = (id: string): string => id.slice(0, id.indexOf("."));

/** The message for an unknown name of a clause. */
export function unknownClauseMessage(name: string, from: readonly ClauseText[]): string {
  const ids = from.map(({ id }) => id);
  const similar = suggestions(name, ids);
  const families = [...new Set(ids.map(familyOf))];
  const hint =
    similar.length > 0
      ? `Did you mean ${similar.join(" or ")}?`
      : `The families are ${families.join(", ")}.`;
  return `No clause is called "${name}". ${hint}`;
}

/**
 * The clauses that a name stands for: one (`stop.cut`), a family (`stop`), or all if there is no name.
 * @throws Error if it stands for none.
 */
export function selectClauses<Item extends ClauseText>(
  name: string | undefined,
  from: readonly Item[],
): readonly Item[] {
  if (name === undefined) return from;
  const selected = from.filter(({ id }) => id === name || familyOf(id) === name);
  if (selected.length === 0) throw new Error(unknownClauseMessage(name, from));
  return selected;
}
