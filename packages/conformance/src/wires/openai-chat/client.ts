import type { ClientReading, WireClient } from "../../client.ts";
import { createReading, type GrowingReading } from "../reading.ts";
import { type Fields, fieldsOf, objectsIn } from "../shared.ts";

/** The state of a completion while it arrives. */
interface ReadCompletion {
  readonly reading: GrowingReading;
  /** The calls of the first choice, by their indices. */
  readonly calls: Map<unknown, GrowingReading["calls"][number]>;
  done: boolean;
}

/** Joins the pieces of a call, as the vendor's SDK does: by its index. */
function addPiece({ reading, calls }: ReadCompletion, key: unknown, piece: Fields): void {
  const { name, arguments: input } = piece;
  let call = calls.get(key);
  if (call === undefined) {
    if (typeof key === "number" && key !== calls.size)
      reading.flaws.push(`Call ${key} begins as number ${calls.size}.`);
    call = { name: "", input: "" };
    calls.set(key, call);
    reading.calls.push(call);
  }
  if (typeof name === "string" && name !== "") call.name = name;
  if (input !== undefined && input !== null)
    call.input += typeof input === "string" ? input : JSON.stringify(input);
}

function readPieces(completion: ReadCompletion, delta: Fields, isFirst: boolean): void {
  const { reading } = completion;
  for (const [at, call] of objectsIn(delta["tool_calls"]).entries()) {
    reading.callParts.push("tool_calls");
    const piece = call["function"] ?? call["custom"];
    if (isFirst) addPiece(completion, call["index"] ?? at, fieldsOf(piece));
  }
  const { function_call: old } = delta;
  if (old === undefined || old === null) return;
  reading.callParts.push("function_call");
  if (isFirst) addPiece(completion, "function_call", fieldsOf(old));
}

function readChoice(completion: ReadCompletion, choice: Fields): void {
  const { reading } = completion;
  const { index = 0, finish_reason: stop } = choice;
  const isFirst = index === 0;
  for (const part of [choice["delta"], choice["message"]].map(fieldsOf)) {
    readPieces(completion, part, isFirst);
    const { content } = part;
    const isText = typeof content === "string" && content !== "";
    if (isFirst && isText && reading.ended)
      reading.flaws.push("Content comes after the finish reason.");
  }
  if (!isFirst || typeof stop !== "string") return;
  reading.stop = stop;
  reading.ended = true;
}

function readStream(events: readonly unknown[]): ClientReading {
  const completion: ReadCompletion = { reading: createReading(), calls: new Map(), done: false };
  const { reading } = completion;
  for (const event of events) {
    if (completion.done) reading.flaws.push("An event comes after [DONE].");
    if (event === "[DONE]") {
      if (reading.failed) reading.flaws.push("[DONE] comes after an error.");
      completion.done = true;
    }
    readChunk(completion, fieldsOf(event));
  }
  return reading;
}

function readChunk(completion: ReadCompletion, chunk: Fields): void {
  const { error, choices } = chunk;
  if (error !== undefined && error !== null) completion.reading.failed = true;
  for (const choice of objectsIn(choices)) readChoice(completion, choice);
}

/** What a naive client makes of the chunks. */
export const chatClient: WireClient = { readStream, readBody: (body) => readStream([body]) };
