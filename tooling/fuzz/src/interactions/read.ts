import {
  canonical,
  type Fields,
  isListOrNone,
  isNullish,
  isObject,
  listOrEmpty,
  members,
  nonBlank,
  numberOrNone,
  textOrNone,
} from "../json.ts";
import { Notes } from "../notes.ts";
import type { Reading, WireCall } from "../reading.ts";
import { doneMarker, type Received } from "../received.ts";
import { decideReading } from "../settle.ts";
import { interactionsMeaning, isRunning } from "./stops.ts";

interface ReceivedStep {
  readonly type: string;
  readonly start: Fields;
  readonly pieces: string[];
  closed: boolean;
}
interface InteractionState {
  readonly notes: Notes;
  /** By index. */
  readonly steps: (ReceivedStep | undefined)[];
  begun?: string;
  ended: boolean;
}

/**
 * Follows https://ai.google.dev/gemini-api/docs/streaming and doubts everything that it does not
 * allow.
 */
export function readInteraction(received: Received): Reading {
  const state: InteractionState = { notes: new Notes(), steps: [], ended: false };
  const { notes, steps } = state;
  for (const event of received.events) {
    if (event === doneMarker) continue;
    if (received.whole) takeInteraction(state, members(event), true);
    else takeInteractionEvent(state, members(event));
  }
  notes.damage(received, state.ended);
  const known = [...steps].flatMap((step) => step ?? []);
  noteSteps(state, known, received.whole);
  const calls = known.flatMap((step) =>
    step.type === "function_call" ? [stepCall(notes, step)] : [],
  );
  return decideReading({
    ...notes.facts(),
    capUnclear: known.some(({ type }) => isServerCall(type)),
    calls,
    text: known.map(textOf).join(""),
    end: state.ended ? "came" : "missing",
    serverToolOpen: hasOpenServerCall(known),
    closesInputs: true,
  });
}

const isServerCall = (type: string): boolean => type !== "function_call" && type.endsWith("_call");

function hasOpenServerCall(steps: readonly ReceivedStep[]): boolean {
  const answered = new Set(steps.map(({ start }) => start["call_id"]));
  return steps.some(({ type, start }) => isServerCall(type) && !answered.has(start["id"]));
}

/** Checks that need all steps. */
function noteSteps(
  { notes, steps, begun }: InteractionState,
  known: readonly ReceivedStep[],
  isWhole: boolean,
): void {
  notes.doubt("no beginning", !isWhole && begun === undefined);
  notes.flaw("a missing step: its number is left out", known.length < steps.length);
  for (const { start } of known)
    for (const content of [start["content"], start["summary"]]) {
      notes.doubt("a content that is not a list", !isListOrNone(content));
      const texts = listOrEmpty(content).map((one) => members(one)["text"]);
      notes.doubt(
        "another type in place of a text",
        texts.some((text) => typeof text !== "string"),
      );
    }
  for (const { type, closed } of known)
    notes[type === "function_call" ? "flaw" : "doubt"]("an unclosed step", !closed);
}

type StepHandler = (state: InteractionState, event: Fields) => void;
const interactionHandlers: Readonly<Record<string, StepHandler>> = {
  "interaction.created": beginInteraction,
  "interaction.status_update": takeStatusUpdate,
  "interaction.completed": completeInteraction,
  "step.start": startStep,
  "step.delta": addStepDelta,
  "step.stop": stopStep,
  error: ({ notes }, event) => notes[event["error"] ? "flaw" : "doubt"]("an error report"),
};

function takeInteractionEvent(state: InteractionState, event: Fields): void {
  const type = textOrNone(event["event_type"]);
  if (type !== undefined && Object.hasOwn(interactionHandlers, type))
    interactionHandlers[type]?.(state, event);
  else if (event["error"]) state.notes.flaw("an error report");
  else if (type === undefined) state.notes.ambiguity("an event without a type");
  else state.notes.doubt("an event of an unknown type", event["delta"] !== undefined);
}

function beginInteraction(state: InteractionState, event: Fields): void {
  const { notes, steps, begun } = state;
  const json = JSON.stringify(event);
  notes.doubt("a second beginning", begun !== undefined && (begun !== json || steps.length > 0));
  notes.doubt("a beginning behind a step", steps.length > 0);
  notes.ambiguity("a beginning behind the end", state.ended);
  notes.doubt("a beginning without an interaction", !isObject(event["interaction"]));
  state.begun = json;
}

function takeStatusUpdate({ notes, ended }: InteractionState, { status }: Fields): void {
  notes.doubt("a status after the end", ended);
  notes.doubt("a failure that another event describes", status === "failed");
  noteStatus(notes, status);
}

function noteStatus(notes: Notes, status: unknown): void {
  const text = nonBlank(status);
  notes.doubt("a status that is not a text", text === undefined);
  if (text !== undefined && !isRunning(text)) notes.stops.push(interactionsMeaning(text));
}

function completeInteraction(state: InteractionState, event: Fields): void {
  const { notes, steps } = state;
  const interaction = members(event["interaction"]);
  notes.doubt("an end without an interaction", !isObject(event["interaction"]));
  notes.doubt("a second end", state.ended);
  const { steps: listed } = interaction;
  takeInteraction(state, interaction, steps.length === 0);
  if (steps.length > 0 && listOrEmpty(listed).length > 0)
    noteRepeatedCalls(state, listOrEmpty(listed).map(members));
}

