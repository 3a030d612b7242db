import type { Fixture, HttpFailure, InBandError } from "@fullstop/conformance";
import type { DialectName } from "@fullstop/provider-openai-compatible";
import { emptyIds, repeatedNames, rotatingIds, wholeCalls } from "./quirks/calls.ts";
import { all, type Quirk } from "./quirks/chunks.ts";
import {
  nativeWord,
  reasoningIn,
  stopForCalls,
  usageInChoice,
  usageInGroq,
  usageWithWord,
  withoutWord,
  words,
} from "./quirks/endings.ts";
import {
  callOf,
  chunk,
  fixture,
  input,
  nothing,
  readCall,
  runsRead,
  word,
} from "./quirks/fixtures.ts";

/** What a host does otherwise, as its server would say it. */
export interface Row {
  /** Its way of saying a reply; usage with the last word unless told, for every byte behind that is tried as an end. */
  readonly quirk?: Quirk;
  readonly fixtures?: readonly Fixture[];
  readonly errors?: readonly InBandError[];
  readonly failures?: readonly HttpFailure[];
  readonly notClaimed?: Readonly<Record<string, string>>;
}

const noWordForCalls = "its word for calls is the one for a finished text";
const ends = (stop: string, turn: Fixture["turn"]): Fixture =>
  fixture(`a call under "${stop}"`, [readCall, word(stop)], { turn });
const rejected = {
  error: {
    message: "Failed to call a function. Please adjust your prompt.",
    type: "invalid_request_error",
    code: "tool_use_failed",
    failed_generation: "<function=read{>",
  },
};
const detail = { type: "reasoning.text", index: 0, format: "anthropic-claude-v1" };
const signed = { ...detail, text: "I should read.", signature: "EqoB" };
const encrypted = {
  type: "reasoning.encrypted",
  index: 1,
  id: "call_1",
  data: "CiQB",
  format: "google-gemini-v1",
};
const thoughts = chunk({ reasoning_content: "I should read." });
const reasoned = (completion: number, reasoning: number): Readonly<Record<string, unknown>> => ({
  prompt_tokens: 25,
  completion_tokens: completion,
  total_tokens: 25 + completion,
  completion_tokens_details: { reasoning_tokens: reasoning },
});

/** The word of the provider behind OpenRouter, beside a word for a finished reply. */
const natively = (native: string, turn: Fixture["turn"]): Fixture =>
  fixture(
    `"${native}" behind "tool_calls"`,
    [readCall, chunk({}, { finish_reason: "tool_calls", native_finish_reason: native })],
    {
      turn,
      source: "https://openrouter.ai/docs/api-reference/overview: native_finish_reason",
    },
  );
/** A reply that ends with `[DONE]` alone. */
const wordless = (
  name: string,
  chunks: readonly Readonly<Record<string, unknown>>[],
  turn: Fixture["turn"],
): Fixture => ({
  name,
  frames: { upToTerminal: [...chunks.map((one) => JSON.stringify(one)), "[DONE]"] },
  turn,
  source: "pi#6225, openclaw#98575",
});
const report = (completion: number): Readonly<Record<string, unknown>> => ({
  choices: [],
  usage: reasoned(completion, 0),
});

