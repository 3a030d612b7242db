import type { Emit, TurnEvent } from "@fullstop/core/adapter";
import { type ChoiceStop, choiceStop, emitOtherReasons, isFinishReason } from "./choice-stop.ts";
import {
  createReasoning,
  type Reasoning,
  type ReasoningData,
  readDelta,
  toolCallsIn,
} from "./delta.ts";
import { type Choice, choiceIndex, doneMarker } from "./events.ts";
import type { CallIndex } from "./input.ts";
import { assertConsistentCalls, createInputs, type Inputs } from "./inputs.ts";
import type { ReplyQuirks } from "./quirks.ts";

interface Choices {
  add(choice: Choice): void;
  /** Returns whether the reply has ended. */
  end(evidence: EndEvidence): boolean;
  contentCount(): number;
  assertConsistent(): void;
  hasReasoning(): boolean;
  hasCalls(): boolean;
  /** Whether a call with another id has this index. */
  isIndexOfOther(index: CallIndex, id: string): boolean;
}

interface EndEvidence {
  readonly counted: boolean;
  /** The reply is a complete body, which was put together after generation. */
  readonly whole: boolean;
}

interface ChoiceState {
  readonly reasoning: Reasoning;
  readonly inputs: Inputs;
  refused: boolean;
  hasFinished: boolean;
}

interface Progress {
  nextKey: number;
  proseCount: number;
  hasReasoning: boolean;
  contentCount: number;
  /** A choice that is not read has a `finish_reason`, so the host does send them. */
  otherChoiceFinished: boolean;
  /** The name of the first call in a choice that is not read. */
  otherCall: string | undefined;
  continuedAfterStop: boolean;
  isRevoked: boolean;
  finishedChoices: number;
  stop: ChoiceStop | undefined;
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
  return {
    add(choice) {
      const index = choiceIndex(choice);
      if (index !== 0 && quirks.mergesChoices !== true) {
        return noteOtherChoice(choice, progress);
      }
      const state = stateOf(index);
      open.add(state);
      readDelta(state, choice, emit);
      const isEnd = isFinishReason(choice.finish_reason);
      if (isEnd) settle(state);
      emitOtherReasons(choice, quirks, target);
      if (!isEnd) return;
      const stop = finishChoice(state, choice, progress);
      const isProvisional = quirks.mergesChoices || progress.continuedAfterStop;
      target({ type: "stop", ...stop, provisional: isProvisional || undefined });
    },
    end(evidence) {
      const stop = finalStop(progress, states, endsWithoutReason(progress, quirks, evidence));
      for (const state of open) settle(state);
      if (stop !== undefined) target({ ...stop, provisional: false });
      return stop !== undefined;
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
}

const createProgress = (): Progress => ({
  nextKey: 0,
  proseCount: 0,
  hasReasoning: false,
  contentCount: 0,
  otherChoiceFinished: false,
  otherCall: undefined,
  continuedAfterStop: false,
  isRevoked: false,
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
    repeat: (add) => {
      const { isRevoked } = progress;
      add();
      progress.isRevoked = isRevoked;
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

function finishChoice(state: ChoiceState, choice: Choice, progress: Progress): ChoiceStop {
  if (!state.hasFinished) progress.finishedChoices++;
  state.hasFinished = true;
  progress.isRevoked = false;
  progress.stop = choiceStop(choice, state.refused);
  return progress.stop;
}

/**
 * The stop that the end of a reply reports, if it is one. Content after the last `finish_reason`
 * revokes it: gateways append `[DONE]` to streams that were cut. Hosts that send a reason before the
 * end send another one (1jehuang/jcode#1326, BerriAI/litellm#31634).
 */
function finalStop(
  { stop, finishedChoices, isRevoked }: Progress,
  choices: ReadonlyMap<number | string, ChoiceState>,
  endsWithoutStop: boolean,
): Extract<TurnEvent, { type: "stop" }> | undefined {
  const refused = [...choices.values()].some((state) => state.refused);
  const detail = refused ? { detail: "refusal" } : {};
  if (stop !== undefined && finishedChoices === choices.size && (refused || !isRevoked))
    return { type: "stop", ...stop, ...detail };
  return endsWithoutStop
    ? { type: "stop", native: doneMarker, implied: true, ...detail }
    : undefined;
}

/** Its host is known to omit it, or the body is complete; and usage came after the last content. */
function endsWithoutReason(
  { stop, contentCount, otherChoiceFinished }: Progress,
  { doneEnds }: ReplyQuirks,
  evidence: EndEvidence,
): boolean {
  const isAllowed = doneEnds === true || (doneEnds === "body" && evidence.whole);
  if (!isAllowed || !evidence.counted || contentCount === 0) return false;
  return stop === undefined && !otherChoiceFinished;
}

const trackProgress =
  (emit: Emit, progress: Progress): Emit =>
  (event) => {
    const isProse = event.type === "text" || event.type === "thinking";
    if (isProse) progress.proseCount++;
    progress.hasReasoning ||= event.type === "thinking";
    if (isContent(event)) {
      progress.contentCount++;
      progress.continuedAfterStop ||= progress.stop !== undefined;
      progress.isRevoked ||= progress.stop !== undefined;
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
