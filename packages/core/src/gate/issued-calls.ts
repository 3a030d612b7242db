import type { ToolCallBlock } from "../contract/message.ts";
import type { ToolCall } from "../contract/turn.ts";
import { isRecord } from "../json/fields.ts";

/** All copies of this package in a process share one set: a program may contain two. */
const registry = Symbol.for("@fullstop/core/issued-calls");
const holder = globalThis as unknown as Record<symbol, WeakSet<object> | undefined>;
const issued: WeakSet<object> = holder[registry] ?? new WeakSet();
holder[registry] = issued;

/** Issues a call that may run; no other function does. Its input is frozen at every depth. */
export function issueToolCall(
  { id, name, asks, by }: ToolCallBlock,
  input: ToolCall["input"],
): ToolCall {
  const call = Object.freeze({ id, name, input, ...(asks && { asks }), ...(by && { by }) });
  issued.add(call);
  return call as unknown as ToolCall;
}

/**
 * Whether this object is a call that the gate issued. A copy, or an object of the same shape, is
 * not.
 */
export const isToolCall = (value: unknown): value is ToolCall =>
  isRecord(value) && issued.has(value);
