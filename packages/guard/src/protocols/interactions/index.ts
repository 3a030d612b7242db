import { type Fields, fieldsOf } from "@fullstop/core/adapter";
import { parseInteractions } from "@fullstop/provider-google/reply";
import { editNumbered, type NumberedEvents } from "../numbering.ts";
import { createPlacer, placeCalls } from "../placed-calls.ts";
import {
  type BodyEditor,
  type Edit,
  type EventClass,
  eventText,
  type Failure,
  type Protocol,
  type ReplyFrame,
  type StreamEditor,
} from "../protocol.ts";
import { areSameCalls } from "../same-calls.ts";
import { createStepCallReader, openStep, pieceIn, readStep, stepCallsIn } from "./calls.ts";
import { endsInteraction, isCallStep, newSteps, stepsOf, typeOf, withStatus } from "./events.ts";

/** Codes by status. https://ai.google.dev/gemini-api/docs/api-errors */
const errorCodes: Readonly<Record<number, string>> = {
  400: "invalid_request",
  413: "invalid_request",
  415: "invalid_request",
  429: "too_many_requests",
  503: "service_unavailable",
  529: "service_unavailable",
};

const interactionsErrorBody = ({ status, message }: Failure): Fields => ({
  error: { code: errorCodes[status] ?? "api_error", message },
});

const stepClasses: Readonly<Record<string, EventClass>> = {
  "interaction.created": "opening",
  "step.start": "live",
  "step.delta": "live",
  "step.stop": "live",
};

const stepEvents: NumberedEvents = {
  nameKey: "event_type",
  prefix: "step.",
  blockKey: "step",
  isCall: isCallStep,
  // Google's pages know no signature that covers what stands before it, and want all thoughts back.
  // https://ai.google.dev/gemini-api/docs/thought-signatures
  isBound: () => false,
  openCall: openStep,
  pieceIn,
  newBlocks: newSteps,
};

/** A status before the end may be that of a finished reply. */
const isRunning = ({ status }: Fields): boolean => status === "in_progress" || status === "queued";

/** Whether an event holds a part of a call. `openSteps`: the steps that are not calls. */
function saysCall(event: Fields, openSteps: ReadonlyMap<unknown, unknown>): boolean {
  const { step, delta, index, interaction } = event;
  const isPiece = fieldsOf(delta)["type"] === "arguments_delta";
  return (
    isCallStep(step) || stepsOf(interaction).some(isCallStep) || (isPiece && !openSteps.has(index))
  );
}

/** A thought shows nothing but its summary. Most replies begin with one that has none. */
const showsNothing = ({ delta }: Fields, stepType: unknown): boolean =>
  stepType === "thought" && fieldsOf(delta)["type"] !== "thought_summary";

/** Returns the type of the step that an event belongs to. */
function trackStep(
  openSteps: Map<unknown, unknown>,
  { event_type: type, index, step }: Fields,
): unknown {
  if (type === "step.start") openSteps.set(index, fieldsOf(step)["type"]);
  const stepType = openSteps.get(index);
  if (type === "step.stop") openSteps.delete(index);
  return stepType;
}

function createInteractionEditor(): StreamEditor {
  /** The types of the steps that went out, by their indices. */
  const openSteps = new Map<unknown, unknown>();
  return {
    classify(native): EventClass {
      const event = fieldsOf(native);
      if (saysCall(event, openSteps)) return "call";
      if (typeOf(event) === "interaction.status_update")
        return isRunning(event) ? "opening" : "pending";
      return showsNothing(event, trackStep(openSteps, event))
        ? "opening"
        : (stepClasses[String(typeOf(event))] ?? "pending");
    },
    createCallReader: createStepCallReader,
    isEnd: endsInteraction,
    edit: (held, edit) => editSteps(held, edit, openSteps.keys()),
    fail: (failure) =>
      eventText({ event_type: "error", ...interactionsErrorBody(failure) }, "error"),
  };
}

/** The reply ends once, behind the new steps. */
function editSteps(held: readonly ReplyFrame[], edit: Edit, open: Iterable<unknown>): string {
  const end = held.findIndex(({ native }) => endsInteraction(native));
  const frames = held.filter(({ native }, at) => at === end || !endsInteraction(native));
  const text = editNumbered(frames, stepEvents, {
    open,
    edit,
    isEnd: endsInteraction,
    change: (raw, event) => withEditedStatus(raw, event, edit),
  });
  return end < 0 ? text + missingEnd(edit) : text;
}

/** The events that name a status. All others keep their text. */
function withEditedStatus(text: string, event: Fields, { ending }: Edit): string {
  if (typeOf(event) === "interaction.status_update") {
    const changed = isRunning(event) ? event : withStatus(event, ending);
    return changed === event ? text : eventText(changed, "interaction.status_update");
  }
  if (!endsInteraction(event)) return text;
  const interaction = fieldsOf(event["interaction"]);
  const { steps: _, ...named } = withStatus(interaction, ending);
  const isSame = named["status"] === interaction["status"] && !("steps" in interaction);
  return isSame ? text : eventText({ ...event, interaction: named }, "interaction.completed");
}

/** The reply named its status and was cut behind it. */
const missingEnd = ({ ending }: Edit): string =>
  eventText(
    {
      event_type: "interaction.completed",
      interaction: { id: "", status: ending === "calls" ? "requires_action" : "incomplete" },
    },
    "interaction.completed",
  );

const interactionBody: BodyEditor = {
  hasCalls: (native) => stepsOf(native).some(isCallStep),
  says: (native, calls, isStrict) =>
    areSameCalls(stepCallsIn(native), calls) &&
    (!isStrict || fieldsOf(native)["status"] === "requires_action"),
  edit(native, edit) {
    const steps = placeCalls(stepsOf(native), createPlacer(edit.calls, stepEvents), {
      readCall: readStep,
      render: (calls) => newSteps({ calls }).map(({ whole }) => whole),
    });
    const note = newSteps({ calls: [], note: edit.note }).map(({ whole }) => whole);
    return { ...withStatus(fieldsOf(native), edit.ending), steps: [...steps, ...note] };
  },
};

/**
 * Gemini's Interactions. Made from Google's pages and the types of `@google/genai` 3.1.0, of
 * November 2026. https://ai.google.dev/gemini-api/docs/streaming
 */
export const interactions: Protocol = {
  name: "gemini-interactions",
  parse: parseInteractions,
  failBody: interactionsErrorBody,
  // It may stand between any steps.
  keepAlive: eventText(
    { event_type: "interaction.status_update", interaction_id: "", status: "in_progress" },
    "interaction.status_update",
  ),
  afterError: "break",
  body: interactionBody,
  createEditor: createInteractionEditor,
};
