import type { Emit, TurnEvent } from "@fullstop/core/adapter";
import type { ReplyQuirks } from "../quirks.ts";
import { assertConsistentCalls } from "./consistency.ts";
import { readDelta } from "./delta.ts";
import { type Choice, doneMarker } from "./events.ts";
import {
  type ChoiceStop,
  choiceStop,
  emitNativeFinishReason,
  isFinishReason,
} from "./finish-reason.ts";
import { createInputs, type Inputs } from "./inputs.ts";
import { createReasoning, type Reasoning, type ReasoningData } from "./reasoning.ts";

/** The choices of one reply: the first, or on some hosts all of them together. */
export interface Choices {
  add(choice: Choice): void;
  /** `[DONE]` or the end of a complete reply. `counted`: a usage report came. */
  end(counted: boolean): void;
  /** @throws Error if the reply as a whole contradicts itself. */
  assertConsistent(): void;
  hasReasoning(): boolean;
}

/** One choice, while it arrives. */
interface ChoiceState {
  readonly reasoning: Reasoning;
  readonly inputs: Inputs;
  refused: boolean;
  hasFinished: boolean;
}

/** What came of a reply so far. */
interface Progress {
  nextKey: number;
  proseCount: number;
  hasReasoning: boolean;
  hasContent: boolean;
  /** Content came after a `finish_reason`. */
  continuedAfterStop: boolean;
  finishedChoices: number;
  stop: ChoiceStop | undefined;
}

export function createChoices(target: Emit, quirks: ReplyQuirks): Choices {
  const states = new Map<number, ChoiceState>();
  const open = new Set<ChoiceState>();
  const progress = createProgress();
  const emit = trackProgress(target, progress);
  const settle = (state: ChoiceState): void => {
    settleChoice(state, emit);
    open.delete(state);
  };
  const stateOf = (index: number): ChoiceState => {
    const known = states.get(index);
    if (known !== undefined) return known;
    const state = createChoiceState(emit, quirks, progress);
    states.set(index, state);
    return state;
  };
  return {
    add(choice) {
      const index = choice.index ?? 0;
      if (index !== 0 && quirks.mergesChoices !== true) return;
      const state = stateOf(index);
      open.add(state);
      readDelta(state, choice, emit);
      const isEnd = isFinishReason(choice.finish_reason);
      if (isEnd) settle(state);
      emitNativeFinishReason(choice, target);
      if (!isEnd) return;
      const stop = finishChoice(state, choice, progress);
      const isProvisional = quirks.mergesChoices || progress.continuedAfterStop;
      target({ type: "stop", ...stop, provisional: isProvisional || undefined });
    },
    end(counted) {
      for (const state of open) settle(state);
      const { stop, finishedChoices } = progress;
      const refused = [...states.values()].some((state) => state.refused);
      if (stop !== undefined && finishedChoices === states.size)
        target({
          type: "stop",
          ...stop,
          ...(refused && { detail: "refusal" }),
          provisional: false,
        });
      else if (states.size > 0 && endsWithDone(progress, quirks, counted))
        target({ type: "stop", native: doneMarker, provisional: false });
    },
    assertConsistent: () =>
      assertConsistentCalls(
        [...states.values()].map(({ inputs }) => inputs),
        quirks,
      ),
    hasReasoning: () => progress.hasReasoning,
  };
}

const createProgress = (): Progress => ({
  nextKey: 0,
  proseCount: 0,
  hasReasoning: false,
  hasContent: false,
  continuedAfterStop: false,
  finishedChoices: 0,
  stop: undefined,
});

const createChoiceState = (emit: Emit, quirks: ReplyQuirks, progress: Progress): ChoiceState => ({
  reasoning: createReasoning(emit, quirks.reasoning),
  inputs: createInputs({
    quirks,
    emit,
    nextKey: () => progress.nextKey++,
    proseCount: () => progress.proseCount,
  }),
  refused: false,
  hasFinished: false,
});

function finishChoice(state: ChoiceState, choice: Choice, progress: Progress): ChoiceStop {
  if (!state.hasFinished) progress.finishedChoices++;
  state.hasFinished = true;
  progress.stop = choiceStop(choice, state.refused);
  return progress.stop;
}

/**
 * Without a `finish_reason`, `[DONE]` ends a reply if the host never sends one, or if a usage
 * report shows that generation has ended.
 */
function endsWithDone(
  { stop, hasContent }: Progress,
  { doneEnds }: ReplyQuirks,
  counted: boolean,
): boolean {
  return (
    doneEnds === true || (doneEnds === "counted" && counted && hasContent && stop === undefined)
  );
}

/** Passes content events on, and records what the end of the reply depends on. */
const trackProgress =
  (emit: Emit, progress: Progress): Emit =>
  (event) => {
    const isProse = event.type === "text" || event.type === "thinking";
    if (isProse) progress.proseCount++;
    progress.hasReasoning ||= event.type === "thinking";
    if (isContent(event)) {
      progress.hasContent = true;
      progress.continuedAfterStop ||= progress.stop !== undefined;
    }
    emit(event);
  };
const isContent = (event: TurnEvent): boolean =>
  !("text" in event) || event.type === "tool-input-end" || event.text !== "";

/** Reasoning details after all other content go back with the last call, or with the text. */
function settleChoice({ reasoning, inputs }: ChoiceState, emit: Emit): void {
  inputs.settle();
  const details = reasoning.takeDetails();
  if (details.length > 0 && !inputs.addData({ reasoning_details: details }))
    emit({ type: "provider-data", data: { reasoning_details: details } satisfies ReasoningData });
  reasoning.close();
}
