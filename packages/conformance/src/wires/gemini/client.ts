import type { ClientReading, WireClient } from "../../client.ts";
import { createReading, type GrowingReading } from "../../client.ts";
import { type Fields, fieldsOf, objectsIn } from "../shared.ts";

interface ReadReply {
  readonly reading: GrowingReading;
  readonly ids: Set<unknown>;
}

function readCandidate(reply: ReadReply, candidate: Fields): void {
  const { content, finishReason, index = 0 } = candidate;
  for (const { functionCall } of objectsIn(fieldsOf(content)["parts"]))
    if (functionCall !== undefined && functionCall !== null)
      readGeminiCall(reply, fieldsOf(functionCall));
  if (index !== 0 || typeof finishReason !== "string") return;
  reply.reading.stop = finishReason;
  reply.reading.ended = true;
}

function readGeminiCall({ reading, ids }: ReadReply, call: Fields): void {
  const { id, name, args, partialArgs, willContinue } = call;
  // Vertex AI streams arguments in pieces.
  if (partialArgs !== undefined || willContinue !== undefined) reading.isPartial = true;
  if (typeof id === "string" && ids.has(id)) reading.flaws.push(`Two calls have the id ${id}.`);
  ids.add(id);
  reading.callParts.push("functionCall");
  reading.calls.push({ name: String(name ?? ""), input: JSON.stringify(args ?? {}) });
}

function readGeminiChunk(reply: ReadReply, chunk: unknown): void {
  const { reading } = reply;
  const { error, candidates, promptFeedback } = fieldsOf(chunk);
  if (reading.failed) reading.flaws.push("A chunk comes after an error.");
  if (error !== undefined && error !== null) reading.failed = true;
  // A blocked prompt has no candidate.
  if (fieldsOf(promptFeedback)["blockReason"] !== undefined) reading.ended = true;
  for (const candidate of objectsIn(candidates)) readCandidate(reply, candidate);
}

function readGeminiEvents(events: readonly unknown[]): ClientReading {
  const reply: ReadReply = { reading: createReading(), ids: new Set() };
  for (const event of events) readGeminiChunk(reply, event);
  return reply.reading;
}

export const geminiClient: WireClient = {
  readStream: readGeminiEvents,
  readBody: (body) => readGeminiEvents(Array.isArray(body) ? body : [body]),
};
