import { isProviderError, ProviderError } from "../contract/error.ts";
import { createRedact, type Redact } from "./redact.ts";

/**
 * Removes secrets from what was thrown. Returns the same object if it contains none of them, else a
 * copy with `[redacted]` in their place. The copy of an `Error` has its name, message, stack,
 * causes and plain data. Objects that hide their content (a `Request`, a socket) are left out.
 */
export const redactThrown = (thrown: unknown, secrets: readonly (string | RegExp)[]): unknown =>
  withRedact(thrown, createRedact(secrets));

/** `redactThrown` with a `Redact` that exists already. */
export function withRedact(thrown: unknown, redact: Redact): unknown {
  try {
    if (isClean(thrown, redact)) return thrown;
    return copyOf(thrown, { redact, seen: new Set() });
  } catch {
    return new Error("The thrown value cannot be read.");
  }
}

/** An object with more parts is not searched completely. */
const maxParts = 2000;

/** Whether no visible part is a secret. What cannot be searched is not clean. */
function isClean(thrown: unknown, redact: Redact): boolean {
  const seen = new Set<unknown>();
  const left: unknown[] = [thrown];
  for (let value = left.pop(); value !== undefined || left.length > 0; value = left.pop()) {
    if (typeof value === "string" ? redact(value) !== value : isOpaque(value)) return false;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    if (seen.size === maxParts) return false;
    seen.add(value);
    left.push(...partsOf(value));
  }
  return true;
}

const isHeaders = (value: object): value is Headers =>
  typeof Headers === "function" && value instanceof Headers;
const isPlainData = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null || Array.isArray(value);
};

/** Whether its text could contain anything. */
function isOpaque(value: unknown): boolean {
  if (typeof value === "function" || typeof value === "symbol") return true;
  return (
    typeof value === "object" &&
    value !== null &&
    !(value instanceof Error || isHeaders(value) || isPlainData(value))
  );
}

/** The names and values of an object. `stack` is an accessor in some runtimes. */
function partsOf(value: object): readonly unknown[] {
  if (isHeaders(value)) return [...value].flat();
  const names = Reflect.ownKeys(value).filter(
    (name) => !(value instanceof Error && name === "stack"),
  );
  const parts = names.flatMap((name) => {
    const { value: part, get } = Object.getOwnPropertyDescriptor(value, name) ?? {};
    return [typeof name === "symbol" ? name.description : name, get ?? part];
  });
  return value instanceof Error ? [value.name, value.message, value.stack, ...parts] : parts;
}

interface Copying {
  readonly redact: Redact;
  /** What has been copied already: an error may be its own cause. */
  readonly seen: Set<unknown>;
}

function copyOf(value: unknown, copying: Copying): unknown {
  if (typeof value === "string") return copying.redact(value);
  if (typeof value === "function" || typeof value === "symbol")
    return copying.redact(String(value));
  if (typeof value !== "object" || value === null) return value;
  if (copying.seen.has(value) || copying.seen.size === maxParts) return undefined;
  copying.seen.add(value);
  if (value instanceof Error) return copyOfError(value, copying);
  if (isHeaders(value))
    return new Headers(
      [...value].map(([name, text]): [string, string] => [name, copying.redact(text)]),
    );
  if (Array.isArray(value)) return value.map((part) => copyOf(part, copying));
  return isPlainData(value) ? copyOfData(value, copying) : undefined;
}

function copyOfData(value: object, copying: Copying): Readonly<Record<string, unknown>> {
  const own = Object.entries(Object.getOwnPropertyDescriptors(value)).filter(
    ([name]) => name !== "__proto__",
  );
  const parts = own.filter(
    ([, { value: part }]) =>
      part !== undefined && typeof part !== "function" && typeof part !== "symbol",
  );
  return Object.fromEntries(
    parts.map(([name, { value: part }]) => [copying.redact(name), copyOf(part, copying)]),
  );
}

function copyOfError(error: Error, copying: Copying): Error {
  const { redact } = copying;
  const {
    name: _,
    message: __,
    stack: ___,
    cause,
    ...data
  } = copyOfData(error, copying) as Readonly<Record<string, unknown>>;
  const copy = isProviderError(error)
    ? new ProviderError(redact(error.message), { ...detailOf(error, redact), cause })
    : Object.assign(
        new Error(redact(error.message), cause === undefined ? undefined : { cause }),
        data,
        { name: redact(nameOf(error)) },
      );
  const { stack } = error;
  Object.defineProperty(copy, "stack", {
    value: typeof stack === "string" ? redact(stack) : undefined,
    configurable: true,
    writable: true,
  });
  return copy;
}

/** SDKs distinguish their errors only by class. */
const nameOf = (error: Error): string =>
  error.name === "Error" ? error.constructor.name || error.name : error.name;

const detailOf = (
  { kind, status, code, requestId, retryAfterMs }: ProviderError,
  redact: Redact,
): ConstructorParameters<typeof ProviderError>[1] => ({
  kind,
  status,
  retryAfterMs,
  code: code === undefined ? undefined : redact(code),
  requestId: requestId === undefined ? undefined : redact(requestId),
});
