import { type Emit, type ParseEvent, parseErrorEvents, parseEvent } from "@fullstop/core/adapter";
import type { Interactions } from "@google/genai";
import { codeOf, type GoogleError } from "../google-error.ts";

/** A step of an interaction, as the SDK names it. */
export type Step = Interactions.Step;
export type StepDeltaData = Interactions.StepDelta["delta"];

/** An interaction in one piece, or an error instead of it. */
export type WholeInteraction = Partial<Interactions.Interaction> & {
  readonly event_type?: undefined;
  readonly error?: GoogleError | string | null;
};

/** An event of a stream, an interaction in one piece, or an error instead of either. */
export type InteractionsEvent = Interactions.InteractionSSEEvent | WholeInteraction;

/** Parses the data of one event. One that is named `error` is an error with any data. */
export const parseInteractions: ParseEvent<InteractionsEvent> =
  /* @__PURE__ */ parseErrorEvents<InteractionsEvent>(parseEvent, (event, data) =>
    event && "error" in event && event.error ? event : { error: { message: data } },
  );

/** Emits an error as the API reports it: in an event, in a failed interaction or in a step. */
export function emitInteractionsError(emit: Emit, error: GoogleError | string): void {
  const { message } = typeof error === "string" ? { message: error } : error;
  emit({
    type: "error",
    native: (typeof error === "string" ? undefined : codeOf(error)) ?? "error",
    message: typeof message === "string" ? message : JSON.stringify(error),
  });
}
