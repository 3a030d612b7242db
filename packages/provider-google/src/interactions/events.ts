import { type ParseEvent, parseErrorEvents, parseEvent } from "@fullstop/core/adapter";
import type { Interactions } from "@google/genai";
import type { GoogleError } from "../google-error.ts";

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
