import { type Schema, Validator } from "@cfworker/json-schema";
import { isObject } from "./shape.ts";

/**
 * Standard Schema with Standard JSON Schema: zod and arktype have both; valibot through `toStandardJsonSchema` of `@valibot/to-json-schema`.
 * https://standardschema.dev
 */
export interface InputSchema<In = unknown, Out = In> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: In; readonly output: Out } | undefined;
  };
}
export type Types<S extends InputSchema> = NonNullable<S["~standard"]["types"]>;

/** A plain JSON Schema (draft 2020-12), as MCP servers and configuration files have them. Inputs are validated against it. */
export function jsonSchema(schema: object): InputSchema<Record<string, unknown>> {
  const validator = new Validator(schema as Schema, "2020-12", false);
  const validate = (value: unknown): object => {
    const { valid, errors } = validator.validate(value);
    return valid
      ? { value }
      : {
          issues: errors.map(({ error, instanceLocation }) => ({
            message: error,
            path: pointer(instanceLocation),
          })),
        };
  };
  return {
    "~standard": {
      version: 1,
      vendor: "fullstop",
      validate,
      jsonSchema: { input: () => ({ ...schema }) },
    },
  };
}

/** `#/a/b` as a path (RFC 6901). */
const pointer = (location: string): readonly string[] =>
  location
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

/** What validation says of an input: the frozen value to run with, or what is wrong with it in one line each. */
export type Verdict = { readonly value: unknown } | { readonly issues: readonly string[] };

/** Validates an input. Anything but a clear yes is a no. */
export async function check(schema: InputSchema, input: unknown): Promise<Verdict> {
  try {
    const verdict: unknown = await schema["~standard"].validate(input);
    if (!isObject(verdict)) return { issues: ["its schema gave no verdict"] };
    if (Array.isArray(verdict["issues"])) return { issues: verdict["issues"].map(issueLine) };
    return "value" in verdict
      ? { value: deepFreeze(verdict["value"]) }
      : { issues: ["its schema gave no verdict"] };
  } catch (thrown) {
    return {
      issues: [
        `its schema threw: ${thrown instanceof Error ? thrown.message : "something that is no error"}`,
      ],
    };
  }
}

/** https://standardschema.dev: a path segment is a key, or an object with one. */
function issueLine(issue: unknown): string {
  if (!isObject(issue)) return "not valid";
  const path = Array.isArray(issue["path"])
    ? issue["path"].map((part) => String(isObject(part) ? part["key"] : part)).join(".")
    : "";
  return `${path === "" ? "" : `${path}: `}${String(issue["message"])}`;
}

/** Freezes what is plain data; instances that a schema made (a `Date`, a `URL`) stay as they are. */
export function deepFreeze<T>(value: T, seen: Set<unknown> = new Set()): T {
  if (typeof value !== "object" || value === null || seen.has(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value;
  seen.add(Object.freeze(value));
  for (const member of Object.values(value)) deepFreeze(member, seen);
  return value;
}
