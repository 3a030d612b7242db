import { type Emit, isObjectText, isOtherInput } from "@fullstop/core/adapter";
import type { Interactions } from "@google/genai";
import type { Step, StepDeltaData } from "./events.ts";
import type { StepReader } from "./step-reader.ts";
import {
  isServerCall,
  readCallStep,
  readNativeStep,
  readOutputStep,
  readThoughtStep,
} from "./step-readers.ts";

/** The steps of one reply, by index. */
export interface ReplySteps {
  start(index: number, step: Step): void;
  delta(index: number, delta: StepDeltaData): void;
  stop(index: number): void;
  /**
   * The steps in the last event of a stream, or in an interaction in one piece. Throws if they have
   * other calls than those that came, or the same with another name or another input.
   */
  readAll(steps: readonly Step[]): void;
  hasSteps(): boolean;
  usedServerTools(): boolean;
  /** Throws if the reply has calls and a step of it is missing: the missing one may be a call. */
  assertComplete(): void;
}

interface KnownCall extends Pick<Interactions.FunctionCallStep, "id" | "name"> {
  readonly reader: StepReader;
}

/** What is known about the steps so far. */
interface StepState {
  readonly open: Map<number, StepReader>;
  readonly started: Set<number>;
  readonly calls: KnownCall[];
  openText: StepReader["textType"];
  usedServerTools: boolean;
}

export function createReplySteps(emit: Emit): ReplySteps {
  const state: StepState = {
    open: new Map(),
    started: new Set(),
    calls: [],
    openText: undefined,
    usedServerTools: false,
  };
  const { open, started } = state;
  const start = (index: number, step: Step): void => {
    if (started.has(index)) throw new Error(`The reply starts step ${index} twice.`);
    if (typeof step?.type !== "string")
      throw new Error(`The reply starts step ${index} without a type.`);
    started.add(index);
    open.set(index, readStep(emit, index, step, state));
  };
  const stop = (index: number): void => {
    if (!started.has(index)) throw new Error(`The reply ends step ${index}, which never started.`);
    const reader = open.get(index);
    open.delete(index);
    state.openText = reader?.stop() ? reader.textType : undefined;
  };
  return {
    start,
    delta(index, delta) {
      const reader = open.get(index);
      if (reader === undefined)
        throw new Error(`The reply continues step ${index}, which is not open.`);
      reader.delta(delta);
    },
    stop,
    readAll(steps) {
      if (started.size > 0) return assertSameCalls(state, steps);
      for (const [index, step] of steps.entries()) {
        start(index, step);
        stop(index);
      }
    },
    hasSteps: () => started.size > 0,
    usedServerTools: () => state.usedServerTools,
    assertComplete: () => assertNoGap(state),
  };
}

/** A step of a type that is not listed here is kept verbatim. */
function readStep(emit: Emit, index: number, step: Step, state: StepState): StepReader {
  const reader = createStepReader(emit, index, step, state);
  const { textType } = reader;
  if (textType !== undefined && textType === state.openText)
    emit({ type: "provider-data", data: null });
  state.openText = undefined;
  return reader;
}

function createStepReader(emit: Emit, index: number, step: Step, state: StepState): StepReader {
  switch (step.type) {
    case "model_output":
      return readOutputStep(emit, step);
    case "thought":
      return readThoughtStep(emit, step);
    case "function_call": {
      const reader = readCallStep(emit, index, step);
      state.calls.push({ id: step.id, name: step.name, reader });
      return reader;
    }
    case "function_result":
      if (state.calls.some(({ id }) => id === step.call_id))
        throw new Error(`The reply answers its own function call ${step.call_id}.`);
      return echo;
    case "user_input":
      return echo;
  }
  state.usedServerTools ||= isServerCall(step);
  return readNativeStep(emit, step);
}

/** A step of the request that the reply repeats. */
const echo: StepReader = { delta: () => undefined, stop: () => false };

function assertSameCalls({ calls }: StepState, steps: readonly Step[]): void {
  const listed = steps.filter((step) => step?.type === "function_call");
  const isSame =
    listed.length === calls.length &&
    listed.every((step, at) => isSameCall(calls[at] as KnownCall, step));
  if (!isSame)
    throw new Error("The end of the reply lists other function calls than those that came.");
}

/** A step of the list that has no name or no arguments does not say another one. */
function isSameCall(
  { id, name, reader }: KnownCall,
  { id: listedId, name: listedName, arguments: args }: Interactions.FunctionCallStep,
): boolean {
  const isOtherName = Boolean(listedName) && listedName !== name;
  const text = reader.input?.() || "{}";
  // The gate judges an input that is not an object.
  const isOther =
    args !== undefined && args !== null && isObjectText(text) && isOtherInput(args, text);
  return id === listedId && !isOtherName && !isOther;
}

/**
 * The indices count from 0, without gaps.
 * https://ai.google.dev/gemini-api/docs/streaming, allenhutchison/obsidian-gemini#1269
 */
function assertNoGap({ open, started, calls }: StepState): void {
  if (calls.length === 0) return;
  const missing = [...started].findIndex((_, place) => !started.has(place));
  if (missing >= 0) throw new Error(`Step ${missing} of the reply is missing.`);
  for (const [index, { isNative }] of open)
    if (isNative) throw new Error(`Step ${index} of the reply never ended.`);
}
