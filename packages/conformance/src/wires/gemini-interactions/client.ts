import type { AssembledCall, ClientReading, WireClient } from "../../client.ts";
import { createReading, type GrowingReading } from "../../client.ts";
import { type Fields, fieldsOf, objectsIn } from "../shared.ts";

interface ReadInteraction {
  readonly reading: GrowingReading;
  /** The steps that began and did not end. */
  readonly open: Map<unknown, { readonly call?: { name: string; input: string } }>;
  started: number;
}

const isFunctionCall = ({ type }: Fields): boolean => type === "function_call";
const inputOf = (args: unknown): string => JSON.stringify(args ?? {});
const stepCall = ({ name, arguments: args }: Fields): AssembledCall => ({
  name: String(name ?? ""),
  input: inputOf(args),
});

function startStep({ reading, open, started }: ReadInteraction, { index, step }: Fields): void {
  const fields = fieldsOf(step);
  if (index !== started) reading.flaws.push(`Step ${index} begins as number ${started}.`);
  if (!isFunctionCall(fields)) return void open.set(index, {});
  reading.callParts.push("step.start");
  const input = inputOf(fields["arguments"]);
  open.set(index, {
    call: { name: String(fields["name"] ?? ""), input: input === "{}" ? "" : input },
  });
}

function readDelta({ reading, open }: ReadInteraction, { index, delta }: Fields): void {
  const { type, arguments: text, partial_arguments: other } = fieldsOf(delta);
  if (!open.has(index)) reading.flaws.push(`A delta comes for step ${index}, which is not open.`);
  if (type !== "arguments_delta") return;
  reading.callParts.push("step.delta");
  const call = open.get(index)?.call;
  if (call !== undefined) call.input += String(text ?? other ?? "");
}

/** A naive client runs a call at the end of its step. */
function stopStep({ reading, open }: ReadInteraction, { index }: Fields): void {
  const step = open.get(index);
  if (step === undefined) reading.flaws.push(`Step ${index} ends and is not open.`);
  if (step?.call !== undefined) {
    reading.callParts.push("step.stop");
    reading.calls.push({ name: step.call.name, input: step.call.input || "{}" });
  }
  open.delete(index);
}

function completeInteraction({ reading, open }: ReadInteraction, interaction: Fields): void {
  const listed = objectsIn(interaction["steps"]).filter(isFunctionCall);
  if (listed.length > 0) reading.callParts.push("interaction.completed");
  reading.calls.push(...listed.map(stepCall));
  for (const index of open.keys()) reading.flaws.push(`Step ${index} is open at the end.`);
  reading.stop = String(interaction["status"]);
  reading.failed ||= interaction["status"] === "failed";
  reading.ended = true;
}

function readStepEvent(state: ReadInteraction, event: Fields): void {
  const { reading } = state;
  const type = String(event["event_type"]);
  if (reading.ended && /^(step|interaction)\./.test(type))
    reading.flaws.push(`${type} after the end.`);
  if (type === "step.start") {
    startStep(state, event);
    state.started++;
  } else if (type === "step.delta") readDelta(state, event);
  else if (type === "step.stop") stopStep(state, event);
  else if (type === "interaction.completed")
    completeInteraction(state, fieldsOf(event["interaction"]));
  else if (event["error"] !== undefined && event["error"] !== null) reading.failed = true;
}

function readStepEvents(events: readonly unknown[]): ClientReading {
  const state: ReadInteraction = { reading: createReading(), open: new Map(), started: 0 };
  for (const event of events.map(fieldsOf)) readStepEvent(state, event);
  return state.reading;
}

function readInteraction(body: unknown): ClientReading {
  const { status, steps, error } = fieldsOf(body);
  const calls = objectsIn(steps).filter(isFunctionCall);
  return {
    callParts: calls.map(() => "steps"),
    calls: calls.map(stepCall),
    ...(typeof status === "string" && { stop: status }),
    failed: status === "failed" || (error !== undefined && error !== null),
    ended: typeof status === "string",
    flaws: [],
  };
}

export const interactionsClient: WireClient = {
  readStream: readStepEvents,
  readBody: readInteraction,
};