/** The last event may repeat the steps. The same call then has the same name and the same input. */
function noteRepeatedCalls({ notes, steps }: InteractionState, listed: readonly Fields[]): void {
  const isCall = ({ type }: Fields): boolean => type === "function_call";
  const streamed = steps.flatMap((step) => (step && isCall(step.start) ? [step] : []));
  const again = listed.filter(isCall);
  const idsOf = (calls: readonly Fields[]): string => JSON.stringify(calls.map(({ id }) => id));
  const isListed = idsOf(again) === idsOf(streamed.map(({ start }) => start));
  notes.doubt("other steps at the end", !isListed);
  for (const [at, { start, pieces }] of streamed.entries()) {
    const { name, arguments: input } = again[at] ?? {};
    const text = pieces.join("") || JSON.stringify(start["arguments"] ?? {});
    const isSame =
      name === start["name"] && canonical(JSON.stringify(input ?? {})) === canonical(text);
    notes.suspicion("another form of a call at the end", isListed && !isSame);
  }
}

function takeInteraction(state: InteractionState, interaction: Fields, readsSteps: boolean): void {
  const { notes } = state;
  const { steps, status, usage, error, errors } = interaction;
  notes.flaw("an error report", Boolean(error) || listOrEmpty(errors).length > 0);
  notes.ambiguity("steps that are not a list", !isListOrNone(steps));
  if (readsSteps)
    for (const step of listOrEmpty(steps)) {
      const type = textOrNone(members(step)["type"]);
      notes.flaw("a step without a type", type === undefined);
      state.steps.push({ type: type ?? "", start: members(step), pieces: [], closed: true });
    }
  noteStatus(notes, status);
  if (nonBlank(status) !== undefined && !isRunning(status)) state.ended = true;
  notes.secondWord(interaction["stop_reason"], state.ended);
  const output = numberOrNone(members(usage)["total_output_tokens"]);
  if (output !== undefined) notes.output = output;
}

function startStep(state: InteractionState, event: Fields): void {
  const { notes, steps } = state;
  notes.ambiguity("content after the end", state.ended);
  const start = members(event["step"]);
  const index = numberOrNone(event["index"]);
  const type = textOrNone(start["type"]);
  if (index === undefined || !(index >= 0 && index < 1000))
    return notes.ambiguity("a step without a number");
  notes.flaw("a step without a type", type === undefined);
  notes.ambiguity("a number that is used twice", steps[index] !== undefined);
  notes.ambiguity("a late number", index < steps.length);
  steps[index] ??= { type: type ?? "", start, pieces: [], closed: false };
}

/** The type of the step that each delta belongs to. */
const deltaSteps: Readonly<Record<string, string>> = {
  text: "model_output",
  thought_summary: "thought",
  thought_signature: "thought",
  arguments_delta: "function_call",
};

function addStepDelta(state: InteractionState, event: Fields): void {
  const { notes, steps } = state;
  notes.ambiguity("content after the end", state.ended);
  const step = steps[numberOrNone(event["index"]) ?? -1];
  if (step === undefined || step.closed) return notes.flaw("a delta of a step that is not open");
  const delta = members(event["delta"]);
  const type = textOrNone(delta["type"]) ?? "";
  if (!Object.hasOwn(deltaSteps, type)) return notes.ambiguity("a delta of an unknown type");
  if (deltaSteps[type] !== step.type) return notes.ambiguity("a delta that does not fit its step");
  if (type === "thought_signature") return;
  const piece = textOrNone(stepPiece(type, delta));
  if (piece === undefined) return notes.ambiguity("a delta without its text");
  step.pieces.push(piece);
}

function stepPiece(type: string, delta: Fields): unknown {
  if (type === "thought_summary") return members(delta["content"])["text"];
  return type === "text" ? delta["text"] : (delta["arguments"] ?? delta["partial_arguments"]);
}

function stopStep(state: InteractionState, event: Fields): void {
  const { notes, steps, ended } = state;
  notes.ambiguity("content after the end", ended);
  const step = steps[numberOrNone(event["index"]) ?? -1];
  if (step === undefined) return notes.flaw("the end of a step that did not beginInteraction");
  notes.doubt("a second end of a step", step.closed);
  step.closed = true;
}

function stepCall(notes: Notes, { start, pieces }: ReceivedStep): WireCall {
  const { id, name, arguments: args } = start;
  const given = isNullish(args) ? "" : JSON.stringify(args);
  notes.ambiguity("arguments that are not an object", !isNullish(args) && !isObject(args));
  return { text: notes.inputOf(given, pieces), ...notes.named(name, id) };
}

function textOf({ type, start, pieces }: ReceivedStep): string {
  if (type !== "model_output") return "";
  const begun = listOrEmpty(start["content"])
    .map(members)
    .map((content) => (content["type"] === "text" ? (textOrNone(content["text"]) ?? "") : ""));
  return begun.join("") + pieces.join("");
}
