import { isRecord } from "./fields.ts";
import { freezeDeep } from "./freeze.ts";

/**
 * Standard Schema with Standard JSON Schema. zod 4.2 and arktype implement both; for valibot use
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
/** The types of the values that a schema takes (`input`) and gives (`output`). */
export type SchemaTypes<S extends InputSchema> = NonNullable<S["~standard"]["types"]>;

/** The frozen value that the schema made of an input, or its problems, one line each. */
export type InputVerdict =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly string[] };

/** Validates an input. A schema that throws or returns no result makes the input invalid. */
export async function validateInput(schema: InputSchema, input: unknown): Promise<InputVerdict> {
  try {
    const result: unknown = await schema["~standard"].validate(input);
    if (!isRecord(result)) return { issues: ["the schema returned no result"] };
    if (Array.isArray(result["issues"])) return { issues: result["issues"].map(issueLine) };
    return "value" in result
      ? { value: freezeDeep(result["value"]) }
      : { issues: ["the schema returned no result"] };
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : "a value that is not an error";
    return { issues: [`the schema threw: ${message}`] };
  }
}

/** https://standardschema.dev: a path segment is a key, or an object with one. */
function issueLine(issue: unknown): string {
  if (!isRecord(issue)) return "not valid";
  const path = Array.isArray(issue["path"])
    ? issue["path"].map((part) => String(isRecord(part) ? part["key"] : part)).join(".")
    : "";
  return `${path === "" ? "" : `${path}: `}${String(issue["message"])}`;
}

/**
 * The JSON Schema of an object. `owner` begins the errors, such as `tool "write"`.
 * @throws TypeError for a schema without JSON Schema, and for one of another type.
 */
export function toJsonSchema(owner: string, schema: InputSchema): Record<string, unknown> {
  if (schema?.["~standard"]?.jsonSchema === undefined) {
    throw new TypeError(
      `The schema of ${owner} has no JSON Schema. A schema of zod has one from 4.2 on. For valibot, use \`toStandardJsonSchema(…)\`. For a plain JSON Schema, use \`jsonSchema(…)\`.`,
    );
  }
  const converted = convertSchema(owner, schema);
  if (converted["type"] !== undefined && converted["type"] !== "object") {
    throw new TypeError(
      `The schema of ${owner} must describe an object, but it has the type ${JSON.stringify(converted["type"])}.`,
    );
  }
  return converted;
}

function convertSchema(owner: string, schema: InputSchema): Record<string, unknown> {
  try {
    return schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`The schema of ${owner} cannot be converted to JSON Schema: ${message}`, {
      cause,
    });
  }
}
