import type {
  FileBlock,
  ImageBlock,
  PartialInput,
  TextBlock,
  ToolCall,
  ToolSpec,
} from "@fullstop/core";
import type { InputSchema, Types } from "./schema.ts";

/** What a tool is told beside its input. */
export interface ToolContext {
  readonly call: ToolCall;
  /** Aborted with the run, and at the tool's time limit. What has begun by then is reported to the model as "outcome unknown". */
  readonly signal: AbortSignal;
  /** `<run>/<turn>/<position>`: one for each call of a run, whatever ids the provider gives. */
  readonly idempotencyKey: string;
}
/** What a tool gives if that is more than text: blocks, or an error in its own words. Its keys are these two only; any other object is data. */
export interface ToolResult {
  readonly content: string | readonly (TextBlock | ImageBlock | FileBlock)[];
  /** The call failed, and `content` says how. */
  readonly isError?: boolean | undefined;
}
/**
 * What a tool may give. Text goes to the model as it is, and so do a block, a list of blocks (text, image, file) and a `ToolResult`.
 * Numbers and booleans are written out, other data is sent as JSON. Nothing is a good output too: the model is told that the tool ran to its end.
 */
export type ToolOutput =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return gives `void`, and that is what it means
  | void
  | ToolResult
  | object;

/** What a tool does with an input that was cut: the one exception to "nothing cut runs". */
export interface Salvage<Input> {
  /** The tools that can add what is missing. The model is told of them; each must be offered. */
  readonly continueWith: readonly string[];
  /** Asked at once, before the reply is asked for again and before the model is told of the cut. Without it the tool is asked last. */
  readonly first?: boolean | undefined;
  /** A complete input made of what arrived, or nothing. A pure function; one that throws gives nothing. */
  input(cut: PartialInput): Input | undefined;
}

/** A tool: what the model is told of it, and what it does. */
export interface Tool<Input = never> {
  /** Under which the model calls it: letters, digits, `_` and `-`, at most 64 of them for every provider. */
  readonly name: string;
  /** What it does and when to call it, for the model. */
  readonly description: string;
  /** zod, arktype, `jsonSchema(…)` or any Standard Schema with JSON Schema. The input must be an object. */
  readonly inputSchema: InputSchema;
  /** Runs one call with its validated, frozen input. What it throws is told to the model as an error result. */
  execute(input: Input, context: ToolContext): ToolOutput | Promise<ToolOutput>;
  /** For tools that can begin with part of an input, such as one that writes files. Asked last, if no other remedy is left, or `first`. */
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

/** What at least one provider takes: Google has `.` and `:` too, and Anthropic 128 characters. */
const nameRule = /^[a-zA-Z0-9_.:-]{1,128}$/;
const fitting = (name: string): string =>
  name
    .replace(/[^a-zA-Z0-9_-]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 64) || "my_tool";

/** A tool as providers are told of it. Throws if they cannot be told. */
export function specOf({ name, description, inputSchema, timeoutMs, execute }: Tool): ToolSpec {
  if (typeof name !== "string" || name.trim() === "") throw new TypeError("A tool has no name.");
  if (!nameRule.test(name)) {
    throw new TypeError(
      `No provider takes "${name}" as a tool's name. Use letters, digits, \`_\` and \`-\`, at most 64 of them, such as "${fitting(name)}".`,
    );
  }
  if (typeof execute !== "function")
    throw new TypeError(`The \`execute\` of tool "${name}" must be a function.`);
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    throw new RangeError(`\`timeoutMs\` of tool "${name}" must be more than 0, not ${timeoutMs}.`);
  const told = jsonSchemaOf(name, inputSchema);
  if (told["type"] !== undefined && told["type"] !== "object") {
    throw new TypeError(
      `The input of tool "${name}" must be an object; its schema says ${JSON.stringify(told["type"])}.`,
    );
  }
  return { name, description, inputSchema: told };
}

function jsonSchemaOf(name: string, schema: InputSchema): Record<string, unknown> {
  if (schema === undefined) throw new TypeError(`Tool "${name}" has no \`inputSchema\`.`);
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
