import type { Fixture } from "@fullstop/conformance";
import type { DialectName } from "@fullstop/provider-openai-compatible";
import { emptyIds, repeatedNames, rotatingIds, wholeCalls } from "./quirks/calls.ts";
import { all } from "./quirks/chunks.ts";
import {
  reasoningIn,
  stopForCalls,
  usageInChoice,
  usageInGroq,
  usageWithFinishReason,
  withNativeFinishReason,
  withNativeStops,
  withoutFinishReason,
} from "./quirks/endings.ts";
import {
  callChunk,
  chunk,
  finishChunk,
  fixture,
  input,
  noCalls,
  readCall,
  runsRead,
} from "./quirks/fixtures.ts";
import { routerRows } from "./router-rows.ts";
import {
  callUnder,
  noReasonForCalls,
  type Row,
  reasoned,
  report,
  thoughts,
  withMatchedStop,
  withoutReason,
} from "./row.ts";

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

/** The stop reason of the provider behind OpenRouter, next to one for a finished reply. */
const withUpstreamReason = (native: string, turn: Fixture["turn"]): Fixture =>
  fixture(
    `"${native}" upstream of "tool_calls"`,
    [readCall, chunk({}, { finish_reason: "tool_calls", native_finish_reason: native })],
    {
      turn,
      source: "https://openrouter.ai/docs/api-reference/overview: native_finish_reason",
    },
  );
