import type { Emit } from "@fullstop/core/adapter";
import { emitOtherReasons, isFinishReason } from "./choice-stop.ts";
import {
  createReasoning,
  type Reasoning,
  type ReasoningData,
  readDelta,
  toolCallsIn,
} from "./delta.ts";
import { type Choice, choiceIndex } from "./events.ts";
import type { CallIndex } from "./input.ts";
import { assertConsistentCalls, createInputs, type Inputs } from "./inputs.ts";
import {
  createProgress,
  type EndEvidence,
  endsWithoutReason,
  finalStop,
  finishChoice,
  type Progress,
  repeatStop,
  trackProgress,
} from "./progress.ts";
import type { ReplyQuirks } from "./quirks.ts";
import { endOf } from "./repeated-message.ts";

interface Choices {
  add(choice: Choice): void;
  /** The end of a choice whose message repeats its deltas. Throws if it does not. */
  addEndOf(choice: Choice): void;
  /** Returns whether the reply has ended. */
  end(evidence: EndEvidence): boolean;
  contentCount(): number;
  assertConsistent(): void;
  hasReasoning(): boolean;
  hasCalls(): boolean;
  /** Whether a call with another id has this index. */
  isIndexOfOther(index: CallIndex, id: string): boolean;
}

interface ChoiceState {
  readonly reasoning: Reasoning;
  readonly inputs: Inputs;
  refused: boolean;
  hasFinished: boolean;
}

/** How many choices the request asked for. */
export type RequestedChoices = "one" | "any";

export function createChoices(
  target: Emit,
  quirks: ReplyQuirks,
  requested: RequestedChoices,
): Choices {
  const states = new Map<number | string, ChoiceState>();
  const open = new Set<ChoiceState>();
  const progress = createProgress();
  const emit = trackProgress(target, progress);
  const settle = (state: ChoiceState): void => {
    settleChoice(state, emit);
    open.delete(state);
  };
  const stateOf = (index: number | string): ChoiceState => {
    const known = states.get(index);
    if (known !== undefined) return known;
    const state = createChoiceState(emit, quirks, progress);
    states.set(index, state);
    return state;
  };
  const choices: Choices = {
    add(choice) {
      const index = choiceIndex(choice);
      if (index !== 0 && quirks.mergesChoices !== true) {
        return noteOtherChoice(choice, progress);
      }
      const state = stateOf(index);
      open.add(state);
      const { contentCount } = progress;
      readDelta(state, choice, emit);
      const hasContent = progress.contentCount > contentCount;
      const isEnd = isFinishReason(choice.finish_reason);
      if (isEnd) settle(state);
      emitOtherReasons(choice, quirks, target);
      if (isEnd) target(finishChoice(state, choice, { progress, quirks, hasContent }));
      else if (hasContent) repeatStop(state, progress, target);
    },
    addEndOf: (choice) =>
      choices.add(endOf(choice, states.get(choiceIndex(choice))?.inputs, progress.text)),
    end(evidence) {
      const stop = finalStop(progress, states, endsWithoutReason(progress, quirks, evidence));
      for (const state of open) settle(state);
      if (stop === undefined) return false;
      progress.provisional = false;
      target({ ...stop, provisional: false });
      return true;
    },
    contentCount: () => progress.contentCount,
    assertConsistent() {
      if (requested === "one") assertNoCallIsLost(progress);
      for (const state of states.values()) assertNoCallBehindEnd(state);
      assertConsistentCalls(
        [...states.values()].map(({ inputs }) => inputs),
        quirks,
      );
    },
    hasReasoning: () => progress.hasReasoning,
    hasCalls: () => progress.nextKey > 0,
    isIndexOfOther: (index, id) =>
      [...states.values()].some(({ inputs }) => inputs.isIndexOfOther(index, id)),
  };
  return choices;
}

const createChoiceState = (emit: Emit, quirks: ReplyQuirks, progress: Progress): ChoiceState => ({
  reasoning: createReasoning(emit, quirks.reasoning),
  inputs: createInputs({
    quirks,
    emit,
    nextKey: () => progress.nextKey++,
    proseCount: () => progress.proseCount,
    repeat: (add) => {
      const { isRevoked } = progress;
      add();
      progress.isRevoked = isRevoked;
      progress.needsDone = true;
    },
  }),
  refused: false,
  hasFinished: false,
});

function noteOtherChoice(choice: Choice, progress: Progress): void {
  const [call] = toolCallsIn(choice.delta ?? choice.message);
  if (call) progress.otherCall ??= call.function?.name ?? "a tool";
  progress.otherChoiceFinished ||= isFinishReason(choice.finish_reason);
}

/** A second choice beside calls of the first is another answer; without them its call is lost. */
function assertNoCallIsLost({ otherCall, nextKey }: Progress): void {
  if (otherCall === undefined || nextKey > 0) return;
  throw new Error(
    `The reply has no tool call in its first choice, but one of ${otherCall} in another choice. If the host splits a reply over choices, set \`mergesChoices: true\` in its dialect.`,
  );
}

/** An id alone starts no input while more may come. */
function assertNoCallBehindEnd({ hasFinished, inputs: { list } }: ChoiceState): void {
  if (hasFinished && list.some(({ started }) => !started))
    throw new Error(
      "The reply begins a tool call behind its `finish_reason`, and ends before its name.",
    );
}

/** Reasoning details after all other content go back with the last call, or with the text. */
function settleChoice({ reasoning, inputs }: ChoiceState, emit: Emit): void {
  inputs.settle();
  const details = reasoning.takeDetails();
  if (details.length > 0 && !inputs.addData({ reasoning_details: details }))
    emit({ type: "provider-data", data: { reasoning_details: details } satisfies ReasoningData });
  reasoning.close();
}
