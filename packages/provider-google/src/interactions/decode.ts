import {
  type Decoder,
  type Emit,
  fieldsOf,
  readIndex,
  unfinishedWords,
} from "@fullstop/core/adapter";
import type { Interactions } from "@google/genai";
import { emitGoogleError } from "../google-error.ts";
import { mergeUsage, type NativeUsage, readUsage } from "../usage.ts";
import type { InteractionsEvent, WholeInteraction } from "./events.ts";
import { inputPieceOf } from "./step-reader.ts";
import { createReplySteps, type ReplySteps } from "./steps.ts";

/**
 * The counts of generateContent, and their names here. Both report the counts of the same service:
 * the input, the answer and the thoughts add up to the total.
 * https://ai.google.dev/gemini-api/docs/streaming
 */
const counts: readonly (readonly [keyof NativeUsage, keyof Interactions.Usage])[] = [
  ["promptTokenCount", "total_input_tokens"],
  ["toolUsePromptTokenCount", "total_tool_use_tokens"],
  ["cachedContentTokenCount", "total_cached_tokens"],
  ["candidatesTokenCount", "total_output_tokens"],
  ["thoughtsTokenCount", "total_thought_tokens"],
];

const toNativeUsage = (usage: Interactions.Usage): NativeUsage =>
  mergeUsage({}, Object.fromEntries(counts.map(([ours, theirs]) => [ours, usage[theirs]])));

/**
 * Reads one reply. Throws if an event contradicts an earlier one.
 *
 * | question | answer |
 * | --- | --- |
 * | What identifies a reply? | Its `interaction.created`: a second one is of another reply if its id differs, or if a step came before it. With `store: false` the id is empty. |
 * | What identifies a call? | The index of its `function_call` step. |
 * | What closes a call? | `step.stop` with that index. |
 * | What ends the reply? | `interaction.completed`. The `[DONE]` behind it is ignored. |
 * | Which status counts? | That of `interaction.completed`, or a worse word under the name of another protocol. One of `interaction.status_update` can only make it worse. `failed` is an error in both. |
 * | Which contradictions are found at once? | A second `interaction.created` as above; a step that starts twice; a delta to a step that is not open; two inputs for one call; a result for a call of the same reply; other calls in the last event than those that came. |
 * | Which are found at the end, if the reply has calls? | A gap in the indices; a step of a server tool that never ended. |
 */
export function createInteractionsDecoder(emit: Emit): Decoder<InteractionsEvent> {
  const steps = createReplySteps(emit);
  const envelope = createEnvelope(emit, steps);
  const decode = (event: InteractionsEvent): void => {
    switch (event.event_type) {
      case "interaction.created":
        return envelope.start(event.interaction);
      case "interaction.status_update":
        envelope.count(event.usage);
        if (event.status === "failed") emitUnexplained(emit);
        return emit({ type: "stop", native: event.status, provisional: true });
      case "interaction.completed":
        return envelope.finish(event.interaction, unfinishedWords(event, []));
      case "step.start":
        return steps.start(readIndex(event.index), event.step);
      case "step.delta":
        return steps.delta(readIndex(event.index), event.delta);
      case "step.stop":
        return steps.stop(readIndex(event.index));
      case "error":
        return event.error ? emitGoogleError(emit, event.error) : emitUnexplained(emit);
    }
    decodeUnknown(emit, event);
    if (event.event_type === undefined) envelope.finish(event);
  };
  return Object.assign(decode, { settle: () => steps.assertComplete() });
}

/** The part of an interaction that says who wrote it, how it ended and what it cost. */
type Ending = Pick<
  WholeInteraction,
  "id" | "model" | "status" | "steps" | "usage" | "continuation_token" | "errors"
>;
/** An interaction in an event of a stream has no `errors` in the SDK's type. */
type EventInteraction = Interactions.InteractionCompletedEvent["interaction"] &
  Pick<Ending, "errors">;

function createEnvelope(emit: Emit, steps: ReplySteps) {
  let id: string | undefined;
  let isKnown = false;
  const identify = ({ id: given, model }: Pick<Ending, "id" | "model">): void => {
    id = given || id;
    if (isKnown || !(id || model)) return;
    isKnown = true;
    emit({ type: "meta", id, model });
  };
  const count = (usage: Interactions.Usage | undefined): void => {
    if (!usage) return;
    // Each round of the service's own tools may use the whole cap, and the counts are sums.
    const towardCap = steps.usedServerTools() ? { towardCap: null } : {};
    emit({ type: "usage", usage: { ...readUsage(toNativeUsage(usage)), ...towardCap } });
  };
  return {
    start(interaction: Interactions.InteractionCreatedEvent["interaction"]): void {
      const isOther = Boolean(id && interaction.id && interaction.id !== id);
      if (isOther || steps.hasSteps()) throw new Error("The reply starts a second time.");
      identify(interaction);
      count(interaction.usage);
    },
    count,
    /** `words`: what the event besides the interaction says about its end. */
    finish(interaction: Ending | EventInteraction, words: readonly string[] = []): void {
      identify(interaction);
      if (interaction.steps && interaction.steps.length > 0) steps.readAll(interaction.steps);
      count(interaction.usage);
      for (const error of interaction.errors ?? []) emitGoogleError(emit, error);
      const stops = [...statusesOf(interaction), ...words];
      if (stops.includes("failed")) emitUnexplained(emit);
      if (interaction.continuation_token)
        emit({ type: "meta", resume: interaction.continuation_token });
      for (const native of stops) emit({ type: "stop", native, provisional: false });
    },
  };
}

const statusesOf = (interaction: Pick<Ending, "status">): readonly string[] => [
  ...(interaction.status ? [interaction.status] : []),
  ...unfinishedWords(interaction, ["status"]),
];

/** An interaction in one piece says why in `errors`. The events of a stream may say nothing. */
const emitUnexplained = (emit: Emit): void =>
  emit({
    type: "error",
    native: "failed",
    message: "The interaction failed, and the API gave no reason.",
    unexplained: true,
  });

/** New event types are ignored, but not an error without a type, and no piece of an input. */
function decodeUnknown(emit: Emit, event: WholeInteraction): void {
  if (event.error) emitGoogleError(emit, event.error);
  if (inputPieceOf(fieldsOf(event)["delta"]) !== undefined)
    throw new Error("An event with a piece of an input has no known type.");
}