export const rows: Readonly<Record<DialectName, Row>> = {
  custom: {
    quirk: (wire) => wire,
    fixtures: [
      callUnder("tool_use", runsRead),
      callUnder("end_turn", runsRead),
      callUnder("tool_call", runsRead),
      callUnder("TOOL_CALLS", runsRead),
      callUnder("eos", runsRead),
      withoutReason(
        "a call, a usage report and no finish_reason",
        [readCall, report(12)],
        noCalls("interrupted"),
      ),
      fixture(
        "more reasoning than the cap, so the cap excludes it",
        [thoughts, readCall, finishChunk("tool_calls", reasoned(6100, 6000))],
        {
          turn: runsRead,
          source: "https://docs.siliconflow.com: max_tokens excludes the chain of thought",
        },
      ),
      fixture(
        "an output of exactly the cap, part of it reasoning",
        [thoughts, readCall, finishChunk("tool_calls", reasoned(1024, 1000))],
        {
          turn: noCalls("length"),
        },
      ),
      fixture(
        "an answer that reaches the cap without its reasoning",
        [thoughts, readCall, finishChunk("tool_calls", reasoned(7024, 6000))],
        {
          turn: noCalls("length"),
        },
      ),
    ],
  },
  vllm: {
    quirk: all(withNativeStops({ error: "abort" }), repeatedNames, usageWithFinishReason),
    fixtures: [
      callUnder("repetition", noCalls("error")),
      withMatchedStop("stop_reason", "vllm-project/vllm#2976"),
      callUnder("error", noCalls("error")),
      fixture(
        "an input that the server closed at the cap",
        [callChunk("call_1", "read", {}), finishChunk("tool_calls", reasoned(1024, 0))],
        {
          turn: noCalls("length"),
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
    quirk: all(wholeCalls, usageWithFinishReason),
    fixtures: [
      callUnder("end", runsRead, reasoned(12, 0)),
      /** In one piece, a reply that repeated itself: ollama/ollama#18359. */
      callUnder("tool_calls", noCalls("length"), reasoned(0, 0)),
      callUnder("load", noCalls("error")),
      callUnder("unload", noCalls("error")),
      fixture("a failure after the response headers", [readCall, chunk({ content: "" })], {
        turn: noCalls("interrupted"),
      }),
    ],
  },
  lmstudio: {
    quirk: all(emptyIds, usageWithFinishReason),
    fixtures: [
      callUnder("end", runsRead),
      fixture("a full context window, and no finish_reason", [chunk({ content: "So " })], {
        turn: noCalls("interrupted"),
        source: "vaadin/flow-components#9195",
      }),
      withoutReason(
        "a full context window, no finish_reason, and a usage report",
        [readCall, report(12)],
        noCalls("interrupted"),
      ),
    ],
  },
  sglang: {
    quirk: all(withNativeStops({ error: "abort" }), usageWithFinishReason),
    fixtures: [withMatchedStop("matched_stop", "sgl-project/sglang#1684")],
  },
  tgi: {
    quirk: all(stopForCalls, usageWithFinishReason),
    fixtures: [callUnder("eos_token", runsRead), callUnder("stop_sequence", noCalls("stop"))],
    notClaimed: { "stop.no-call": noReasonForCalls },
  },
  mlx: { quirk: all(wholeCalls, usageWithFinishReason) },
  openrouter: {
    quirk: all(withNativeFinishReason, withNativeStops({ error: "error" }), usageWithFinishReason),
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
      withUpstreamReason("content_filter", noCalls("content-filter")),
      withUpstreamReason("SAFETY", noCalls("content-filter")),
      withUpstreamReason("error", noCalls("error")),
      withUpstreamReason("MALFORMED_FUNCTION_CALL", noCalls("malformed-tool-call")),
      withUpstreamReason("end_turn", runsRead),
      withUpstreamReason("STOP", runsRead),
      fixture(
        "the cap of the upstream provider, with tool_calls",
        [
          readCall,
          {
            ...chunk({}, { finish_reason: "tool_calls", native_finish_reason: "MAX_TOKENS" }),
            usage: reasoned(1000, 0),
          },
        ],
        { turn: noCalls("length") },
      ),
      fixture(
        "signed reasoning in deltas, and a signature of the call after it",
        [
          chunk({ reasoning: "I should ", reasoning_details: [{ ...detail, text: "I should " }] }),
          chunk({
            reasoning: "read.",
            reasoning_details: [{ ...detail, text: "read.", signature: null }],
          }),
          chunk({ reasoning_details: [{ ...detail, signature: "EqoB" }] }),
          readCall,
          chunk({ reasoning_details: [encrypted] }),
          finishChunk("tool_calls"),
        ],
        { turn: runsRead, replays: [signed, encrypted] },
      ),
      fixture(
        "encrypted reasoning",
        [
          chunk({ reasoning_details: [encrypted] }),
          chunk({ content: "Done." }),
          finishChunk("stop"),
        ],
        {
          turn: noCalls("stop"),
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
    quirk: all(wholeCalls, usageWithFinishReason),
    fixtures: [
      fixture(
        "a cut reply reported as finished; completion_tokens excludes its reasoning",
        [readCall, finishChunk("tool_calls", reasoned(300, 724))],
        {
          turn: noCalls("length"),
          source: "vercel/ai#12425",
        },
      ),
    ],
  },
  deepseek: {
    quirk: all(
      withNativeStops({ error: "insufficient_system_resource" }),
      reasoningIn("reasoning_content"),
      usageWithFinishReason,
    ),
    fixtures: [
      fixture("reasoning before a call", [thoughts, readCall, finishChunk("tool_calls")], {
        turn: runsRead,
        replays: ["I should read."],
      }),
      fixture(
        "reasoning before text",
        [thoughts, chunk({ content: "Yes." }), finishChunk("stop")],
        {
          turn: noCalls("stop"),
          replays: ["I should read."],
        },
      ),
    ],
  },
  together: { fixtures: [callUnder("eos", runsRead), callUnder("function_call", runsRead)] },
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
        "an id that later requests must repeat",
        [thoughts, callChunk("functions.read:0", "read", input), finishChunk("tool_calls")],
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
      withNativeStops({
        "content-filter": "sensitive",
        error: "network_error",
        "context-window": "model_context_window_exceeded",
      }),
      usageWithFinishReason,
    ),
    failures: [
      {
        status: 400,
        body: '{"error":{"code":"1261","message":"Prompt too large"}}',
        kind: "context-window",
      },
      { status: 429, body: '{"error":{"code":"1113","message":"No credit"}}', kind: "billing" },
    ],
    errors: [{ frame: '{"error":{"code":"1301","message":"Unsafe content"}}', kind: "filtered" }],
  },
  qwen: {
    quirk: all(emptyIds, usageWithFinishReason),
    fixtures: [
      fixture(
        "more reasoning than the cap, which excludes it",
        [thoughts, readCall, finishChunk("tool_calls", reasoned(6100, 6000))],
        {
          turn: runsRead,
        },
      ),
      fixture(
        "an answer that reaches the cap",
        [thoughts, readCall, finishChunk("tool_calls", reasoned(7024, 6000))],
        { turn: noCalls("length") },
      ),
      fixture(
        "an output above the cap, with an unknown part of reasoning",
        [thoughts, readCall, finishChunk("tool_calls", { completion_tokens: 6100 })],
        {
          turn: runsRead,
        },
      ),
    ],
  },
  siliconflow: {
    fixtures: [
      fixture(
        "more reasoning than the cap, which excludes it",
        [thoughts, readCall, finishChunk("tool_calls", reasoned(6100, 6000))],
        {
          turn: runsRead,
        },
      ),
    ],
  },
  litellm: {
    quirk: all(stopForCalls, rotatingIds, usageWithFinishReason),
    notClaimed: { "stop.no-call": noReasonForCalls },
  },
  nim: {
    quirk: all(repeatedNames, withoutFinishReason),
    fixtures: [
      withoutReason("a call and a usage report", [readCall, report(12)], runsRead),
      withoutReason(
        "a text and a usage report",
        [chunk({ content: "Done." }), report(12)],
        noCalls("stop"),
      ),
      withoutReason("a usage report at the cap", [readCall, report(1024)], noCalls("length")),
      withoutReason("no usage report", [readCall], noCalls("interrupted")),
      withoutReason("a usage of 0", [readCall, report(0)], noCalls("interrupted")),
      withoutReason(
        "a usage report before the call",
        [report(12), readCall],
        noCalls("interrupted"),
      ),
      withoutReason(
        "a usage report in the chunk of the call",
        [{ ...readCall, usage: reasoned(12, 0) }],
        noCalls("interrupted"),
      ),
      withoutReason(
        "a second call that has only begun",
        [
          readCall,
          chunk({ tool_calls: [{ index: 1, id: "call_2", function: { name: "write" } }] }),
          report(12),
        ],
        noCalls("malformed-tool-call"),
      ),
      withoutReason(
        "the end of another choice",
        [readCall, { choices: [{ index: 1, delta: {}, finish_reason: "stop" }] }, report(12)],
        noCalls("interrupted"),
      ),
    ],
    notClaimed: {
      "stop.no-call": noReasonForCalls,
      "stop.cap-unproven": "without a `finish_reason`, a reply with a usage of 0 is interrupted",
      "call.required": "without a `finish_reason`, a usage does not show that no input is complete",
    },
  },
  ...routerRows,
};
