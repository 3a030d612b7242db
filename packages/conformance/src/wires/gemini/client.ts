import type { ClientReading, WireClient } from "../../client.ts";
import { createReading, type GrowingReading } from "../reading.ts";
import { type Fields, fieldsOf, objectsIn } from "../shared.ts";

function readCandidate(reading: GrowingReading, candidate: Fields): void {
  const { content, finishReason, index = 0 } = candidate;
  for (const { functionCall } of objectsIn(fieldsOf(content)["parts"])) {
    if (functionCall === undefined || functionCall === null) continue;
    const { name, args } = fieldsOf(functionCall);
    reading.callParts.push("functionCall");
    reading.calls.push({ name: String(name ?? ""), input: JSON.stringify(args ?? {}) });
  }
  if (index !== 0 || typeof finishReason !== "string") return;
  reading.stop = finishReason;
  reading.ended = true;
}

function readChunk(reading: GrowingReading, chunk: unknown): void {
  const { error, candidates, promptFeedback } = fieldsOf(chunk);
  if (reading.failed) reading.flaws.push("A chunk comes after an error.");
  if (error !== undefined && error !== null) reading.failed = true;
  // A blocked prompt has no candidate.
  if (fieldsOf(promptFeedback)["blockReason"] !== undefined) reading.ended = true;
  for (const candidate of objectsIn(candidates)) readCandidate(reading, candidate);
}

function readStream(events: readonly unknown[]): ClientReading {
  const reading = createReading();
  for (const event of events) readChunk(reading, event);
  return reading;
}

/** What a naive client makes of the chunks. */
export const geminiClient: WireClient = {
  readStream,
  readBody: (body) => readStream(Array.isArray(body) ? body : [body]),
};
