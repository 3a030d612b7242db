import type { AssembledCall, ClientReading, WireClient } from "../../client.ts";
import { createReading } from "../../client.ts";
import { sameJson } from "../../harness/json.ts";
import { type Fields, fieldsOf, matches, objectsIn, wordsIn } from "../shared.ts";

type ReadResponse = ReturnType<typeof beginResponse>;
const beginResponse = () => ({
  reading: createReading(),
  /** The items that began, by their output indices. */
  added: new Map<unknown, Fields>(),
  open: new Set<unknown>(),
  done: [] as Fields[],
  /** The pieces of inputs, by output indices. */
  inputs: new Map<unknown, string>(),
  sequence: -1,
});

/** Items that name a tool and its input. */
const callTypes: ReadonlySet<unknown> = new Set(["custom_tool_call", "function_call"]);
/** Other items that clients run. */
const actionTypes: readonly unknown[] = wordsIn(`
  apply_patch_call computer_call local_shell_call mcp_approval_request shell_call tool_search_call
`);
const isCall = ({ type }: Fields): boolean => callTypes.has(type);
/** Some of these items run on the server. */
const isServers = ({ environment, execution }: Fields): boolean =>
  execution === "server" || matches(fieldsOf(environment)["type"], /^container/);
const serverTypes: readonly unknown[] = wordsIn(
  "code_interpreter_call file_search_call image_generation_call mcp_call web_search_call",
);
const isUnknownCall = (item: Fields): boolean =>
  matches(item["type"], /_call$/) && !isCall(item) && !serverTypes.includes(item["type"]);
const isRun = (item: Fields): boolean =>
  isCall(item) || (actionTypes.includes(item["type"]) && !isServers(item));
function callOf({ type, name, arguments: json, input }: Fields): AssembledCall {
  const isText = type === "custom_tool_call";
  return { name: String(name ?? ""), input: String((isText ? input : json) ?? ""), isText };
}
const callsOf = (items: readonly Fields[]): readonly AssembledCall[] =>
  items.filter(isCall).map(callOf);

const inputEvent = /^response\.(?:function_call_arguments|custom_tool_call_input)\./;

function noteItem(response: ReadResponse, event: Fields): void {
  const { type, output_index: index } = event;
  const { reading, added, open, done, inputs } = response;
  const item = fieldsOf(event["item"]);
  if (isRun(item)) reading.callParts.push(String(type));
  if ((isRun(item) && !isCall(item)) || isUnknownCall(item)) reading.isPartial = true;
  if (type === "response.output_item.added") {
    if (index !== added.size) reading.flaws.push(`Item ${index} begins as number ${added.size}.`);
    added.set(index, item);
    open.add(index);
    return;
  }
  if (!open.delete(index)) reading.flaws.push(`Item ${index} is done and is not open.`);
  if (isCall(item) && callOf(item).input !== "" && !inputs.has(index))
    reading.flaws.push(`Item ${index} has an input that never came in pieces.`);
  done.push(item);
}

const isRefusal = ({ content }: Fields): boolean =>
  objectsIn(content).some(({ type }) => type === "refusal");

/** The pieces of an input, and at its end the whole. */
function noteInput({ reading, inputs }: ReadResponse, event: Fields, type: string): void {
  reading.callParts.push(type);
  const { output_index: index, delta, arguments: json, input } = event;
  const pieces = inputs.get(index) ?? "";
  const whole = json ?? input;
  if (typeof delta === "string") inputs.set(index, pieces + delta);
  else if (pieces !== "" && typeof whole === "string" && whole !== pieces)
    reading.flaws.push(`The input of item ${index} is not what its pieces say.`);
}

function stopOf({ status, incomplete_details: details, error, output }: Fields): string {
  const { reason } = fieldsOf(details);
  const { code } = fieldsOf(error);
  if (status === "incomplete" && reason !== undefined) return `incomplete:${reason}`;
  if (status === "completed" && objectsIn(output).some(isRefusal)) return "completed:refusal";
  return status === "failed" && code === "context_length_exceeded"
    ? `failed:${code}`
    : String(status);
}

const finalEvent = /^response\.(?:completed|incomplete|failed|done)$/;

function readFinal({ reading, added, open, done }: ReadResponse, final: Fields): void {
  const output = objectsIn(final["output"]);
  for (const [index, { type }] of added)
    if (open.has(index) && type !== "reasoning")
      reading.flaws.push(`Item ${index} is open at the end.`);
  if (output.length > 0 && done.length > 0 && !sameJson(idsOf(output), idsOf(done)))
    reading.flaws.push("The final response holds other items than those that came.");
  // Some clients run each item when it is done, and each item of the final response.
  const listed = new Set(output.map((item) => item["call_id"]));
  reading.calls.push(
    ...callsOf([...done.filter((item) => !listed.has(item["call_id"])), ...output]),
  );
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
  if (inputEvent.test(type)) noteInput(response, event, type);
  if (/^response\.output_item\.(?:added|done)$/.test(type)) noteItem(response, event);
  if (objectsIn(inner["output"]).some(isRun)) reading.callParts.push(type);
  if (finalEvent.test(type)) readFinal(response, inner);
  const isError = type === "error" || (event["error"] !== undefined && event["type"] === undefined);
  reading.failed ||= isError;
}

function readResponseEvents(events: readonly unknown[]): ClientReading {
  const response = beginResponse();
  for (const event of events.map(fieldsOf)) readEvent(response, event);
  const { reading, done } = response;
  if (!reading.ended) reading.calls.push(...callsOf(done));
  return reading;
}

function readResponseBody(body: unknown): ClientReading {
  const response = fieldsOf(body);
  const { object, error, output } = response;
  const items = objectsIn(output);
  return {
    callParts: items.filter(isRun).map(() => "output"),
    calls: callsOf(items),
    ...(object === "response" && response["status"] !== null && { stop: stopOf(response) }),
    failed: error !== undefined && error !== null,
    ended: object === "response",
    flaws: [],
  };
}

export const responsesClient: WireClient = {
  readStream: readResponseEvents,
  readBody: readResponseBody,
};
