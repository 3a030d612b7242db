import { readTurn } from "@fullstop/core";
import type { StopTable } from "@fullstop/core/adapter";
import { chatStops } from "@fullstop/provider-openai/reply";
import type OpenAI from "openai";
import { describe, expect, test } from "vitest";
import {
  callChunk,
  chunk,
  done,
  type Event,
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
