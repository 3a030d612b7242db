import { type Schema, Validator } from "@cfworker/json-schema";
import { deepFreeze, isObject } from "../util/values.ts";

/**
 * Standard Schema with Standard JSON Schema. zod and arktype implement both; for valibot use
 * `toStandardJsonSchema` of `@valibot/to-json-schema`. https://standardschema.dev
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
export type SchemaTypes<S extends InputSchema> = NonNullable<S["~standard"]["types"]>;

/**
 * A plain JSON Schema (draft 2020-12), such as MCP servers and configuration files have. Inputs are
 * validated against it.
 */
export function jsonSchema(schema: object): InputSchema<Record<string, unknown>> {
  const validator = new Validator(schema as Schema, "2020-12", false);
  const validate = (value: unknown): object => {
    const { valid, errors } = validator.validate(value);
    if (valid) return { value };
    return {
      issues: errors.map(({ error, instanceLocation }) => ({
        message: error,
        path: pathOf(instanceLocation),
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

/** Splits a JSON pointer such as `#/a/b` (RFC 6901). */
const pathOf = (pointer: string): readonly string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

/** The frozen input to run with, or the problems with it, one line each. */
export type InputVerdict = { readonly value: unknown } | { readonly issues: readonly string[] };

/** Validates an input. A schema that throws or returns no result makes the input invalid. */
export async function validateInput(schema: InputSchema, input: unknown): Promise<InputVerdict> {
  try {
    const result: unknown = await schema["~standard"].validate(input);
    if (!isObject(result)) return { issues: ["the schema returned no result"] };
    if (Array.isArray(result["issues"])) return { issues: result["issues"].map(issueLine) };
    return "value" in result
      ? { value: deepFreeze(result["value"]) }
      : { issues: ["the schema returned no result"] };
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : "a value that is not an error";
    return { issues: [`the schema threw: ${message}`] };
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
