import type { ToolCall, ToolSpec } from "@fullstop/core";
import type { InputSchema, Types } from "./schema.ts";

export interface ToolContext {
  readonly call: ToolCall;
  /** Aborted with the run. What has begun by then is reported to the model as "outcome unknown". */
  readonly signal: AbortSignal;
  /** `<run>/<turn>/<position>`: one for each call of a run, whatever ids the provider gives. */
  readonly idempotencyKey: string;
}
/** An object is given to the model as JSON. */
export type ToolOutput = string | object;

export interface Tool<Input = never> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  /** Runs one call with its validated, frozen input. What it throws is told to the model as an error result. */
  execute(input: Input, context: ToolContext): ToolOutput | Promise<ToolOutput>;
}

/** A tool whose `execute` gets what its schema's validation gives out. */
export const tool = <S extends InputSchema>(
  definition: Omit<Tool<Types<S>["output"]>, "inputSchema"> & { readonly inputSchema: S },
): Tool<Types<S>["output"]> => definition;

/** A tool as providers are told of it. Throws where they cannot be. */
export function specOf({ name, description, inputSchema }: Tool): ToolSpec {
  const told = jsonSchemaOf(name, inputSchema);
  if (told["type"] !== undefined && told["type"] !== "object") {
    throw new TypeError(`The input of tool "${name}" must be an object; its schema says ${JSON.stringify(told["type"])}.`);
  }
  return { name, description, inputSchema: told };
}

function jsonSchemaOf(name: string, schema: InputSchema): Record<string, unknown> {
  try {
    return schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  } catch (cause) {
    throw new TypeError(
      `The schema of tool "${name}" cannot be told to a provider: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}
