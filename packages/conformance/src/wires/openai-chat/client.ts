import type { ClientReading, WireClient } from "../../client.ts";
import { createReading, type GrowingReading } from "../../client.ts";
import { type Fields, fieldsOf, objectsIn } from "../shared.ts";

type CompletionCall = GrowingReading["calls"][number] & { readonly id: unknown };

type ReadCompletion = ReturnType<typeof beginCompletion>;
const beginCompletion = () => ({
  reading: createReading(),
  /** The calls of the first choice, by their indices. */
  calls: new Map<unknown, CompletionCall>(),
  isRefused: false,
  done: false,
});

interface CallPiece {
  readonly key: unknown;
  readonly id: unknown;
  readonly fields: Fields;
  readonly isText: boolean;
}

/** Joins the pieces of a call, as the vendor's SDK does: by its index. */
function addPiece(completion: ReadCompletion, { key, id, fields, isText }: CallPiece): void {
  const { reading, calls } = completion;
  const call = calls.get(key) ?? beginCall(completion, key, id);
  const { name } = fields;
  const input = isText ? fields["input"] : fields["arguments"];
  if (isText) call.isText = true;
  if (typeof name === "string" && name !== "") nameCall(completion, call, name);
  if (isId(id) && id !== call.id) reading.flaws.push(`Call ${key} has several ids.`);
  // The SDK appends an object, too.
  if (input !== undefined && input !== null) call.input += input;
}

const isId = (id: unknown): boolean => typeof id === "string" && id !== "";

function nameCall({ reading }: ReadCompletion, call: CompletionCall, name: string): void {
  if (call.name !== "" || call.input !== "")
    reading.flaws.push(`The name ${name} comes late, or again.`);
  call.name = name;
}

function beginCall({ reading, calls }: ReadCompletion, key: unknown, id: unknown): CompletionCall {
  if (typeof key === "number" && key !== calls.size)
    reading.flaws.push(`Call ${key} begins as number ${calls.size}.`);
  if (typeof key === "number" && !isId(id)) reading.flaws.push(`Call ${key} begins without an id.`);
  const call: CompletionCall = { id, name: "", input: "" };
  calls.set(key, call);
  reading.calls.push(call);
  return call;
}

function readPieces(completion: ReadCompletion, delta: Fields, isFirst: boolean): void {
  const { reading } = completion;
  for (const [at, call] of objectsIn(delta["tool_calls"]).entries()) {
    reading.callParts.push("tool_calls");
    if (!isFirst) reading.flaws.push("Another choice has a call.");
    const { index: key = at, id, custom, function: piece } = call;
    const isText = custom !== undefined && custom !== null;
    if (isFirst) addPiece(completion, { key, id, fields: fieldsOf(custom ?? piece), isText });
  }
  const { function_call: old } = delta;
  if (old === undefined || old === null) return;
  reading.callParts.push("function_call");
  const piece = { key: "function_call", id: undefined, fields: fieldsOf(old), isText: false };
  if (isFirst) addPiece(completion, piece);
}

function readChoice(completion: ReadCompletion, choice: Fields): void {
  const { reading } = completion;
  const { index = 0, finish_reason: stop } = choice;
  const isFirst = index === 0;
  for (const part of [choice["delta"], choice["message"]].map(fieldsOf)) {
    readPieces(completion, part, isFirst);
    const { content, refusal } = part;
    completion.isRefused ||= isFirst && typeof refusal === "string" && refusal !== "";
    const isText = typeof content === "string" && content !== "";
    if (isFirst && isText && reading.ended)
      reading.flaws.push("Content comes after the finish reason.");
  }
  if (!isFirst || typeof stop !== "string") return;
  reading.stop = stop;
  reading.ended = true;
}

function readCompletionEvents(events: readonly unknown[]): ClientReading {
  const completion = beginCompletion();
  const { reading } = completion;
  for (const event of events) {
    if (completion.done) reading.flaws.push("An event comes after [DONE].");
    if (event === "[DONE]") {
      if (reading.failed) reading.flaws.push("[DONE] comes after an error.");
      completion.done = true;
    }
    readCompletionChunk(completion, fieldsOf(event));
  }
  // A refused reply ends with the stop reason of a finished one.
  return completion.isRefused ? { ...reading, stop: "refusal" } : reading;
}

function readCompletionChunk(completion: ReadCompletion, chunk: Fields): void {
  const { error, choices } = chunk;
  if (error !== undefined && error !== null) completion.reading.failed = true;
  for (const choice of objectsIn(choices)) readChoice(completion, choice);
}

export const chatClient: WireClient = {
  readStream: readCompletionEvents,
  readBody: (body) => readCompletionEvents([body]),
};
