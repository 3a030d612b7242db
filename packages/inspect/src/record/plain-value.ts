import { RecordingError } from "../recording-error.ts";
import { isSecretName, redactedMark } from "./secrets.ts";

export interface PlainOptions {
  readonly text: (text: string) => string;
  /** Whether the values of members that are named like a key are replaced. */
  readonly redactsNames: boolean;
}

/** JSON of this depth is more than any tool takes, and a stack holds it. */
const maxDepth = 500;

/** Missing in older runtimes: the digits of a number that a double cannot hold. */
const { isRawJSON } = JSON as { readonly isRawJSON?: (value: unknown) => boolean };

/** What JSON cannot hold becomes a text that says what it was; functions are left out. */
export function toPlainValue(value: unknown, options: PlainOptions): unknown {
  return copyOf(value, { ...options, ancestors: [] });
}

interface Copying extends PlainOptions {
  readonly ancestors: object[];
}

function copyOf(value: unknown, copying: Copying): unknown {
  switch (typeof value) {
    case "object":
      return value === null ? null : copyOfObject(value, copying);
    case "string":
      return copying.text(value);
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "bigint":
      return `${value}n`;
    case "symbol":
      return String(value);
    case "function":
      return undefined;
    case "boolean":
    case "undefined":
      return value;
  }
}

function copyOfObject(value: object, copying: Copying): unknown {
  const { ancestors } = copying;
  if (isRawJSON?.(value)) return value;
  if (ancestors.includes(value)) return "[circular]";
  if (ancestors.length >= maxDepth) return "[too deep]";
  ancestors.push(value);
  try {
    return membersOf(value, copying);
  } catch (thrown) {
    if (thrown instanceof RecordingError) throw thrown;
    return copying.text(`[unreadable: ${thrown instanceof Error ? thrown.message : "it throws"}]`);
  } finally {
    ancestors.pop();
  }
}

function membersOf(value: object, copying: Copying): unknown {
  if (Array.isArray(value)) return value.map((one) => copyOf(one, copying) ?? null);
  if ("toJSON" in value && typeof value.toJSON === "function")
    return copyOf(value.toJSON(), copying);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return `[${value.byteLength} bytes]`;
  if (value instanceof Map || value instanceof Set) return copyOf([...value], copying);
  if (!(value instanceof Error)) return copyOfMembers(value, copying);
  const { name, message, cause } = value;
  const said = { name, message, ...(cause !== undefined && { cause }) };
  return copyOfMembers({ ...said, ...value }, copying);
}

function copyOfMembers(value: object, copying: Copying): Readonly<Record<string, unknown>> {
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const plain =
      copying.redactsNames && typeof member === "string" && isSecretName(name)
        ? redactedMark
        : copyOf(member, copying);
    if (plain !== undefined) defineMember(copy, name, plain);
  }
  return copy;
}

/** An assignment to `__proto__` would not add a member. */
function defineMember(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") target[name] = value;
  else
    Object.defineProperty(target, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}
