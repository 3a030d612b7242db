import { parsePlainJson } from "@fullstop/core/adapter";
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

/**
 * The JSON of what a tool gave; undefined for a function, for example.
 * @throws TypeError for a value that JSON cannot hold, also if JSON would only leave its data out.
 */
export function jsonOfData(value: unknown): string | undefined {
  if (ArrayBuffer.isView(value)) throw new TypeError("bytes are not JSON");
  const json: string | undefined = JSON.stringify(value);
  if (json?.includes("{}")) JSON.stringify(value, (_, member: unknown) => assertHeld(member));
  return json;
}

/** The data of a `Map`, a `Response` or a promise is not in members, so JSON makes `{}` of it. */
function assertHeld(member: unknown): unknown {
  if (!isObject(member) || Array.isArray(member) || Object.keys(member).length > 0) return member;
  const prototype: unknown = Object.getPrototypeOf(member);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (isPlain) return member;
  const what = isError(member) ? `an error: ${messageOf(member)}` : member.constructor?.name;
  throw new TypeError(`JSON cannot hold ${what}`);
}

/** With sorted keys: equal values have equal texts. Throws for a value that JSON cannot hold. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => withSortedKeys(bigintAsText(member))) ?? "";

const withSortedKeys = (member: unknown): unknown =>
  typeof member !== "object" || member === null || Array.isArray(member)
    ? member
    : Object.fromEntries(
        Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)),
      );

/** A schema may make a `bigint` of a text. */
const bigintAsText = (member: unknown): unknown =>
  typeof member === "bigint" ? String(member) : member;

/** A copy that can be stored, or the value itself if it is nested too deeply. */
export function jsonCopy<Value>(value: Value): Value {
  try {
    return parsePlainJson(JSON.stringify(value, (_, member: unknown) => bigintAsText(member)));
  } catch {
    return value;
  }
}

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
