import { readTurn } from "@fullstop/core";
import type { StopTable } from "@fullstop/core/adapter";
import { chatStops } from "@fullstop/provider-openai/reply";
import { jsonResponse } from "@tooling/test/fake-server";
import type OpenAI from "openai";
import { describe, expect, test } from "vitest";
import {
  callChunk,
  chunk,
  completion,
  done,
  type Event,
  type Fields,
  finishChunk,
  serve,
  textChunk,
  usageChunk,
} from "./chat-server.ts";

const request = { messages: [{ role: "user", content: "Go." }] } as const;

describe("why a completion ended", () => {
  test.each([
    ["stop", "stop", "tool-use"],
    ["tool_calls", "malformed-tool-call", "tool-use"],
    ["function_call", "malformed-tool-call", "tool-use"],
    ["length", "length", "length"],
    ["content_filter", "content-filter", "content-filter"],
    ["a_new_word", "unknown", "unknown"],
    [null, "interrupted", "interrupted"],
    ["", "interrupted", "interrupted"],
    ["null", "interrupted", "interrupted"],
  ])("%s reads as %s, and with a whole call as %s", async (native, alone, withCall) => {
    const answer = (...more: readonly Event[]): readonly Event[] => [
      textChunk("Hi."),
      ...more,
      finishChunk(native),
      usageChunk(5),
      done,
    ];
    const server = serve(answer(), answer(callChunk(0, ["call_1", "read"], '{"path":"a"}')));
    const plain = await readTurn(server.adapter(), request);
    expect([plain.stopReason, plain.text]).toEqual([alone, "Hi."]);
    const called = await readTurn(server.adapter(), request);
    expect(called.stopReason).toBe(withCall);
    expect(called.calls.length).toBe(withCall === "tool-use" ? 1 : 0);
    expect(called.withheld.length).toBe(withCall === "tool-use" ? 0 : 1);
  });

  const cut = { finish_reason: "tool_calls" };
  const details = { incomplete_details: { reason: "max_output_tokens" } };
  test.each<[place: string, choice: object, top: object, stop: string]>([
    ["the choice", { stop_reason: "length" }, {}, "length"],
    ["the choice", { stopReason: "MAX_TOKENS" }, {}, "length"],
    ["the choice", { done_reason: "length" }, {}, "length"],
    ["the choice", details, {}, "length"],
    ["the body", {}, { finish_reason: "length" }, "length"],
    ["the body", {}, { stop_reason: "content_filter" }, "content-filter"],
    ["the body", {}, { status: "failed" }, "error"],
    ["the body", {}, details, "length"],
    ["the message", { in: { finish_reason: "length" } }, {}, "length"],
    ["the message", { in: { stop_reason: "refusal" } }, {}, "refusal"],
    ["the choice, in agreement", { stop_reason: "tool_use", status: "completed" }, {}, "tool-use"],
    ["the body, in agreement", {}, { finish_reason: "tool_calls" }, "tool-use"],
    ["the choice, without a value", { stop_reason: null, finishReason: "" }, {}, "tool-use"],
    ["the choice, as a token", { stop_reason: 151645 }, {}, "tool-use"],
    ["the choice, as a stop sequence", { stop_reason: "</end>" }, {}, "tool-use"],
  ])("of all words the worst counts: one in %s (%j %j)", async (_, choice, top, stop) => {
    const { in: inside = {}, ...more } = choice as { readonly in?: object };
    const call = [callChunk(0, ["call_1", "read"], '{"path":"a"}')];
    const last = { ...chunk({ ...inside }, { ...cut, ...more }), ...top };
    const [one] = completion({}, "tool_calls")["choices"] as readonly [Fields];
    const message = {
      ...(one["message"] as object),
      ...inside,
      tool_calls: [
        { id: "x", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
      ],
    };
    const body = {
      ...completion({}, "tool_calls"),
      choices: [{ ...one, message, ...cut, ...more }],
      ...top,
    };
    const server = serve([...call, last, done], [...call, last], () => jsonResponse(body));
    for (const stream of [true, true, false]) {
      const turn = await readTurn(server.adapter({ stream }), request);
      expect(turn.stopReason).toBe(stop);
      expect(turn.calls.length).toBe(stop === "tool-use" ? 1 : 0);
    }
  });

  test("`stop` with a refusal is a refusal, and its text can be shown", async () => {
    const answer = [
      chunk({ refusal: "I can't " }),
      chunk({ refusal: "help." }),
      finishChunk("stop"),
      done,
    ];
    const turn = await readTurn(serve(answer).adapter(), request);
    expect(turn).toMatchObject({
      stopReason: "refusal",
      text: "I can't help.",
      native: { stop: "stop", detail: "refusal" },
    });
  });

  test("a stream without `finish_reason` and `[DONE]` is interrupted", async () => {
    expect(
      (
        await readTurn(
          serve([textChunk("Hi."), callChunk(0, ["call_1", "read"], "{}")]).adapter(),
          request,
        )
      ).stopReason,
    ).toBe("interrupted");
  });

  test("an option adds a native stop reason of a host", async () => {
    const turn = await readTurn(
      serve([textChunk("Hi."), finishChunk("busy"), done]).adapter({ stops: { busy: "error" } }),
      request,
    );
    expect(turn.stopReason).toBe("error");
  });

  test("a table without one of the SDK's reasons does not compile", () => {
    type Word = OpenAI.ChatCompletion.Choice["finish_reason"];
    const { content_filter: _, ...rest } = chatStops as Record<Word, "stop">;
    // @ts-expect-error content_filter is missing
    const table: StopTable<Word> = rest;
    expect(Object.keys(table)).not.toContain("content_filter");
  });
});
