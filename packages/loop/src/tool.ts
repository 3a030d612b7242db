import type { CutInput, ToolCall, ToolSpec } from "@fullstop/core";
import type { InputSchema, Types } from "./schema.ts";

/** What a tool is told beside its input. */
export interface ToolContext {
  readonly call: ToolCall;
  /** Aborted with the run, and at the tool's time limit. What has begun by then is reported to the model as "outcome unknown". */
  readonly signal: AbortSignal;
  /** `<run>/<turn>/<position>`: one for each call of a run, whatever ids the provider gives. */
  readonly idempotencyKey: string;
}
/** An object is given to the model as JSON. */
export type ToolOutput = string | object;

/** What a tool does with an input that was cut: the one exception to "nothing cut runs". */
export interface Salvage<Input> {
  /** The tools that can add what is missing. The model is told of them; each must be offered. */
  readonly continueWith: readonly string[];
  /** A complete input made of what arrived, or nothing. A pure function; one that throws gives nothing. */
  input(cut: CutInput): Input | undefined;
}

/** A tool: what the model is told of it, and what it does. */
export interface Tool<Input = never> {
  /** What the model calls it by. Most providers take letters, digits, `_` and `-`, 64 at most. */
  readonly name: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  /** A schema of zod, arktype or another of Standard Schema, or `jsonSchema(…)`. The input is checked with it before `execute` runs. */
  readonly inputSchema: InputSchema;
  /** Runs one call with its validated, frozen input. What it throws is told to the model as an error result. */
  execute(input: Input, context: ToolContext): ToolOutput | Promise<ToolOutput>;
  /** For tools that can begin with part of an input, as one that writes files. Asked last, when no other remedy is left. */
  readonly salvage?: Salvage<unknown> | undefined;
  /** Milliseconds that `execute` may take; 120,000 without it, `Infinity` for no limit. */
  readonly timeoutMs?: number | undefined;
  /** No other tool runs beside it: calls before it end first, calls after it start later. */
  readonly exclusive?: boolean | undefined;
  /** May be repeated without harm: where a journal does not know how it ended, it runs again. Others are reported as in doubt. */
  readonly idempotent?: boolean | undefined;
  /** It is called again and again until its result changes: no repetition of it counts as going in circles. */
  readonly polls?: boolean | undefined;
}

/** A tool whose `execute` gets what its schema's validation gives out. */
export const tool = <S extends InputSchema>(
  definition: Omit<Tool<Types<S>["output"]>, "inputSchema" | "salvage"> & {
    readonly inputSchema: S;
    readonly salvage?: Salvage<Types<S>["input"]> | undefined;
  },
): Tool<Types<S>["output"]> => definition;

/** A tool as providers are told of it. Throws where they cannot be. */
export function specOf({ name, description, inputSchema, timeoutMs, execute }: Tool): ToolSpec {
  if (typeof execute !== "function") throw new TypeError(`The \`execute\` of tool "${name}" is no function.`);
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    throw new RangeError(`\`timeoutMs\` of tool "${name}" must be more than 0, not ${timeoutMs}.`);
  const told = jsonSchemaOf(name, inputSchema);
  if (told["type"] !== undefined && told["type"] !== "object") {
    throw new TypeError(`The input of tool "${name}" must be an object; its schema says ${JSON.stringify(told["type"])}.`);
  }
  return { name, description, inputSchema: told };
}

function jsonSchemaOf(name: string, schema: InputSchema): Record<string, unknown> {
  if (schema?.["~standard"]?.jsonSchema === undefined) {
    throw new TypeError(
      `The schema of tool "${name}" has no JSON Schema: put a plain one into \`jsonSchema(…)\`, valibot's into \`toStandardJsonSchema(…)\`.`,
    );
  }
  try {
    return schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  } catch (cause) {
    throw new TypeError(
      `The schema of tool "${name}" cannot be told to a provider: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}
