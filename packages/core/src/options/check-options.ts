import { isRecord } from "../json/fields.ts";
import { findFlaw } from "./find-flaw.ts";
import type { OptionKind, OptionKinds } from "./kinds.ts";
import { lettersOf, nearest } from "./nearest.ts";

/** Whose options are checked, and what names of other libraries mean here. */
export interface CheckedOptions {
  /** The option that contains these, such as `limits`. */
  readonly parent?: string | undefined;
  /** The function that gets them, such as `readTurn`. It is named if there is no `parent`. */
  readonly of?: string | undefined;
  /**
   * Names of other libraries in small letters without `_`, and the option for each: one of these,
   * or the path of another.
   */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** What to say about a name that is neither near an option nor an alias. */
  readonly advise?: ((letters: string) => string | undefined) | undefined;
  /** A value may be an API key, so none is shown. */
  readonly hidesValues?: boolean | undefined;
}

/**
 * Throws for an unknown option, with the option that was probably meant, and for a value of the
 * wrong kind.
 * @throws TypeError, or RangeError for a number.
 */
export function checkOptions<Options extends object>(
  options: Options,
  kinds: OptionKinds<Required<Options>>,
  checked: CheckedOptions = {},
): void {
  const { parent } = checked;
  const owner = ownerOf(checked);
  if (!isRecord(options)) {
    const what = parent === undefined ? `The options${owner}` : `\`${parent}\``;
    throw new TypeError(`${what} must be an object, not ${describeKind(options)}.`);
  }
  const flaw = findFlaw(options, kinds);
  if (flaw === undefined) return;
  const { name, kind, value } = flaw;
  const option = `\`${withParent(name, parent)}\`${owner}`;
  if (kind === undefined)
    throw new TypeError(`Unknown option ${option}. ${suggest(name, Object.keys(kinds), checked)}`);
  throw wrongKind(option, kind, value, checked);
}

const ownerOf = ({ parent, of }: CheckedOptions): string =>
  parent === undefined && of !== undefined ? ` of \`${of}\`` : "";
const withParent = (name: string, parent: string | undefined): string =>
  parent === undefined ? name : `${parent}.${name}`;

function pathOf(meant: string, known: readonly string[], parent: string | undefined): string {
  const name = meant.split(".").at(-1) ?? meant;
  return known.includes(name) ? withParent(name, parent) : meant;
}

/** Short names are near to many others: `stop` to `step`. */
const isLong = (name: string): boolean => name.length > 5;

function suggest(
  unknown: string,
  known: readonly string[],
  { parent, aliases = {}, advise }: CheckedOptions,
): string {
  const letters = lettersOf(unknown);
  const isAlias = Object.hasOwn(aliases, letters);
  const option =
    known.find((name) => lettersOf(name) === letters) ??
    (isAlias ? undefined : nearest(unknown, known));
  const alias = isAlias ? letters : nearest(letters, Object.keys(aliases).filter(isLong));
  const meant = option ?? aliases[alias ?? ""];
  if (meant !== undefined) return `Did you mean \`${pathOf(meant, known, parent)}\`?`;
  return advise?.(letters) ?? `The options are: ${known.join(", ")}.`;
}

function wrongKind(
  option: string,
  { expected }: OptionKind,
  value: unknown,
  { hidesValues }: CheckedOptions,
): Error {
  const found = hidesValues ? describeKind(value) : printable(value);
  const message = `${option} must be ${expected}, not ${found}.`;
  return typeof value === "number" ? new RangeError(message) : new TypeError(message);
}

/** A value as an error may show it. A long string may be an API key, so it is not shown. */
function printable(value: unknown): string {
  if (typeof value === "string")
    return value.length > 20 ? "another string" : JSON.stringify(value);
  return typeof value === "number" ? String(value) : describeKind(value);
}

function describeKind(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (isRecord(value)) return "an object";
  const isNamed = typeof value === "string" || typeof value === "number";
  return isNamed || typeof value === "function" ? `a ${typeof value}` : String(value);
}
