import type { AssembledCall, ClientReading, WireClient } from "../../client.ts";
import { sameJson } from "../../harness/json.ts";
import { createReading, type GrowingReading } from "../reading.ts";
import { type Fields, fieldsOf, objectsIn } from "../shared.ts";

/** The state of a response while it arrives. */
interface ReadResponse {
  readonly reading: GrowingReading;
  /** The items that began, by their output indices. */
  readonly added: Map<unknown, Fields>;
  readonly open: Set<unknown>;
  readonly done: Fields[];
  sequence: number;
}

/** Items that clients run. */
const callTypes: ReadonlySet<unknown> = new Set(["function_call", "custom_tool_call"]);
const isCall = ({ type }: Fields): boolean => callTypes.has(type);
const callOf = ({ name, arguments: json, input }: Fields): AssembledCall => ({
  name: String(name ?? ""),
  input: String(json ?? input ?? ""),
});
const callsOf = (items: readonly Fields[]): readonly AssembledCall[] =>
  items.filter(isCall).map(callOf);

const inputEvent = /^response\.(?:function_call_arguments|custom_tool_call_input)\./;

function noteItem(response: ReadResponse, event: Fields): void {
  const { type, output_index: index } = event;
  const { reading, added, open, done } = response;
  const item = fieldsOf(event["item"]);
  if (isCall(item)) reading.callParts.push(String(type));
  if (type === "response.output_item.added") {
    if (index !== added.size) reading.flaws.push(`Item ${index} begins as number ${added.size}.`);
    added.set(index, item);
    open.add(index);
    return;
  }
  if (!open.delete(index)) reading.flaws.push(`Item ${index} is done and is not open.`);
  done.push(item);
}

/** The stop reason of a final response, with its detail. */
function stopOf({ status, incomplete_details: details, error }: Fields): string {
  const { reason } = fieldsOf(details);
  const { code } = fieldsOf(error);
  if (status === "incomplete" && reason !== undefined) return `incomplete:${reason}`;
  return status === "failed" && code === "context_length_exceeded"
    ? `failed:${code}`
    : String(status);
}

const finalEvent = /^response\.(?:completed|incomplete|failed|done)$/;

function readFinal({ reading, open, done }: ReadResponse, final: Fields): void {
  const output = objectsIn(final["output"]);
  for (const index of open) reading.flaws.push(`Item ${index} is open at the end.`);
  if (output.length > 0 && done.length > 0 && !sameJson(idsOf(output), idsOf(done)))
    reading.flaws.push("The final response holds other items than those that came.");
  if (done.length === 0) reading.calls.push(...callsOf(output));
  reading.stop = stopOf(final);
  reading.failed ||= final["status"] === "failed";
  reading.ended = true;
}
const idsOf = (items: readonly Fields[]): readonly unknown[] => items.map(({ id }) => id ?? null);

function noteSequence(response: ReadResponse, { sequence_number: number, type }: Fields): void {
  if (typeof number !== "number") return;
  if (number <= response.sequence)
    response.reading.flaws.push(`${type} has the number ${number}, after ${response.sequence}.`);
  response.sequence = number;
}

function readEvent(response: ReadResponse, event: Fields): void {
  const { reading } = response;
  const type = String(event["type"]);
  const inner = fieldsOf(event["response"]);
  if (reading.ended && type.startsWith("response.")) reading.flaws.push(`${type} after the end.`);
  noteSequence(response, event);
  if (inputEvent.test(type)) reading.callParts.push(type);
  if (/^response\.output_item\.(?:added|done)$/.test(type)) noteItem(response, event);
  if (objectsIn(inner["output"]).some(isCall)) reading.callParts.push(type);
  if (finalEvent.test(type)) readFinal(response, inner);
  const isError = type === "error" || (event["error"] !== undefined && event["type"] === undefined);
  reading.failed ||= isError;
}

function readStream(events: readonly unknown[]): ClientReading {
  const response: ReadResponse = {
    reading: createReading(),
    added: new Map(),
    open: new Set(),
    done: [],
    sequence: -1,
  };
  for (const event of events.map(fieldsOf)) readEvent(response, event);
  response.reading.calls.push(...callsOf(response.done));
  return response.reading;
}

function readBody(body: unknown): ClientReading {
  const response = fieldsOf(body);
  const { object, error, output } = response;
  const calls = callsOf(objectsIn(output));
  return {
    callParts: calls.map(() => "output"),
    calls,
    ...(object === "response" && { stop: stopOf(response) }),
    failed: error !== undefined && error !== null,
    ended: object === "response",
    flaws: [],
  };
}

/** What a naive client makes of the events. */
export const responsesClient: WireClient = { readStream, readBody };
