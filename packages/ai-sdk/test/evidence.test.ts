import * as responses from "@tooling/test/openai-responses";
import { expect, test } from "vitest";
import {
  body,
  chatCall,
  chatUsage,
  chunk,
  type Form,
  proxies,
  runReply,
  stream,
} from "./providers.ts";
import { call, message } from "./replies.ts";

const created = {
  ...responses.created,
  response: { ...responses.response("in_progress"), created_at: 1_795_000_000 },
};
const written = responses.call("write", '{"path":"a"}');
const whole = (status: string, rest: object = {}): object => ({
  ...responses.response(status, { output: [written], usage: responses.usage, ...rest }),
  created_at: 1_795_000_000,
});
const because = (reason: string | undefined) => ({
  incomplete_details: reason ? { reason } : null,
});

/** Replies of Responses that are not finished, by their status. */
const unfinished: readonly (readonly [string, object])[] = [
  ["incomplete", because(undefined)],
  ["incomplete", because("a_new_reason")],
  ["incomplete", because("max_output_tokens")],
  ["incomplete", because("content_filter")],
  ["cancelled", {}],
  ["in_progress", {}],
  ["queued", {}],
  ["failed", { error: { code: "server_error", message: "It failed." } }],
];
const forms: readonly Form[] = ["streamed", "whole", "simulated"];

test.each(
  forms.flatMap((form) => unfinished.map(([status, rest]) => [form, status, rest] as const)),
)(
  "behind a provider with a name of its own, a Responses reply runs no call, %s: %s %j",
  async (form, status, rest) => {
    const events = [created, ...responses.callEvents(0, written)];
    const last = { type: `response.${status}`, response: whole(status, rest) };
    const answer = form === "streamed" ? stream(...events, last) : body(whole(status, rest));
    const { ran, evidence } = await runReply(proxies.responses, answer, { form });
    expect(ran).toEqual([]);
    expect(evidence.filter((from) => from !== "events")).toEqual([]);
  },
);

test.each(forms)("a finished one runs, %s", async (form) => {
  const events = [created, ...responses.callEvents(0, written), responses.completed];
  const answer = form === "streamed" ? stream(...events) : body(whole("completed"));
  const { ran, evidence } = await runReply(proxies.responses, answer, { form });
  expect({ ran, evidence }).toEqual({ ran: ["a"], evidence: ["events"] });
});

const geminiCall = { functionCall: { name: "write", args: { path: "a" } } };
const candidate = (finishReason?: string, ...parts: readonly object[]): object => ({
  candidates: [{ content: { role: "model", parts }, finishReason, index: 0 }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 20, totalTokenCount: 30 },
});

test.each([
  [
    "a refusal beside a call",
    "responses",
    [
      created,
      ...responses.callEvents(0, written),
      responses.ended("completed", {
        output: [
          written,
          responses.message("", { content: [{ type: "refusal", refusal: "I cannot." }] }),
        ],
      }),
    ],
  ],
  [
    "other arguments in the last event",
    "responses",
    [
      created,
      ...responses.callEvents(0, written),
      responses.ended("completed", { output: [responses.call("write", '{"path":"b"}')] }),
    ],
  ],
  [
    "`length`, and then `tool_calls`",
    "chat",
    [
      chunk({ tool_calls: [chatCall] }),
      chunk({}, "length"),
      chunk({}, "tool_calls", { usage: chatUsage }),
      "[DONE]",
    ],
  ],
  [
    "`length`, and then `tool_calls`",
    "compatible",
    [
      chunk({ tool_calls: [chatCall] }),
      chunk({}, "length"),
      chunk({}, "tool_calls", { usage: chatUsage }),
      "[DONE]",
    ],
  ],
  [
    "`MAX_TOKENS`, and then `STOP`",
    "gemini",
    [candidate("MAX_TOKENS", geminiCall), candidate("STOP")],
  ],
] as const)("a contradiction runs nothing: %s, %s", async (_, name, events) => {
  const { ran, turns } = await runReply(proxies[name], stream(...events));
  expect(ran).toEqual([]);
  expect(turns).toHaveLength(1);
});

test.each([
  ["messages", message(call(0, "toolu_1", '{"path":"a"}'), "tool_use")],
  ["chat", stream(chunk({ tool_calls: [chatCall] }), chunk({}, "tool_calls"), "[DONE]")],
  ["compatible", stream(chunk({ tool_calls: [chatCall] }), chunk({}, "tool_calls"), "[DONE]")],
  ["gemini", stream(candidate("STOP", geminiCall))],
] as const)("a finished reply of %s runs, and its own events were read", async (name, answer) => {
  const { ran, evidence } = await runReply(proxies[name], answer);
  expect({ ran, evidence }).toEqual({ ran: ["a"], evidence: ["events"] });
});
