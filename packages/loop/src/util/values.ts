export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

export function messageOf(thrown: unknown): string {
  try {
    if (isError(thrown)) return String(thrown.message || thrown.name);
    return typeof thrown === "string" ? thrown : (JSON.stringify(thrown) ?? typeof thrown);
  } catch {
    return "a value that is not an error was thrown";
  }
}

/** Accepts errors of other realms too, such as those of a worker or a test runner. */
const isError = (thrown: unknown): thrown is Error =>
  thrown instanceof Error || Object.prototype.toString.call(thrown) === "[object Error]";
/** With sorted keys: equal values have equal texts. Throws for a value that JSON cannot hold. */
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

type Defined<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };
/** The members that have a value. */
export const withoutUndefined = <T extends object>(members: T): Defined<T> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
