import type { Fixture } from "../../../wire.ts";
import { begun, delta, type Event, message, messageStart, text, toFrames } from "../frames.ts";
import { nothing, read, readUse } from "./parts.ts";

const otherStart: Event = {
  type: "message_start",
  message: { ...(messageStart()["message"] as object), id: "msg_02Other" },
};

export const endingSamples: readonly Fixture[] = [
  {
    name: "a stop sequence after a closed call",
    frames: message([readUse, text("Observation")], {
      stop: "stop_sequence",
      delta: { stop_sequence: "Observation:" },
    }),
    turn: nothing("stop"),
    omits: [{ type: "tool_use", id: "toolu_01Read", ...read }],
  },
  {
    name: "the word for calls beside a stop sequence that is named",
    frames: message([readUse], { stop: "tool_use", delta: { stop_sequence: "Observation:" } }),
    turn: nothing("stop"),
    source:
      "https://platform.claude.com/docs/en/api/messages: a stop_sequence that is not null was generated; llama.cpp sends it beside tool_use",
  },
  {
    name: "a stop sequence after text",
    frames: message([text("One, two")], {
      stop: "stop_sequence",
      delta: { stop_sequence: "three" },
    }),
    turn: nothing("stop"),
  },
  {
    name: "a refusal with details, after a closed call",
    frames: message([readUse], {
      stop: "refusal",
      delta: { stop_details: { type: "refusal", category: "cyber", explanation: "Not this." } },
    }),
    turn: nothing("refusal"),
    source: "cursor-byok#423",
  },
  {
    name: "paused for compaction",
    frames: message([text("So far.")], { stop: "compaction" }),
    turn: nothing("pause"),
  },
  {
    name: "the word for calls, and no block at all",
    frames: message([], { stop: "tool_use" }),
    turn: nothing("malformed-tool-call"),
    source: "pi#9681",
  },
  {
    name: "no reason at the end",
    frames: message([readUse], { stop: null }),
    turn: nothing("interrupted"),
  },
  {
    name: "an end without a message_delta",
    frames: toFrames([...begun([readUse]), { type: "message_stop" }]),
    turn: nothing("interrupted"),
  },
  {
    name: "a reason, and no message_stop",
    frames: toFrames([...begun([readUse]), delta({ stop: "tool_use" })]),
    turn: nothing("interrupted"),
  },
  {
    name: "the cap reached, and no message_stop",
    frames: toFrames([...begun([readUse]), delta({ stop: "max_tokens" })]),
    turn: nothing("length"),
  },
  {
    name: "two reasons, the worse first",
    frames: toFrames([
      ...begun([readUse]),
      delta({ stop: "max_tokens" }),
      delta({ stop: "tool_use", output: 1024 }),
      { type: "message_stop" },
    ]),
    turn: nothing("length"),
  },
  {
    name: "an error behind a closed call",
    frames: toFrames([
      ...begun([readUse]),
      {
        type: "error",
        error: { type: "overloaded_error", message: "Overloaded" },
        request_id: "req_011",
      },
    ]),
    turn: nothing("error"),
  },
  {
    name: "the starts of two messages, before the content",
    frames: toFrames([
      otherStart,
      ...begun([readUse]),
      delta({ stop: "tool_use" }),
      { type: "message_stop" },
    ]),
    turn: nothing("interrupted"),
  },
  {
    name: "two messages in one reply",
    frames: toFrames([
      ...begun([readUse]),
      ...begun([readUse]),
      delta({ stop: "tool_use" }),
      { type: "message_stop" },
    ]),
    turn: nothing("interrupted"),
  },
];
