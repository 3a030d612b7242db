import type { Edit, Fields } from "../protocol.ts";
import { hasEnding } from "./choice.ts";

/** The stop reasons of replies with calls, also those of other protocols that hosts forward. */
const callReasons = /^(?:tool_?calls?|tool_?use|function_?calls?)$/i;

/** The choice with this stop reason. OpenRouter's `native_finish_reason` must not contradict it. */
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

/** The choice without calls, and with a stop reason that promises none. */
export const withoutCallReason = (choice: Fields): Fields =>
  [choice["finish_reason"], choice["native_finish_reason"]].some(
    (reason) => typeof reason === "string" && callReasons.test(reason),
  )
    ? withReason(choice, "length")
    : choice;

/** The stop reason of an ending. `undefined`: that of the provider stays. */
export function reasonOf({ ending }: Edit, isLegacy: boolean): string | undefined {
  if (ending === "calls") return isLegacy ? "function_call" : "tool_calls";
  return ending === "length" ? "length" : undefined;
}
