export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** The message of a thrown value. */
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
