import { type Fields, fieldsOf } from "@fullstop/core/adapter";
import type { CallReader } from "../protocol.ts";
import { areSameCalls, type OpenCall, openCall, type ReadCall, toReadCall } from "../same-calls.ts";
import { isCallStep, stepsOf, typeOf } from "./events.ts";

export const openStep = (step: Fields): OpenCall => openCall(step, step["arguments"]);

export const readStep = (step: unknown): ReadCall | undefined =>
  isCallStep(step) ? toReadCall(openStep(fieldsOf(step))) : undefined;
/** The calls in an interaction in one piece. */
export const stepCallsIn = (interaction: unknown): readonly ReadCall[] =>
  stepsOf(interaction).flatMap((step) => readStep(step) ?? []);

export const pieceIn = ({ arguments: text, partial_arguments: other }: Fields): unknown =>
  text ?? other;

/** What a client has read so far. */
interface ReadSteps {
  readonly calls: OpenCall[];
  readonly open: Map<unknown, OpenCall>;
  /** The calls that the last event lists. */
  readonly listed: ReadCall[];
  readonly ends: unknown[];
  hasStrictEnding: boolean;
}

/** How each event that says a part of a call is read. */
const stepReaders: Readonly<Record<string, (read: ReadSteps, event: Fields) => void>> = {
  "step.start": ({ calls, open }, { index, step }) => {
    if (!isCallStep(step)) return;
    const call = openStep(fieldsOf(step));
    calls.push(call);
    open.set(index, call);
  },
  "step.delta": ({ open }, { index, delta }) => {
    const piece = pieceIn(fieldsOf(delta));
    if (typeof piece === "string") open.get(index)?.pieces.push(piece);
  },
  "step.stop": ({ open, ends }, { index }) => {
    if (open.has(index)) ends.push(index);
  },
  "interaction.completed": (read, { interaction }) => {
    read.ends.push("interaction.completed");
    read.listed.push(...stepCallsIn(interaction));
    read.hasStrictEnding ||= fieldsOf(interaction)["status"] === "requires_action";
  },
};

/** A client may run a call when its step ends, and each call that the last event lists. */
export function createStepCallReader(): CallReader {
  const read: ReadSteps = {
    calls: [],
    open: new Map(),
    listed: [],
    ends: [],
    hasStrictEnding: false,
  };
  return {
    add: (native) => stepReaders[String(typeOf(native))]?.(read, fieldsOf(native)),
    says(granted, isStrict) {
      const { calls, listed, ends, hasStrictEnding } = read;
      const isClear = calls.length === 0 || listed.length === 0;
      return (
        isClear &&
        ends.length === new Set(ends).size &&
        areSameCalls([...calls.map(toReadCall), ...listed], granted) &&
        (!isStrict || hasStrictEnding)
      );
    },
  };
}