export const rows: Readonly<Record<DialectName, Row>> = {
  custom: {
    quirk: (wire) => wire,
    fixtures: [
      ends("tool_use", runsRead),
      ends("end_turn", runsRead),
      ends("tool_call", runsRead),
      ends("TOOL_CALLS", runsRead),
      ends("eos", runsRead),
      wordless("a call, a usage report and no word", [readCall, report(12)], runsRead),
      wordless(
        "a text, a usage report and no word",
        [chunk({ content: "Done." }), report(12)],
        nothing("stop"),
      ),
      wordless(
        "a call and no word, and the cap is reached",
        [readCall, report(1024)],
        nothing("length"),
      ),
      wordless("a call, no word and no usage report", [readCall], nothing("interrupted")),
      fixture(
        "more reasoning than the cap, which then does not count it",
        [thoughts, readCall, word("tool_calls", reasoned(6100, 6000))],
        {
          turn: runsRead,
          source: "https://docs.siliconflow.com: max_tokens leaves the chain of thought out",
        },
      ),
      fixture(
        "an output of exactly the cap, part of it reasoning",
        [thoughts, readCall, word("tool_calls", reasoned(1024, 1000))],
        {
          turn: nothing("length"),
        },
      ),
      fixture(
        "an answer that reaches the cap without its reasoning",
        [thoughts, readCall, word("tool_calls", reasoned(7024, 6000))],
        {
          turn: nothing("length"),
        },
      ),
    ],
  },
  vllm: {
    quirk: all(words({ error: "abort" }), repeatedNames, usageWithWord),
    fixtures: [
      ends("repetition", nothing("error")),
      ends("error", nothing("error")),
      fixture(
        "an input that the server closed at the cap",
        [callOf("call_1", "read", {}), word("tool_calls", reasoned(1024, 0))],
        {
          turn: nothing("length"),
          source: "vllm#53269",
        },
      ),
    ],
  },
  llamacpp: {
    failures: [
      {
        status: 400,
        body: '{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error"}}',
        kind: "context-window",
      },
    ],
  },
  ollama: {
    quirk: all(wholeCalls, usageWithWord),
    fixtures: [
      ends("end", runsRead),
      ends("load", nothing("stop")),
      ends("unload", nothing("stop")),
      fixture("a failure behind the head", [readCall, chunk({ content: "" })], {
        turn: nothing("interrupted"),
      }),
    ],
  },
  lmstudio: {
    quirk: all(emptyIds, usageWithWord),
    fixtures: [
      ends("end", runsRead),
      fixture("a full window, and no word", [chunk({ content: "So " })], {
        turn: nothing("interrupted"),
        source: "vaadin/flow-components#9195",
      }),
      wordless(
        "a full window, no word, and a usage report",
        [readCall, report(12)],
        nothing("interrupted"),
      ),
    ],
  },
  openrouter: {
    quirk: all(nativeWord, words({ error: "error" }), usageWithWord),
    errors: [
      {
        frame: JSON.stringify({
          ...chunk({ content: "" }, { finish_reason: "error" }),
          error: {
            code: 502,
            message: "Provider disconnected",
            metadata: { error_type: "provider_overloaded" },
          },
        }),
        kind: "overloaded",
      },
      { frame: '{"error":{"code":429,"message":"Slow down"}}', kind: "rate-limit" },
    ],
    fixtures: [
      natively("content_filter", nothing("content-filter")),
      natively("SAFETY", nothing("content-filter")),
      natively("error", nothing("error")),
      natively("MALFORMED_FUNCTION_CALL", nothing("malformed-tool-call")),
      natively("end_turn", runsRead),
      natively("STOP", runsRead),
      fixture(
        "the provider's cap, behind the word for calls",
        [
          readCall,
          {
            ...chunk({}, { finish_reason: "tool_calls", native_finish_reason: "MAX_TOKENS" }),
            usage: reasoned(1000, 0),
          },
        ],
        { turn: nothing("length") },
      ),
      fixture(
        "reasoning in pieces, signed, and a signature of the call behind it",
        [
          chunk({ reasoning: "I should ", reasoning_details: [{ ...detail, text: "I should " }] }),
          chunk({
            reasoning: "read.",
            reasoning_details: [{ ...detail, text: "read.", signature: null }],
          }),
          chunk({ reasoning_details: [{ ...detail, signature: "EqoB" }] }),
          readCall,
          chunk({ reasoning_details: [encrypted] }),
          word("tool_calls"),
        ],
        { turn: runsRead, replays: [signed, encrypted] },
      ),
      fixture(
        "reasoning that nobody may read",
        [chunk({ reasoning_details: [encrypted] }), chunk({ content: "Done." }), word("stop")],
        {
          turn: nothing("stop"),
          replays: [encrypted],
        },
      ),
    ],
  },
  groq: {
    quirk: usageInGroq,
    errors: [{ frame: JSON.stringify(rejected), kind: "malformed-tool-call" }],
    failures: [{ status: 400, body: JSON.stringify(rejected), kind: "malformed-tool-call" }],
  },
  xai: {
    quirk: all(wholeCalls, usageWithWord),
    fixtures: [
      fixture(
        "a cut reply called whole; its reasoning is not in completion_tokens",
        [readCall, word("tool_calls", reasoned(300, 724))],
        {
          turn: nothing("length"),
          source: "vercel/ai#12425",
        },
      ),
    ],
  },
  deepseek: {
    quirk: all(
      words({ error: "insufficient_system_resource" }),
      reasoningIn("reasoning_content"),
      usageWithWord,
    ),
    fixtures: [
      fixture("reasoning before a call", [thoughts, readCall, word("tool_calls")], {
        turn: runsRead,
        replays: ["I should read."],
      }),
      fixture("reasoning before text", [thoughts, chunk({ content: "Yes." }), word("stop")], {
        turn: nothing("stop"),
        replays: ["I should read."],
      }),
    ],
  },
  together: { fixtures: [ends("eos", runsRead), ends("function_call", runsRead)] },
  fireworks: {},
  azure: {
    errors: [
      {
        frame: '{"error":{"code":"429","message":"Requests have exceeded the call rate limit"}}',
        kind: "rate-limit",
      },
      {
        frame: '{"error":{"code":"server_error","message":"boom","innererror":{}}}',
        kind: "server",
      },
    ],
  },
  cerebras: { failures: [{ status: 413, body: "", kind: "context-window" }] },
  kimi: {
    quirk: usageInChoice,
    fixtures: [
      fixture(
        "an id that later calls want to see",
        [thoughts, callOf("functions.read:0", "read", input), word("tool_calls")],
        {
          turn: runsRead,
          replays: ["functions.read:0", "I should read."],
          source: "openclaw#70030",
        },
      ),
    ],
  },
  glm: {
    quirk: all(
      words({
        "content-filter": "sensitive",
        error: "network_error",
        "context-window": "model_context_window_exceeded",
      }),
      usageWithWord,
    ),
    failures: [
      {
        status: 400,
        body: '{"error":{"code":"1261","message":"Prompt too large"}}',
        kind: "context-window",
      },
    ],
  },
  qwen: {
    quirk: all(emptyIds, usageWithWord),
    fixtures: [
      fixture(
        "more reasoning than the cap, which does not count it",
        [thoughts, readCall, word("tool_calls", reasoned(6100, 6000))],
        {
          turn: runsRead,
        },
      ),
      fixture(
        "the cap reached by the answer",
        [thoughts, readCall, word("tool_calls", reasoned(7024, 6000))],
        { turn: nothing("length") },
      ),
      fixture(
        "more than the cap, and nobody says how much of it is reasoning",
        [thoughts, readCall, word("tool_calls", { completion_tokens: 6100 })],
        {
          turn: runsRead,
        },
      ),
    ],
  },
  siliconflow: {
    fixtures: [
      fixture(
        "more reasoning than the cap, which does not count it",
        [thoughts, readCall, word("tool_calls", reasoned(6100, 6000))],
        {
          turn: runsRead,
        },
      ),
    ],
  },
  litellm: {
    quirk: all(stopForCalls, rotatingIds, usageWithWord),
    notClaimed: { "stop.no-call": noWordForCalls },
  },
  nim: {
    quirk: all(repeatedNames, withoutWord),
    notClaimed: {
      "stop.no-call": noWordForCalls,
      "stop.no-word": "its models never say why they end: `[DONE]` is the word",
    },
  },
};
