import type { Fixture } from "@fullstop/conformance";
import type { DialectName } from "@fullstop/provider-openai-compatible";
import { all } from "./quirks/chunks.ts";
import { reasoningIn, usageWithFinishReason, withNativeStops } from "./quirks/endings.ts";
import { chunk, finishChunk, fixture, noCalls, readCall, runsRead } from "./quirks/fixtures.ts";
import { type Row, reasoned, thoughts } from "./row.ts";

const finishAt = (tokens: number) => finishChunk("tool_calls", reasoned(tokens, 0));

/** Both are written as in the report of decolua/9router#1645. */
const workersAI: readonly Fixture[] = [
  fixture(
    "numbers as numbers in the content",
    [
      chunk({ content: "range(" }),
      chunk({ content: 100_000 }),
      chunk({ content: ")" }),
      finishChunk("stop"),
    ],
    { turn: { ...noCalls("stop"), text: "range(100000)" }, source: "decolua/9router#1645" },
  ),
  {
    name: "several ends of one reply, with a growing usage",
    frames: {
      upToTerminal: [readCall, finishAt(10)].map((event) => JSON.stringify(event)),
      // The first end is one: the call is whole, and nothing of it follows.
      after: [JSON.stringify(finishAt(11)), JSON.stringify(finishAt(12)), "[DONE]", "[DONE]"],
    },
    turn: runsRead,
    source: "decolua/9router#1645",
  },
];
type Router = Extract<
  DialectName,
  | "baseten"
  | "cloudflare"
  | "huggingface"
  | "minimax"
  | "opencode"
  | "snowflake"
  | "vercel"
  | "xiaomi"
>;

/** The hosts that pass a request on to the servers of many models. */
export const routerRows: Readonly<Record<Router, Row>> = {
  baseten: {},
  cloudflare: { fixtures: workersAI },
  huggingface: {},
  minimax: {
    errors: [
      {
        frame:
          '{"choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}',
        kind: "billing",
      },
      {
        frame:
          '{"choices":[],"base_resp":{"status_code":1027,"status_msg":"output new_sensitive"}}',
        kind: "filtered",
      },
    ],
    failures: [
      {
        status: 429,
        body: '{"error":{"type":"insufficient_balance_error","message":"insufficient balance (1008)"}}',
        kind: "billing",
      },
    ],
    fixtures: [
      fixture(
        "a call, and the word that all went well",
        [
          readCall,
          {
            ...finishAt(10),
            base_resp: { status_code: 0, status_msg: "" },
            input_sensitive: false,
          },
        ],
        { turn: runsRead, source: "MiniMax-AI/MiniMax-M2.5#2" },
      ),
    ],
  },
  opencode: { quirk: all(withNativeStops({ error: "network_error" }), usageWithFinishReason) },
  snowflake: {},
  vercel: {},
  xiaomi: {
    quirk: all(reasoningIn("reasoning_content"), usageWithFinishReason),
    fixtures: [
      fixture("reasoning before a call", [thoughts, readCall, finishChunk("tool_calls")], {
        turn: runsRead,
        replays: ["I should read."],
        source: "decolua/9router#1210",
      }),
    ],
  },
};
