import type { Fields } from "@fullstop/core/adapter";
import { chatNativeStops } from "@fullstop/provider-openai/reply";
import type { Edit } from "../protocol.ts";
import { hasEnding } from "./choice.ts";

/** The stop reasons of replies with calls, also those of other protocols that hosts forward. */
const callReasons = /^(?:tool_?calls?|tool_?use|function_?calls?)$/i;

/** OpenRouter's `native_finish_reason` must not contradict it. */
export function withReason(choice: Fields, reason: string): Fields {
  const { finish_reason: before, native_finish_reason: native } = choice;
  if (before === reason) return choice;
  const hasNative = typeof native === "string" && native !== "";
  if (!hasEnding(choice) && !hasNative) return choice;
  return {
    ...choice,
    ...(hasEnding(choice) && { finish_reason: reason }),
    ...(hasNative && { native_finish_reason: reason }),
  };
}

const isCallReason = (reason: unknown): boolean =>
  typeof reason === "string" && callReasons.test(reason);

/** The stop reasons of this protocol for those that gateways forward in `native_finish_reason`. */
const forwarded: Readonly<Record<string, string>> = {
  length: "length",
  "context-window": "length",
  "content-filter": "content_filter",
};
const forwardedReason = (native: unknown): string | undefined =>
  forwarded[String(chatNativeStops[`native_finish_reason:${native}`])];

export function withoutCallReason(choice: Fields): Fields {
  const { finish_reason: reason, native_finish_reason: native } = choice;
  const told = forwardedReason(native);
  if (told !== undefined && (isCallReason(reason) || reason === "stop"))
    return { ...choice, finish_reason: told };
  if (isCallReason(reason)) return withReason(choice, "length");
  return isCallReason(native)
    ? { ...choice, native_finish_reason: hasEnding(choice) ? reason : "length" }
    : choice;
}

export function reasonOf({ ending, isRefusal }: Edit, isLegacy: boolean): string | undefined {
  if (isRefusal) return "stop";
  if (ending === "calls") return isLegacy ? "function_call" : "tool_calls";
  return ending === "length" ? "length" : undefined;
}
