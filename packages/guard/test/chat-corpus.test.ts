import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import type OpenAI from "openai";
import { afterAll, describe, expect, test } from "vitest";
import { type AskOptions, chatRequest, holdsCall, openDesk, recordings } from "./chat.ts";

const desk = await openDesk();
afterAll(() => desk.close());

const replies = recordings.map(({ file, bytes, headers, events, expected }) => ({
  file,
  raw: new TextDecoder().decode(bytes),
  reply: { chunks: [bytes], headers },
  isStream: events !== undefined,
  turn: expected?.turn,
  options: { request: { max_tokens: expected?.maxTokens ?? 1024 } },
}));
type Reply = (typeof replies)[number];

/** Finished replies whose calls clients read in different ways, and why. */
const ambiguous: Readonly<Record<string, string>> = {
  "arguments-as-object": "the arguments are not a text",
  "call-repeated-as-function-call": "the call is said twice",
  "call-repeated-at-other-index": "the call is said twice",
  "calls-without-index": "the parts have no index",
  "cumulative-arguments": "the arguments are restated",
  "empty-function-call-with-finish-reason": "an empty `function_call` stands beside the call",
  "empty-piece-at-new-index": "an empty part begins a second call",
  "function-call-other-whitespace": "the call is said twice",
  "id-after-name": "the first part has no id",
  "index-counts-empty-piece": "the indices do not count from 0",
  "index-counts-text": "the indices do not count from 0",
  "indices-from-one": "the indices do not count from 0",
  "input-and-name-repeated": "the arguments and the name are restated",
  "last-piece-other-whitespace": "the arguments are restated",
  "last-piece-repeats-arguments": "the arguments are restated",
  "message-repeated-at-end": "the call is said twice",
  "name-after-arguments": "the first part has no name",
  "name-in-each-piece": "some clients join the names",
  "negative-index": "an index is negative",
  "null-input-without-parameters": "the input is `null`",
  "one-index-for-all-calls": "two calls share an index",
  "other-id-in-each-piece": "some clients join the ids",
  "placeholder-before-input": "an empty object stands before the arguments",
  "same-tool-same-index-no-ids": "three calls share an index",
  "second-choice": "another choice holds a call",
};
const nameOf = ({ file }: Reply): string => file.replace(/\.\w+$/, "");
const isFinished = ({ turn }: Reply): boolean =>
  turn?.stopReason === "tool-use" || turn?.stopReason === "stop";
const finished = replies.filter(isFinished);
const clear = finished.filter((reply) => ambiguous[nameOf(reply)] === undefined);
const rewritten = finished.filter((reply) => ambiguous[nameOf(reply)] !== undefined);
const unfinished = replies.filter((reply) => !isFinished(reply));

async function read(
  { reply, isStream }: Reply,
  options?: AskOptions,
): Promise<OpenAI.ChatCompletion> {
  const { completions } = desk.client(reply, options).chat;
  return isStream
    ? completions.stream({ ...chatRequest, stream: true }).finalChatCompletion()
    : completions.create({ ...chatRequest, stream: false });
}
interface SdkCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}
const callsOf = ({ choices }: OpenAI.ChatCompletion): readonly SdkCall[] =>
  (choices[0]?.message.tool_calls ?? []).map(({ id, ...call }) =>
    call.type === "custom"
      ? { id, name: call.custom.name, input: { text: call.custom.input } }
      : { id, name: call.function.name, input: JSON.parse(call.function.arguments) },
  );

describe("the corpus of Chat Completions", () => {
  test.for(replies)("is judged as its turn file says: $file", async ({ reply, turn, options }) => {
    const { report } = await desk.ask(reply, options);
    expect(report.turn.stopReason).toBe(turn?.stopReason);
  });
});

describe(`finished replies whose calls are clear (${clear.length})`, () => {
  test("are at least 20", () => expect(clear.length).toBeGreaterThanOrEqual(20));
  test.for(clear)("pass byte for byte: $file", async ({ reply, raw, options }) => {
    expect(await desk.ask(reply, options)).toMatchObject({
      text: raw,
      status: 200,
      isBroken: false,
      report: { action: "passed" },
    });
  });
});

