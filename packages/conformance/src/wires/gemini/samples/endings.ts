import type { Fixture } from "../../../wire.ts";
import { call, chunk, end, message, signature, toFrames } from "../frames.ts";
import { list, nothing, read, readCall, runsRead } from "./parts.ts";

const signed = { text: "", thoughtSignature: signature(1) };

/**
 * G2 (STOP before the content) and hosts with STOP on every chunk (litellm#2195, songquanpeng/one-api#1408) are not here.
 * A reply of theirs that is cut after its first chunk is what Gemini itself sends for a short one. The adapter's own tests have them.
 */
export const endingSamples: readonly Fixture[] = [
  {
    name: "G3: stopped at the limit of one request, with a token",
    frames: message([{ text: "So far" }], {
      stop: "CONTINUATION",
      parts: [signed],
      candidate: { continuationToken: "dG9rZW4gMQ==" },
    }),
    turn: nothing("pause"),
    replays: ["dG9rZW4gMQ=="],
    omits: [{ text: "So far" }],
    source: "https://github.com/googleapis/js-genai (3.0): the same request again, with the token",
  },
  {
    name: "G3: the same, with a call in it",
    frames: message([{ text: "So far" }, readCall], {
      stop: "CONTINUATION",
      parts: [signed],
      candidate: { continuationToken: "dG9rZW4gMQ==" },
    }),
    turn: nothing("pause"),
    omits: [readCall],
  },
  {
    name: "G4: thoughts and answer together reach the cap",
    frames: message([call(read, signature(1))], { stop: "STOP", output: 100, thoughts: 924 }),
    turn: nothing("length"),
    source: "googleapis/python-genai#2062",
  },
  {
    name: "G4: thoughts and answer together stay below the cap",
    frames: message([call(read, signature(1))], { stop: "STOP", output: 100, thoughts: 923 }),
    turn: runsRead,
  },
  {
    name: "G5: the reason that says nothing",
    frames: message([readCall], { stop: "FINISH_REASON_UNSPECIFIED" }),
    turn: nothing("unknown"),
  },
  {
    name: "a call that the service could not read",
    frames: message([], {
      stop: "MALFORMED_FUNCTION_CALL",
      parts: [],
      candidate: {
        finishMessage: "Malformed function call: print(default_api.read(path='/srv/notes.txt'))",
      },
    }),
    turn: nothing("malformed-tool-call"),
    source: "litellm#21744, coder#28470",
  },
  {
    name: "a whole call, and others that the cap cut away",
    frames: message([call(read, signature(1))], { stop: "MAX_TOKENS", output: 1024 }),
    turn: nothing("length"),
  },
  {
    name: "a prompt that was blocked",
    frames: toFrames([
      {
        promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
        usageMetadata: { promptTokenCount: 25, totalTokenCount: 25 },
      },
    ]),
    turn: nothing("content-filter"),
  },
  {
    name: "ratings of a prompt that was not blocked",
    frames: toFrames([
      { ...chunk(readCall), promptFeedback: { safetyRatings: [] } },
      end({ stop: "STOP" }),
    ]),
    turn: runsRead,
  },
  {
    name: "no candidate, and nothing blocked",
    frames: toFrames([{ usageMetadata: { promptTokenCount: 25, totalTokenCount: 25 } }]),
    turn: nothing("interrupted"),
  },
  {
    name: "no reason at the end",
    frames: toFrames([chunk(readCall)]),
    turn: nothing("interrupted"),
  },
  {
    name: "an empty reply",
    frames: toFrames([
      { ...end({ stop: "STOP" }), candidates: [{ finishReason: "STOP", index: 0 }] },
    ]),
    turn: nothing("stop"),
  },
  {
    name: "an error with a code that is a word, behind a call",
    frames: toFrames([chunk(readCall), { error: { code: "internal", message: "Try again." } }]),
    turn: nothing("error"),
    source: "the SDK's own stream gives an empty chunk for it",
  },
  {
    name: "a second candidate beside the first",
    frames: toFrames([
      chunk(readCall),
      {
        candidates: [
          { content: { parts: [call(list)], role: "model" }, finishReason: "MAX_TOKENS", index: 1 },
        ],
      },
      end({ stop: "STOP" }),
    ]),
    turn: runsRead,
  },
];
