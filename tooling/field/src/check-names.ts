/** Returns the chosen names. Throws for a name that is not known; `kind` is what it names. */
export function checkNames(
  kind: string,
  chosen: readonly string[],
  known: readonly string[],
): readonly string[] {
  const unknown = chosen.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`Unknown ${kind}: ${unknown.join(", ")}. Known are ${known.join(", ")}.`);
  return chosen;
}
