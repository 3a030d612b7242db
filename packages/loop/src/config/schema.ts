import { type Schema, Validator } from "@cfworker/json-schema";
import type { InputSchema } from "@fullstop/core";

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
