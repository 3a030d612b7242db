import { createGate, readTurn } from "@fullstop/core";
import type { StopTable } from "@fullstop/core/adapter";
import { openai } from "@fullstop/provider-openai";
import { openaiReply } from "@fullstop/provider-openai/reply";
import {
  call,
  callEvents,
  completed,
  created,
  done,
  type Event,
  ended,
  message,
  messageEvents,
  response,
  usage,
} from "@tooling/test/openai-responses";
import type OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { serve } from "./responses-server.ts";

const request = { messages: [{ role: "user", content: "Go." }] } as const;
const called = callEvents(1, call("read", "{}"));
const refused = [done(2, message("", { content: [{ type: "refusal", refusal: "No." }] }))];
const incomplete = (reason?: string): Event =>
  ended("incomplete", { incomplete_details: reason === undefined ? null : { reason } });
/** How openai-go writes that there is neither. */
const blank = { error: { code: "", message: "" }, incomplete_details: { reason: "" } };
const endedWith = (status: string, rest: object = {}): Event => ({
  ...ended(status, rest),
  type: "response.completed",
});

describe("why a response ended", () => {
  test.for<[string, Event | undefined, string, string]>([
    ["completed", ended("completed"), "stop", "tool-use"],
    ["completed, with blank members", ended("completed", blank), "stop", "tool-use"],
    ["incomplete, with a blank reason", ended("incomplete", blank), "unknown", "unknown"],
    ["failed, with a blank error", ended("failed", blank), "error", "error"],
    ["incomplete:max_output_tokens", incomplete("max_output_tokens"), "length", "length"],
    ["incomplete:max_messages", incomplete("max_messages"), "length", "length"],
    ["incomplete:content_filter", incomplete("content_filter"), "content-filter", "content-filter"],
    ["incomplete:steered", incomplete("steered"), "pause", "pause"],
    ["incomplete without a reason", incomplete(), "unknown", "unknown"],
    ["incomplete for a new reason", incomplete("tired"), "unknown", "unknown"],
    [
      "failed",
      ended("failed", { error: { code: "server_error", message: "Boom" } }),
      "error",
      "error",
    ],
    [
      "failed:context_length_exceeded",
      ended("failed", { error: { code: "context_length_exceeded", message: "Too long." } }),
      "context-window",
      "context-window",
    ],
    ["cancelled", endedWith("cancelled"), "error", "error"],
    ["in_progress, as the last status", endedWith("in_progress"), "interrupted", "interrupted"],
    ["queued, as the last status", endedWith("queued"), "interrupted", "interrupted"],
    ["a new status", endedWith("x_new"), "unknown", "unknown"],
    ["an empty status", endedWith(""), "interrupted", "interrupted"],
    ["no event that ends it", undefined, "interrupted", "interrupted"],
  ])("%s", async ([, end, alone, withCall]) => {
    const ending = end === undefined ? [] : [end];
    const server = serve(
      [created, ...messageEvents(0, "Hi."), ...ending],
      [created, ...messageEvents(0, "Hi."), ...called, ...ending],
    );
    const plain = await readTurn(server.adapter(), request);
    expect([plain.stopReason, plain.text]).toEqual([alone, "Hi."]);
    const turn = await readTurn(server.adapter(), request);
    expect(turn.stopReason).toBe(withCall);
    expect([turn.calls.length, turn.withheld.length]).toEqual(
      withCall === "tool-use" ? [1, 0] : [0, 1],
    );
  });

  test("`completed` with a refusal is a refusal: its text is kept, and its calls do not run", async () => {
    const turn = await readTurn(
      serve([created, ...called, ...refused, ended("completed")]).adapter(),
      request,
    );
    expect([turn.stopReason, turn.text, turn.calls.length]).toEqual(["refusal", "No.", 0]);
    expect(turn.native).toEqual({ stop: "completed", detail: "refusal" });
    const streamed = {
      type: "response.refusal.delta",
      output_index: 0,
      content_index: 0,
      delta: "No.",
    };
    expect(
      (await readTurn(serve([created, streamed, ended("completed")]).adapter(), request))
        .stopReason,
    ).toBe("refusal");
  });

  test("`cancelled` is an error of its own kind, and a failure has a code and a message", async () => {
    const cancelled = await readTurn(serve([created, endedWith("cancelled")]).adapter(), request);
    expect("error" in cancelled && cancelled.error.kind).toBe("cancelled");
    const failure = ended("failed", {
      error: { code: "rate_limit_exceeded", message: "Slow down." },
    });
    const failed = await readTurn(serve([created, failure]).adapter(), request);
    expect("error" in failed && failed.error).toMatchObject({
      kind: "rate-limit",
      code: "rate_limit_exceeded",
      message: "Slow down.",
    });
    expect(failed.native).toEqual({ stop: "failed", detail: "rate_limit_exceeded" });
  });

  test("if the event, the status and the details disagree, the worst counts", async () => {
    const cases: readonly (readonly [Event, string])[] = [
      [{ ...ended("completed"), type: "response.incomplete" }, "unknown"],
      [ended("completed", { incomplete_details: { reason: "max_output_tokens" } }), "length"],
      [{ ...ended("completed"), type: "response.failed" }, "error"],
      [ended("completed", { error: { code: "server_error", message: "Boom" } }), "error"],
    ];
    for (const [end, reason] of cases) {
      const turn = await readTurn(serve([created, ...called, end]).adapter(), request);
      expect([turn.stopReason, turn.calls.length]).toEqual([reason, 0]);
    }
  });

  /** A reply of a call, streamed and in one piece, with these members in its response. */
  const readBoth = async (members: object) => {
    const item = call("read", "{}");
    const body = response("completed", { usage, output: [item], ...members });
    const server = serve([created, ...callEvents(0, item), { ...completed, response: body }]);
    const streamed = await readTurn(server.adapter(), request);
    const gate = createGate(openaiReply("gpt-5.5"));
    gate.push(body);
    const whole = gate.end();
    return [streamed, whole].map(({ stopReason, calls }) => [stopReason, calls.length]);
  };

  test.for<[string, object, string]>([
    ["a cut under the name of Chat Completions", { finish_reason: "length" }, "length"],
    [
      "a cut in `stop_reason`, without a status",
      { stop_reason: "length", status: undefined },
      "length",
    ],
    ["a cut under the name of Gemini", { finishReason: "MAX_TOKENS" }, "length"],
    ["a cut under the name of Converse", { stopReason: "max_tokens" }, "length"],
    ["a filter", { stop_reason: "content_filter" }, "content-filter"],
    ["a failure", { stop_reason: "failed" }, "error"],
    ["a cut as the status", { status: "length" }, "length"],
  ])("%s counts beside the status, and no call runs", async ([, members, reason]) => {
    expect(await readBoth(members)).toEqual([
      [reason, 0],
      [reason, 0],
    ]);
  });

  test.for<[string, object]>([
    ["the same", { stop_reason: "stop" }],
    ["the same, in place of the status", { stop_reason: "tool_calls", status: undefined }],
    ["nothing", { stop_reason: null, finish_reason: "" }],
    ["a stop sequence", { stop_reason: "</end>" }],
    ["the id of a token", { stop_reason: 151645 }],
    ["another protocol's word as the status", { status: "tool_calls" }],
    ["its word for a text", { status: "stop" }],
  ])("a second word that says %s withholds no call", async ([, members]) => {
    expect(await readBoth(members)).toEqual([
      ["tool-use", 1],
      ["tool-use", 1],
    ]);
  });

  test("a word of another protocol as the status ends a text, and a refusal stays one", async () => {
    const server = serve(
      [created, ...messageEvents(0, "Hi."), endedWith("stop")],
      [created, ...called, ...refused, endedWith("stop")],
      [created, ...messageEvents(0, "Hi."), endedWith("tool_calls")],
      [created, ...called, { ...ended("completed"), finish_reason: "length" }],
    );
    const reasons: string[] = [];
    for (let asked = 0; asked < 4; asked++)
      reasons.push((await readTurn(server.adapter(), request)).stopReason);
    expect(reasons).toEqual(["stop", "refusal", "malformed-tool-call", "length"]);
  });

  test("an option adds a native stop reason of a host", async () => {
    const answer = [created, ...messageEvents(0, "Hi."), endedWith("x_done")];
    const turn = await readTurn(serve(answer).adapter({ stops: { x_done: "stop" } }), request);
    expect(turn.stopReason).toBe("stop");
  });

  test("a table without one of the SDK's reasons does not compile", () => {
    const { incomplete: _, ...rest } = openai("gpt-5.5").stops as Record<
      OpenAI.Responses.ResponseStatus,
      "stop"
    >;
    // @ts-expect-error incomplete is missing
    const table: StopTable<OpenAI.Responses.ResponseStatus> = rest;
    expect(Object.keys(table)).not.toContain("incomplete");
  });
});
