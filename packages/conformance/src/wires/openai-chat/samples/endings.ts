import type { Fixture } from "../../../wire.ts";
import { chunk, completion, finish, role, text, toFrames, usageChunk, usageOf } from "../frames.ts";
import { nothing, read, readCall, runs } from "./parts.ts";

const withUsage = (stop: string, output: number): ReturnType<typeof finish> => ({
  ...finish(stop),
  usage: usageOf(output),
});

export const endingSamples: readonly Fixture[] = [
  {
    name: "a refusal, under the word for a finished answer",
    frames: completion([chunk({ refusal: "I can't help " }), chunk({ refusal: "with that." })], {
      stop: "stop",
    }),
    turn: nothing("refusal"),
    source: "the SDK's type of a message: refusal",
  },
  {
    name: "a refusal behind a whole call",
    frames: completion([...readCall, chunk({ refusal: "I can't." })], { stop: "stop" }),
    turn: nothing("refusal"),
  },
  {
    name: "no word at all, and [DONE]",
    frames: toFrames([role, ...readCall, finish(null), usageChunk(12), "[DONE]"]),
    turn: nothing("interrupted"),
    source: "pi#6225, openclaw#98575",
  },
  {
    name: "text without a word, and [DONE]",
    frames: toFrames([role, ...text("Half an ans"), "[DONE]"]),
    turn: nothing("interrupted"),
  },
  {
    name: "an empty word on every chunk but the last",
    frames: toFrames(
      [role, ...readCall, finish("tool_calls")].map((one, n) =>
        n <= readCall.length ? blankWord(one) : one,
      ),
      [usageChunk(12), "[DONE]"],
    ),
    turn: runs(read),
    source: "workbuddy-gateway#3, cc-switch#5093",
  },
  {
    name: "an empty piece of text behind the word",
    frames: toFrames(
      [role, ...readCall, finish("tool_calls")],
      [chunk({ content: "" }), usageChunk(12), "[DONE]"],
    ),
    turn: runs(read),
  },
  {
    name: "two words, the first for calls, the second with the usage",
    frames: toFrames([role, ...readCall, finish("tool_calls")], [withUsage("stop", 12), "[DONE]"]),
    turn: runs(read),
    source: "9router#3779",
  },
  {
    name: "two words, the first for the cap",
    frames: toFrames(
      [role, ...readCall, finish("length"), withUsage("tool_calls", 1024)],
      ["[DONE]"],
    ),
    turn: nothing("length"),
  },
  {
    name: "a named tool choice, closed by the server at the cap",
    frames: toFrames([role, ...readCall, withUsage("stop", 1024)], ["[DONE]"]),
    turn: nothing("length"),
    source: "vllm#25054, vllm#53269",
  },
  {
    name: "an error behind a whole call, then [DONE]",
    frames: toFrames(
      [role, ...readCall, { error: { message: "boom", type: "server_error", code: 500 } }],
      ["[DONE]"],
    ),
    turn: nothing("error"),
    source: "https://github.com/vllm-project/vllm: the stream's generator",
  },
  {
    name: "an error inside a chunk",
    frames: toFrames([
      role,
      ...readCall,
      {
        ...chunk({ content: "" }, { finish_reason: "error" }),
        error: {
          code: 502,
          message: "Provider disconnected",
          metadata: { error_type: "provider_unavailable" },
        },
      },
    ]),
    turn: nothing("error"),
    source: "https://openrouter.ai/docs/api/reference/errors-and-debugging",
  },
  {
    name: "an error inside a choice",
    frames: toFrames([
      role,
      ...readCall,
      chunk({}, { finish_reason: "error", error: { code: 429, message: "Slow down" } }),
    ]),
    turn: nothing("error"),
  },
  {
    name: "a filter's notes before and behind the reply",
    frames: toFrames(
      [
        { ...usageChunk(0), usage: null, prompt_filter_results: [{ prompt_index: 0 }] },
        role,
        ...readCall,
        finish("tool_calls"),
      ],
      [
        {
          ...usageChunk(0),
          usage: null,
          choices: [
            {
              index: 0,
              finish_reason: null,
              content_filter_results: {},
              content_filter_offsets: {},
            },
          ],
        },
        usageChunk(12),
        "[DONE]",
      ],
    ),
    turn: runs(read),
    source: "https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-streaming",
  },
];

function blankWord(one: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const choices = one["choices"] as readonly object[];
  return { ...one, choices: choices.map((choice) => ({ ...choice, finish_reason: "" })) };
}
