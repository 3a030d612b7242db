/** A value as JSON in which the order of keys says nothing. Throws for what JSON cannot hold. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => sorted(member)) ?? "";

const sorted = (member: unknown): unknown =>
  typeof member !== "object" || member === null || Array.isArray(member)
    ? member
    : Object.fromEntries(
        Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)),
      );

/** The same; nothing for what JSON cannot hold, or only in more levels than the stack has. */
export function textOf(input: unknown): string | undefined {
  try {
    return canonical(input);
  } catch {
    return undefined;
  }
}