describe("finished replies whose calls clients read in different ways", () => {
  test("are exactly those that are listed", () => {
    expect(rewritten.map(nameOf).sort()).toEqual(Object.keys(ambiguous).sort());
  });
  test.for(rewritten)("say each call once: $file", async (one) => {
    const { report, text } = await desk.ask(one.reply, one.options);
    expect(report.action).toBe("rewritten");
    expect(text).not.toContain('"tool_calls":[]');
    const completion = await read(one);
    expect(callsOf(completion)).toEqual(
      one.turn?.calls.map((call) => ({ id: expect.stringMatching(/^\S+$/), ...call })),
    );
    expect(completion.choices).toHaveLength(1);
    expect(completion.choices[0]?.finish_reason).toBe("tool_calls");
  });
});

test("unguarded, the SDK reads most of them in another way", async () => {
  const readUnguarded = async ({ reply, turn }: Reply): Promise<boolean> => {
    const { completions } = desk.unguarded(reply).chat;
    const stream = completions.stream({ ...chatRequest, stream: true });
    const calls = await stream
      .finalChatCompletion()
      .then(callsOf)
      .catch(() => undefined);
    return (
      JSON.stringify(calls?.map(({ input }) => input)) ===
      JSON.stringify(turn?.calls.map(({ input }) => input))
    );
  };
  const same = await Promise.all(rewritten.map(readUnguarded));
  expect(same.filter((isSame) => !isSame).length).toBeGreaterThan(rewritten.length / 2);
});

describe("with `normalizeCalls`", () => {
  const withCalls = finished.filter(
    (reply) => reply.turn?.stopReason === "tool-use" && nameOf(reply) !== "function-call-only",
  );
  test.for(withCalls)("calls have unique ids, an input and their reason: $file", async (one) => {
    const completion = await read(one, { normalizeCalls: true });
    const calls = callsOf(completion);
    expect(calls.map(({ name, input }) => ({ name, input }))).toEqual(
      one.turn?.calls.map(({ name, input }) => ({ name, input })),
    );
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
    expect(calls.every(({ id }) => id !== "")).toBe(true);
    expect(completion.choices[0]?.finish_reason).toBe("tool_calls");
  });
});

describe("replies with calls that must not run", () => {
  const withheld = unfinished.filter(({ raw }) => holdsCall(raw));
  const arrived = ["length", "refusal", "malformed-tool-call", "content-filter"];
  const ended = withheld.filter(({ turn }) => arrived.includes(turn?.stopReason ?? ""));
  const failed = withheld.filter((one) => !ended.includes(one));
  test("are at least 14, and their raw bytes hold calls", () => {
    expect(withheld.length).toBeGreaterThanOrEqual(14);
    expect(ended.length).toBeGreaterThanOrEqual(8);
  });
  test.for(ended)("end natively, without a part of a call: $file", async (one) => {
    const { text, report, status } = await desk.ask(one.reply, one.options);
    expect({ action: report.action, status }).toEqual({ action: "ended", status: 200 });
    expect(holdsCall(text)).toBe(false);
    expect(text).toMatch(/nothing of (?:it|them) ran/);
    const { choices } = await read(one, one.options);
    const [choice] = choices;
    // A refusal keeps the provider's own stop reason.
    expect(choice?.finish_reason).toBe(one.turn?.stopReason === "refusal" ? "stop" : "length");
    expect(choice?.message.tool_calls ?? []).toEqual([]);
    const { role, content } = choice?.message ?? {};
    const next = [...chatRequest.messages, { role, content }, { role: "user", content: "Go on." }];
    expect(openaiChatWire.violations({ ...chatRequest, messages: next })).toEqual([]);
  });
  test.for(failed)("become an error status: $file", async ({ reply, options }) => {
    const { text, status } = await desk.ask(reply, options);
    expect([429, 502]).toContain(status);
    expect(JSON.parse(text)).toEqual({
      error: expect.objectContaining({ message: expect.any(String), type: expect.any(String) }),
    });
    expect(holdsCall(text)).toBe(false);
  });
});
