import type { Step, StepDeltaData } from "./events.ts";

/** Reads one step of a reply while it arrives. */
export interface StepReader {
  /** Set if the step is streamed text. Two such steps in a row stay two blocks. */
  readonly textType?: "text" | "thinking";
  /** Set if only the provider understands the step. Such a step is lost if it does not end. */
  readonly isNative?: true;
  delta(delta: StepDeltaData): void;
  /** Returns `true` if the step emitted text that no `provider-data` closed. */
  stop(): boolean;
}

/** The error for a delta that does not fit its step. */
export const misplacedDelta = (delta: StepDeltaData, { type }: Pick<Step, "type">): Error =>
  new Error(`The reply sends ${delta.type} to a step of type ${type}.`);

/** Returns the text of a delta. Throws if it is not a string. */
export function textOfDelta(text: unknown, { type }: StepDeltaData): string {
  if (typeof text !== "string") throw new Error(`The reply has a ${type} without its text.`);
  return text;
}
