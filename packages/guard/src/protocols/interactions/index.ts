import { type Fields, fieldsOf, isFields } from "@fullstop/core/adapter";
import { parseInteractions } from "@fullstop/provider-google/reply";
import { type BodyEditor, eventText, type Protocol } from "../protocol.ts";
import { areSameCalls } from "../same-calls.ts";
import { stepCallsIn } from "./calls.ts";
import { isCallStep, newSteps, stepsOf, withStatus } from "./events.ts";
import { createInteractionEditor, interactionsErrorBody } from "./stream.ts";

const interactionBody: BodyEditor = {
  hasCalls: (native) => stepsOf(native).some(isCallStep),
  says: (native, calls, isStrict) =>
    areSameCalls(stepCallsIn(native), calls) &&
    (!isStrict || fieldsOf(native)["status"] === "requires_action"),
  edit(native, edit) {
    const kept = stepsOf(native).filter((step) => !isCallStep(step));
    const steps = [...kept, ...newSteps(edit).map(({ whole }) => whole)];
    return { ...withStatus(fieldsOf(native), edit.ending), steps };
  },
};

const contentTypes: ReadonlySet<unknown> = new Set(["text", "image", "audio", "video", "document"]);
const isInputContent = (part: unknown): boolean => contentTypes.has(fieldsOf(part)["type"]);
const userStep = (...content: readonly unknown[]): Fields => ({ type: "user_input", content });

/** `input` is a text, a content, a list of contents, or a list of steps. */
function inputSteps(input: unknown): readonly unknown[] | undefined {
  if (typeof input === "string") return [userStep({ type: "text", text: input })];
  if (isFields(input)) return isInputContent(input) ? [userStep(input)] : undefined;
  if (!Array.isArray(input)) return undefined;
  return input.length > 0 && input.every(isInputContent) ? [userStep(...input)] : input;
}

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
  addUserMessage(request, text) {
    const steps = inputSteps(request["input"]);
    return steps && { ...request, input: [...steps, userStep({ type: "text", text })] };
  },
};
