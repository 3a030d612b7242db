import type { Fixture } from "../../../wire.ts";
import { begun, type Event, reply, terminal, toFrames } from "../frames.ts";
import { refusal, text } from "../items.ts";
import { nothing, readCall, runsRead } from "./parts.ts";

const flat: Event = {
  type: "error",
  code: "server_error",
  message: "An error occurred.",
  param: null,
};
const nested: Event = {
  type: "error",
  error: { type: "tokens", code: "rate_limit_exceeded", message: "Slow down.", param: null },
};
const failed = (stop: string, response: Readonly<Record<string, unknown>> = {}): Fixture["frames"] =>
  reply([readCall], { stop, response });

export const endingSamples: readonly Fixture[] = [
  {
    name: "a refusal",
    frames: reply([refusal("I can't help with that.")], { stop: "completed" }),
    turn: nothing("refusal"),
  },
  {
    name: "a refusal behind a completed call",
    frames: reply([readCall, refusal("No.")], { stop: "completed" }),
    turn: nothing("refusal"),
  },
  {
    name: "a refusal that the whole response does not repeat",
    frames: reply([refusal("No.")], { stop: "completed", response: { output: [] } }),
    turn: nothing("refusal"),
  },
  { name: "R5: cancelled", frames: failed("cancelled"), turn: nothing("error") },
  { name: "queued at the end", frames: failed("queued"), turn: nothing("interrupted") },
  { name: "in progress at the end", frames: failed("in_progress"), turn: nothing("interrupted") },
  { name: "incomplete without a reason", frames: failed("incomplete"), turn: nothing("unknown") },
  {
    name: "incomplete for a reason that nobody knows yet",
    frames: failed("incomplete:x_later"),
    turn: nothing("unknown"),
  },
  {
    name: "incomplete for too many messages",
    frames: failed("incomplete:max_messages"),
    turn: nothing("length"),
  },
  {
    name: "a completed response that says why it is incomplete",
    frames: reply([readCall], {
      stop: "completed",
      output: 1024,
      response: { incomplete_details: { reason: "max_output_tokens" } },
    }),
    turn: nothing("length"),
  },
  {
    name: "the event for an incomplete response, around a completed one",
    frames: toFrames([
      ...begun([readCall]),
      { ...terminal([readCall], { stop: "completed" }), type: "response.incomplete" },
    ]),
    turn: nothing("unknown"),
  },
  {
    name: "the event for a completed response, around one without a status",
    frames: toFrames([
      ...begun([readCall]),
      { type: "response.completed", response: { id: "resp_1", output: [], usage: null } },
    ]),
    turn: runsRead,
  },
  {
    name: "failed, with a rate limit",
    frames: failed("failed:rate_limit_exceeded"),
    turn: nothing("error"),
  },
  {
    name: "failed, with a full window",
    frames: failed("failed:context_length_exceeded"),
    turn: nothing("context-window"),
  },
  {
    name: "failed, with a full window in words only",
    frames: failed("failed", {
      error: {
        code: "server_error",
        message: "Your input exceeds the context window of this model.",
      },
    }),
    turn: nothing("context-window"),
  },
  {
    name: "failed without an error",
    frames: failed("failed", { error: null }),
    turn: nothing("error"),
  },
  {
    name: "a flat error behind a completed call",
    frames: toFrames([...begun([readCall]), flat]),
    turn: nothing("error"),
  },
  {
    name: "a nested error behind a completed call",
    frames: toFrames([...begun([readCall]), nested]),
    turn: nothing("error"),
  },
  {
    name: "an error, and a completed response behind it",
    frames: toFrames([...begun([readCall]), flat, terminal([readCall], { stop: "completed" })]),
    turn: nothing("error"),
  },
  {
    name: "no event that ends the response",
    frames: toFrames(begun([text("Reading."), readCall])),
    turn: nothing("interrupted"),
  },
  {
    name: "two responses in one reply",
    frames: toFrames([
      ...begun([readCall]),
      ...begun([readCall]),
      terminal([readCall], { stop: "completed" }),
    ]),
    turn: nothing("interrupted"),
  },
];
