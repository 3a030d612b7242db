import type { StopReason } from "@aws-sdk/client-bedrock-runtime";
import { createGate, readTurn, type StopReason as SharedReason } from "@fullstop/core";
import { bedrockReply } from "@fullstop/provider-bedrock/reply";
import { describe, expect, test } from "vitest";
import { call, type Fields, replyEvents, text } from "./events.ts";
import { answer } from "./server.ts";

/** The replies below use 20 tokens: below the cap, but more than half of it. */
const request = { messages: [{ role: "user", content: "Go." }], maxTokens: 30 } as const;
const read = { id: "tooluse_1", name: "read", input: { path: "a" } };
const reply = (stop: string, ...blocks: Parameters<typeof replyEvents>[0]): readonly Fields[] =>
  replyEvents(blocks, { stop, output: 20 });

/**
 * Alone, and with a complete call.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_MessageStopEvent.html
 */
const table: Readonly<Record<StopReason, readonly [SharedReason, SharedReason]>> = {
  end_turn: ["stop", "tool-use"],
  tool_use: ["malformed-tool-call", "tool-use"],
  max_tokens: ["length", "length"],
  stop_sequence: ["stop", "stop"],
  guardrail_intervened: ["content-filter", "content-filter"],
  content_filtered: ["content-filter", "content-filter"],
  malformed_model_output: ["error", "error"],
  malformed_tool_use: ["malformed-tool-call", "malformed-tool-call"],
  model_context_window_exceeded: ["context-window", "context-window"],
};
const others = { a_new_word: ["unknown", "unknown"] } as const;

describe("stop reasons", () => {
  test.each(Object.entries({ ...table, ...others }))("%s", async (native, [alone, withCall]) => {
    const server = answer(reply(native, text("Hi.")), reply(native, text("Hi."), call(read)));
    expect((await readTurn(server.adapter(), request)).stopReason).toBe(alone);
    const called = await readTurn(server.adapter(), request);
    expect(called.stopReason).toBe(withCall);
    expect(called.calls.length).toBe(withCall === "tool-use" ? 1 : 0);
    expect(called.withheld.length).toBe(withCall === "tool-use" ? 0 : 1);
  });

  test.each<[word: object, stop: string]>([
    [{ finish_reason: "length" }, "length"],
    [{ stop_reason: "max_tokens" }, "length"],
    [{ additionalModelResponseFields: { stop_reason: "max_tokens" } }, "length"],
    [{ status: "failed" }, "error"],
    [{ stop_reason: "tool_use", finish_reason: "tool_calls", status: "completed" }, "tool-use"],
    [{ stop_reason: null, finish_reason: "" }, "tool-use"],
    [{ additionalModelResponseFields: { stop_sequence: "</end>" } }, "tool-use"],
  ])("of all words the worst counts: %j beside the stop reason", async (word, stop) => {
    const asked = { maxTokens: 30, tools: [] };
    const events = reply("tool_use", call(read)).map((event) =>
      "messageStop" in event
        ? { messageStop: { ...(event["messageStop"] as object), ...word } }
        : event,
    );
    const toolUse = { toolUseId: "tooluse_1", name: "read", input: { path: "a" } };
    const whole = {
      output: { message: { role: "assistant", content: [{ toolUse }] } },
      stopReason: "tool_use",
      usage: { inputTokens: 1, outputTokens: 20, totalTokens: 21 },
      ...word,
    };
    const beside = [...events.slice(0, -1), { ...events.at(-1), ...word }];
    for (const natives of [events, beside, [whole]]) {
      const gate = createGate(bedrockReply("amazon.nova-pro-v1:0"), asked);
      for (const native of natives) gate.push(native);
      const { stopReason, calls } = gate.end();
      expect([stopReason, calls.length]).toEqual([stop, stop === "tool-use" ? 1 : 0]);
    }
  });

  test("the usage, which comes after the stop reason, counts against the cap", async () => {
    const events = replyEvents([call(read)], { stop: "tool_use", output: 30 });
    const turn = await readTurn(answer(events).adapter(), request);
    expect([turn.stopReason, turn.withheld[0]?.reason]).toEqual(["length", "cap-reached"]);
  });

  test("of a reply without `messageStop` no call runs, also if every block ended", async () => {
    const events = reply("tool_use", call(read)).slice(0, -2);
    const turn = await readTurn(answer(events).adapter(), request);
    expect([turn.stopReason, turn.calls.length]).toEqual(["interrupted", 0]);
  });

  test("a host's own stop reasons are added", async () => {
    const adapter = answer(reply("busy", text("Hi."))).adapter({ stops: { busy: "error" } });
    expect((await readTurn(adapter, request)).stopReason).toBe("error");
  });
});
