import { createGate, readTurn } from "@fullstop/core";
import type { StopTable } from "@fullstop/core/adapter";
import { googleReply, stops } from "@fullstop/provider-google/reply";
import type { FinishReason } from "@google/genai";
import { describe, expect, test } from "vitest";
import { call, chunk, end, text } from "./chunks.ts";
import { serve } from "./server.ts";

/** The replies below use 20 tokens: below the cap, but more than half of it. */
const request = { messages: [{ role: "user", content: "Go." }], maxTokens: 30 } as const;

describe("finish reasons", () => {
  test.each([
    ["STOP", "stop", "tool-use"],
    ["MAX_TOKENS", "length", "length"],
    ["CONTINUATION", "pause", "pause"],
    ["SAFETY", "content-filter", "content-filter"],
    ["RECITATION", "content-filter", "content-filter"],
    ["BLOCKLIST", "content-filter", "content-filter"],
    ["PROHIBITED_CONTENT", "content-filter", "content-filter"],
    ["SPII", "content-filter", "content-filter"],
    ["IMAGE_SAFETY", "content-filter", "content-filter"],
    ["IMAGE_PROHIBITED_CONTENT", "content-filter", "content-filter"],
    ["IMAGE_RECITATION", "content-filter", "content-filter"],
    ["LANGUAGE", "error", "error"],
    ["OTHER", "error", "error"],
    ["IMAGE_OTHER", "error", "error"],
    ["NO_IMAGE", "error", "error"],
    ["MALFORMED_FUNCTION_CALL", "malformed-tool-call", "malformed-tool-call"],
    ["UNEXPECTED_TOOL_CALL", "malformed-tool-call", "malformed-tool-call"],
    ["TOO_MANY_TOOL_CALLS", "error", "error"],
    ["MALFORMED_RESPONSE", "error", "error"],
    ["MISSING_THOUGHT_SIGNATURE", "error", "error"],
    ["ESCALATION", "content-filter", "content-filter"],
    ["MODEL_ARMOR", "content-filter", "content-filter"],
    ["PUP_LIMITED_DISABLED", "error", "error"],
    ["FINISH_REASON_UNSPECIFIED", "interrupted", "interrupted"],
    ["A_NEW_WORD", "unknown", "unknown"],
    [undefined, "interrupted", "interrupted"],
    ["", "interrupted", "interrupted"],
  ])("%s is %s, and with a complete call %s", async (native, alone, withCall) => {
    const server = serve(
      [chunk(text("Hi.")), end(native)],
      [chunk(text("Hi.")), chunk(call("read", {})), end(native)],
    );
    const plain = await readTurn(server.adapter(), request);
    expect([plain.stopReason, plain.text]).toEqual([alone, "Hi."]);
    const called = await readTurn(server.adapter(), request);
    expect(called.stopReason).toBe(withCall);
    expect(called.calls.length).toBe(withCall === "tool-use" ? 1 : 0);
    expect(called.withheld.length).toBe(withCall === "tool-use" ? 0 : 1);
  });

  test.each([
    "SAFETY",
    "OTHER",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "IMAGE_SAFETY",
    "MODEL_ARMOR",
    "JAILBREAK",
    "A_NEW_REASON",
  ])("a prompt blocked for %s is `content-filter`", async (blockReason) => {
    const turn = await readTurn(serve([{ promptFeedback: { blockReason } }]).adapter(), request);
    expect([turn.stopReason, turn.native]).toEqual([
      "content-filter",
      { stop: "blocked", detail: blockReason },
    ]);
  });

  test("an option can map one block reason", async () => {
    const server = serve([{ promptFeedback: { blockReason: "OTHER" } }]);
    expect(
      (await readTurn(server.adapter({ stops: { "blocked:OTHER": "error" } }), request)).stopReason,
    ).toBe("error");
  });

  test("errors that the same request would meet again are invalid requests", async () => {
    for (const native of ["LANGUAGE", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE"]) {
      const turn = await readTurn(serve([end(native)]).adapter(), request);
      expect(turn).toMatchObject({
        stopReason: "error",
        error: { kind: "invalid-request", code: native },
      });
    }
    expect(await readTurn(serve([end("MALFORMED_RESPONSE")]).adapter(), request)).toMatchObject({
      error: { kind: "server" },
    });
  });

  /** A call under `STOP`, streamed and in one piece, with these members in its candidate. */
  const readBoth = async (members: object, rest: object = {}) => {
    const part = call("read", {});
    const last = {
      ...end("STOP", { ...members, content: { parts: [part], role: "model" } }),
      ...rest,
    };
    const gate = createGate(googleReply("gemini-3.1-pro"));
    gate.push(last);
    const server = serve(
      [chunk(text("Hi.")), last],
      [chunk(part), { ...end("STOP", members), ...rest }],
    );
    const turns = [
      gate.end(),
      await readTurn(server.adapter(), request),
      await readTurn(server.adapter(), request),
    ];
    return turns.map(({ stopReason, calls }) => `${stopReason} ${calls.length}`);
  };

  test("the worst word counts, also under the name of another protocol", async () => {
    const cut = Array.from({ length: 3 }, () => "length 0");
    expect(await readBoth({ finish_reason: "MAX_TOKENS" })).toEqual(cut);
    expect(await readBoth({ stop_reason: "length" })).toEqual(cut);
    expect(await readBoth({}, { stop_reason: "max_tokens" })).toEqual(cut);
    expect(await readBoth({}, { incomplete_details: { reason: "max_output_tokens" } })).toEqual(
      cut,
    );
    const ran = Array.from({ length: 3 }, () => "tool-use 1");
    expect(await readBoth({ finish_reason: "STOP", stop_reason: null })).toEqual(ran);
    expect(await readBoth({ stop_reason: "<end>" }, { stop_reason: 1 })).toEqual(ran);
  });

  test("the message is kept with the finish reason", async () => {
    const finishMessage = "Malformed function call: read(";
    const turn = await readTurn(
      serve([end("MALFORMED_FUNCTION_CALL", { finishMessage })]).adapter(),
      request,
    );
    expect(turn.native).toEqual({ stop: "MALFORMED_FUNCTION_CALL", detail: finishMessage });
  });

  test("a table without one of the SDK's stop reasons does not compile", () => {
    const { SPII: _, ...rest } = stops as Record<`${FinishReason}`, "stop">;
    // @ts-expect-error SPII is missing
    const table: StopTable<`${FinishReason}`> = rest;
    expect(Object.keys(table)).not.toContain("SPII");
  });
});
