import { type Emit, isOtherInput, stringifyJson } from "@fullstop/core/adapter";
import type { Interactions } from "@google/genai";
import type { StepDeltaData } from "./events.ts";
import { inputPieceOf, misplacedDelta, type StepReader, textOfDelta } from "./step-reader.ts";

/**
 * A function call. Its step starts with an empty object, and the arguments come in pieces. Some
 * replies have them in the start and no pieces.
 */
export function readCallStep(
  emit: Emit,
  key: number,
  step: Interactions.FunctionCallStep,
): StepReader {
  const pieces: string[] = [];
  const startsWithInput = hasArguments(step.arguments);
  let signature = signatureOf(step);
  let unknown: StepDeltaData | undefined;
  emit({ type: "tool-input-start", key, id: step.id, name: step.name });
  return {
    delta(delta) {
      if (delta.type === "arguments_delta") {
        const text = textOfDelta(inputPieceOf(delta) ?? "", delta);
        if (text === "") return;
        pieces.push(text);
        emit({ type: "tool-input-delta", key, text });
      } else if (delta.type === "thought_signature") signature = delta.signature ?? signature;
      else if (isMisplaced(delta)) throw misplacedDelta(delta, step);
      else unknown = delta;
    },
    stop() {
      const inputText = pieces.join("");
      if (unknown !== undefined && inputText === "") throw misplacedDelta(unknown, step);
      if (startsWithInput && inputText !== "" && isOtherInput(step.arguments, inputText))
        throw new Error(`The reply gives two different inputs for step ${key}.`);
      const isWhole = inputText === "" && startsWithInput;
      emit({
        type: "tool-input-end",
        key,
        ...(isWhole && { text: stringifyJson(step.arguments) }),
      });
      if (signature !== undefined) emit({ type: "provider-data", key, data: signature });
      return false;
    },
  };
}

const isMisplaced = (delta: StepDeltaData): boolean =>
  delta.type === "text" || delta.type === "thought_summary" || inputPieceOf(delta) !== undefined;

/** The SDK's type has no signature on a call; the reference of Vertex AI has. */
const signatureOf = (step: object): string | undefined =>
  "signature" in step && typeof step.signature === "string" && step.signature !== ""
    ? step.signature
    : undefined;

const hasArguments = (args: unknown): boolean =>
  typeof args === "object" && args !== null && !Array.isArray(args)
    ? Object.keys(args).length > 0
    : args !== undefined && args !== null;
