/**
 * JSON with sorted keys: equal values have equal texts. Throws for a value that JSON cannot hold.
 */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => withSortedKeys(member)) ?? "";

const withSortedKeys = (member: unknown): unknown =>
  typeof member !== "object" || member === null || Array.isArray(member)
    ? member
    : Object.fromEntries(
        Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)),
      );

/** The same, or `undefined` for a value that JSON cannot hold or that is nested too deeply. */
export function tryCanonicalJson(value: unknown): string | undefined {
  try {
    return canonicalJson(value);
  } catch {
    return undefined;
  }
}
