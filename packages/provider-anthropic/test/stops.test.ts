import type Anthropic from "@anthropic-ai/sdk";
import { readTurn } from "@fullstop/core";
import type { StopTable } from "@fullstop/core/adapter";
import { stops } from "@fullstop/provider-anthropic/reply";
import { jsonResponse } from "@tooling/test/fake-server";
import { describe, expect, test } from "vitest";
import { messageDelta, messageStart, messageStop, text, tool, usage } from "./events.ts";
import { serve } from "./server.ts";

/** The replies below use 20 tokens: below the cap, but more than half of it. */
const request = { messages: [{ role: "user", content: "Go." }], maxTokens: 30 } as const;

describe("stop reasons", () => {
  test.each([
    ["end_turn", "stop", "tool-use"],
    ["tool_use", "malformed-tool-call", "tool-use"],
    ["max_tokens", "length", "length"],
    ["stop_sequence", "stop", "stop"],
    ["pause_turn", "pause", "pause"],
    ["refusal", "refusal", "refusal"],
    ["model_context_window_exceeded", "context-window", "context-window"],
    ["compaction", "pause", "pause"],
    ["sensitive", "content-filter", "content-filter"],
    ["terminated", "error", "error"],
    ["a_new_word", "unknown", "unknown"],
    [null, "interrupted", "interrupted"],
    ["", "interrupted", "interrupted"],
  ])("%s is %s, and with a complete call %s", async (native, alone, withCall) => {
    const answer = (call: boolean) => [
      messageStart,
      ...text(0, "Hi."),
      ...(call ? tool(1, "read", "{}") : []),
      messageDelta(native),
      messageStop,
    ];
    const server = serve(answer(false), answer(true));
    const plain = await readTurn(server.adapter(), request);
    expect(plain.stopReason).toBe(alone);
    expect(plain.text).toBe("Hi.");
    const called = await readTurn(server.adapter(), request);
    expect(called.stopReason).toBe(withCall);
    expect(called.calls.length).toBe(withCall === "tool-use" ? 1 : 0);
    expect(called.withheld.length).toBe(withCall === "tool-use" ? 0 : 1);
  });

  test.each<[word: object, place: "delta" | "event", stop: string]>([
    [{ finish_reason: "length" }, "delta", "length"],
    [{ finish_reason: "content_filter" }, "event", "content-filter"],
    [{ stopReason: "MAX_TOKENS" }, "event", "length"],
    [{ incomplete_details: { reason: "max_output_tokens" } }, "delta", "length"],
    [{ status: "failed" }, "event", "error"],
    [{ finish_reason: "tool_calls", status: "completed" }, "delta", "tool-use"],
    [{ finish_reason: null, stopReason: 151645 }, "event", "tool-use"],
    [{ finish_reason: "</end>" }, "event", "tool-use"],
  ])("of all words the worst counts: %j in the %s", async (word, place, stop) => {
    const delta = messageDelta("tool_use", place === "delta" ? { delta: word } : {});
    const end = [place === "event" ? { ...delta, ...word } : delta, messageStop];
    const { message } = messageStart as { readonly message?: object };
    const whole = {
      ...message,
      content: [{ type: "tool_use", id: "toolu_1", name: "read", input: {} }],
      stop_reason: "tool_use",
      usage: { ...usage, output_tokens: 20 },
      ...word,
    };
    const server = serve([messageStart, ...tool(0, "read", "{}"), ...end], () =>
      jsonResponse(whole),
    );
    for (const stream of [true, false]) {
      const turn = await readTurn(server.adapter({ stream }), request);
      expect([turn.stopReason, turn.calls.length]).toEqual([stop, stop === "tool-use" ? 1 : 0]);
    }
  });

  test("details are kept with the native stop reason", async () => {
    const details = { type: "refusal", category: "cyber", explanation: "No." };
    const turn = await readTurn(
      serve([
        messageStart,
        messageDelta("refusal", { delta: { stop_details: details } }),
        messageStop,
      ]).adapter(),
      request,
    );
    expect(turn.native).toEqual({ stop: "refusal", detail: details });
  });

  test("an option adds a host's own stop reason", async () => {
    const answer = [messageStart, ...text(0, "Hi."), messageDelta("busy"), messageStop];
    const turn = await readTurn(serve(answer).adapter({ stops: { busy: "error" } }), request);
    expect(turn.stopReason).toBe("error");
  });

  test("a table without one of the SDK's stop reasons does not compile", () => {
    const { refusal: _, ...rest } = stops as Record<Anthropic.StopReason, "stop">;
    // @ts-expect-error refusal is missing
    const table: StopTable<Anthropic.StopReason> = rest;
    expect(Object.keys(table)).not.toContain("refusal");
  });
});
