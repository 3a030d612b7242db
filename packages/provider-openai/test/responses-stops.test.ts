import { readTurn } from "@fullstop/core";
import type { StopTable } from "@fullstop/core/adapter";
import { openai } from "@fullstop/provider-openai";
import {
  call,
  callEvents,
  created,
  done,
  type Event,
  ended,
  message,
  messageEvents,
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
