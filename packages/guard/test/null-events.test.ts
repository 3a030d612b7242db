import type { Wire } from "@fullstop/conformance";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { interactionsWire } from "@fullstop/conformance/wires/gemini-interactions";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { type GuardReport, guard } from "@fullstop/guard";
import { expect, test } from "vitest";

const paths: readonly (readonly [Wire, string])[] = [
  [anthropicWire, "/v1/messages"],
  [openaiChatWire, "/v1/chat/completions"],
  [openaiResponsesWire, "/v1/responses"],
  [interactionsWire, "/v1beta/interactions"],
  [geminiWire, "/v1beta/models/gemini-3.1-pro:streamGenerateContent?alt=sse"],
];
/** Each protocol finds its own members. */
const request = '{"stream":true,"max_tokens":100,"messages":[],"input":"Go.","contents":[]}';
const blocks = [{ name: "read", id: "call_1", input: { path: "a" } }];

// NousResearch/hermes-agent#89575, decolua/9router#1148, Kilo-Org/kilocode#3083
test.for(paths)("$0.name: events that are null take no call away", async ([wire, path]) => {
  const { upToTerminal, after = [] } = wire.frames({ blocks, stop: callStop(wire), output: 12 });
  const events = [...upToTerminal, ...after].flatMap((data) => ["null", data]);
  const sent = events.map((data) => `data: ${data}\n\n`).join("");
  let report: GuardReport | undefined;
  const reply = await guard(async () => new Response(sent), {
    onReply: (one) => {
      report = one;
    },
  })(`http://provider.test${path}`, { method: "POST", body: request });
  expect(await reply.text()).toBe(sent);
  expect(report).toMatchObject({
    action: "passed",
    turn: { stopReason: "tool-use", calls: [{ name: "read", input: { path: "a" } }] },
  });
});

const callStop = ({ nativeStops }: Wire): string =>
  nativeStops["tool-use"] ?? nativeStops.stop ?? "";
