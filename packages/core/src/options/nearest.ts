/**
 * The name that was probably meant. Case, `_` and `-` do not count; at most two letters are
 * missing, added, changed or swapped, and one in a name of fewer than six letters.
 */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const given = lettersOf(name);
  for (const edits of [0, 1, 2]) {
    const found = names.find(
      (known) => (edits < 2 || known.length > 5) && isNear(given, lettersOf(known), edits),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A name without what differs between libraries: `max_tokens` and `maxTokens` are the same. */
export const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Whether at most so many letters are missing, added, changed or swapped with their neighbour. */
function isNear(one: string, other: string, edits: number): boolean {
  if (one === other) return true;
  let at = 0;
  while (one[at] === other[at]) at++;
  const isNearBehind = (ofOne: number, ofOther: number): boolean =>
    isNear(one.slice(at + ofOne), other.slice(at + ofOther), edits - 1);
  const isSwapped = one[at] === other[at + 1] && one[at + 1] === other[at];
  return (
    edits > 0 &&
    (isNearBehind(1, 0) ||
      isNearBehind(0, 1) ||
      isNearBehind(1, 1) ||
      (isSwapped && isNearBehind(2, 2)))
  );
}
