import { canonicalJson, isObjectText } from "@fullstop/core/adapter";
import { toolCallsIn } from "./delta.ts";
import type { Choice, Delta } from "./events.ts";
import { argumentsOf, type InputDelta, type InputState, readInputDelta } from "./input.ts";
import type { Inputs } from "./inputs.ts";

/**
 * The last chunk of some hosts repeats the whole message, and only it has the `finish_reason` and
 * the usage (GCWing/OpenBitFun#792, ENTERPILOT/GoModel#1068). Returns it without the message.
 * @throws Error if the message has other calls or another text than the deltas.
 */
export function endOf(choice: Choice, inputs: Inputs | undefined, text: string): Choice {
  const { message, ...end } = choice;
  if (!message || inputs === undefined) return choice;
  inputs.settle();
  if (!repeatsCalls(message, inputs) || !repeatsText(message.content, text))
    throw new Error("The reply sends a complete message after its deltas that differs from them.");
  return { ...end, delta: {} };
}

function repeatsCalls(message: Delta, { list, echo }: Inputs): boolean {
  const { function_call: legacy } = message;
  const calls = toolCallsIn(message).map((call) => readInputDelta(call ?? {}));
  if (calls.length === 0 && legacy) calls.push(readInputDelta({ function: legacy }));
  const begun = list.filter(({ started }) => started);
  if (begun.length === 0 && echo?.started) begun.push(echo);
  return calls.length === begun.length && begun.every((input, at) => repeatsCall(input, calls[at]));
}

const repeatsCall = (input: InputState, call: InputDelta | undefined): boolean =>
  call !== undefined &&
  input.name === call.name &&
  (input.id ?? call.id) === (call.id ?? input.id) &&
  sameInput(argumentsOf(input), call.text);

const sameInput = (one: string, other: string): boolean =>
  one.trim() === other.trim() ||
  (isObjectText(one) && isObjectText(other) && canonicalJson(one) === canonicalJson(other));

/** White space around a text is often lost. */
const repeatsText = (content: unknown, text: string): boolean =>
  typeof content !== "string" || content.trim() === "" || content.trim() === text.trim();
