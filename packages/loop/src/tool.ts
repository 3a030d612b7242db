import type { ToolCall } from "@fullstop/core";
import type { InputSchema, Types } from "./schema.ts";

export interface ToolContext {
  readonly call: ToolCall;
  readonly signal: AbortSignal;
  /** The same for the same call of the same run, whatever ids the provider gives. */
  readonly idempotencyKey: string;
}
export type ToolOutput = string | object;

export interface Tool<Input = never> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  execute(input: Input, context: ToolContext): ToolOutput | Promise<ToolOutput>;
}

/** A tool whose `execute` gets what its schema's validation gives out. */
export const tool = <S extends InputSchema>(
  definition: Omit<Tool<Types<S>["output"]>, "inputSchema"> & { readonly inputSchema: S },
): Tool<Types<S>["output"]> => definition;
