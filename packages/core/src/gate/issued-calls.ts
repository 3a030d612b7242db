import type { ToolCallBlock } from "../contract/message.ts";
import type { ToolCall } from "../contract/turn.ts";

/** One set for all copies of this package in a process: a program may have two. */
const registry = Symbol.for("@fullstop/core/licences");
const holder = globalThis as unknown as Record<symbol, WeakSet<object> | undefined>;
const licences: WeakSet<object> = holder[registry] ?? new WeakSet();
holder[registry] = licences;

/** Gives a licence to run; the only place that does. Its input is deeply frozen by then. */
export function licence({ id, name, by }: ToolCallBlock, input: ToolCall["input"]): ToolCall {
  const call = Object.freeze({ id, name, input, ...(by && { by }) });
  licences.add(call);
  return call as unknown as ToolCall;
}

/** Whether this very object is a call that the gate gave out. A copy, or an object of the same shape, is not. */
export const isToolCall = (value: unknown): value is ToolCall =>
  typeof value === "object" && value !== null && licences.has(value);
