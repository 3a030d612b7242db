import { fieldsOf } from "@fullstop/core/adapter";
import type { Step, StepDeltaData } from "./events.ts";

/** Reads one step of a reply while it arrives. */
export interface StepReader {
  /** Set if the step is streamed text. Two such steps in a row stay two blocks. */
  readonly textType?: "text" | "thinking";
  /** Set if only the provider understands the step. Such a step is lost if it does not end. */
  readonly isNative?: true;
  delta(delta: StepDeltaData): void;
  /** The text of the input so far, if the step is a call. */
  input?(): string;
  /** Returns `true` if the step emitted text that no `provider-data` closed. */
  stop(): boolean;
}

/** The error for a delta that does not fit its step. */
export const misplacedDelta = (delta: StepDeltaData, { type }: Pick<Step, "type">): Error =>
  new Error(`The reply sends ${delta.type ?? "a delta without a type"} to a step of type ${type}.`);

/**
 * The text of a piece of an input, also if its type is unknown: without it, the rest may still be
 * JSON. Vertex AI names it differently than the SDK's type and the Gemini API.
 */
export function inputPieceOf(delta: unknown): unknown {
  const { arguments: text, partial_arguments: vertexText } = fieldsOf(delta);
  return text ?? vertexText;
}

/** Returns the text of a delta, `""` for `null`. Throws if it is another value. */
export function textOfDelta(text: unknown, { type }: StepDeltaData): string {
  if (text === null) return "";
  if (typeof text !== "string") throw new Error(`The reply has a ${type} without its text.`);
  return text;
}
