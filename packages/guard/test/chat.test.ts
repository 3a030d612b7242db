import type OpenAI from "openai";
import { afterAll, describe, expect, test } from "vitest";
import {
  type AskOptions,
  bodyOf,
  callDelta,
  callOf,
  chatRequest,
  choicesChunk,
  chunk,
  done,
  eventsOf,
  type Fields,
  holdsCall,
  openDesk,
  opening,
  said,
  streamed,
  whole,
} from "./chat.ts";
import type { PlayedReply } from "./server.ts";

const desk = await openDesk();
afterAll(() => desk.close());

const cutDelta = {
  tool_calls: [
    { index: 0, id: "call_1", type: "function", function: { name: "read", arguments: '{"pa' } },
  ],
};
const call = callDelta(0, "call_1", "/srv/a");
const lastChunks = [chunk({}, "tool_calls"), done];

const stream = (client: OpenAI): Promise<OpenAI.ChatCompletion> =>
  client.chat.completions.stream({ ...chatRequest, stream: true }).finalChatCompletion();
const firstOf = ({ choices }: OpenAI.ChatCompletion): Fields => ({ ...choices[0] });

/** The choices of a stream, with the deltas of each as they came. */
const choicesIn = (text: string): readonly Fields[] =>
  eventsOf(text).flatMap(({ choices = [] }) => choices as readonly Fields[]);

describe("a stream whose calls must not run", () => {
  const cut = streamed(
    opening,
    chunk({ content: "Reading.", ...cutDelta }),
    chunk({}, "length"),
    done,
  );

  test("keeps the text beside a call, and says the note after it", async () => {
    const { text } = await desk.ask(cut);
    expect(choicesIn(text).map(({ delta }) => delta)).toEqual([
      { role: "assistant", content: "" },
      { content: "Reading." },
      {
        content: expect.stringMatching(
          /^\n\n\[The guard held back read, and nothing of it ran, [^.]*\.\]$/,
        ),
      },
      {},
    ]);
    expect(text.endsWith(done)).toBe(true);
  });
  test("unguarded gives the SDK a call", async () => {
    const raw = firstOf(await stream(desk.unguarded(cut)));
    expect(raw).toMatchObject({ message: { tool_calls: [{ function: { name: "read" } }] } });
    expect(firstOf(await stream(desk.client(cut)))).toMatchObject({
      finish_reason: "length",
      message: { content: expect.stringMatching(/^Reading\.\n\n\[/) },
    });
  });
  test("has the note between the text and the end of its last chunk", async () => {
    const last = chunk({ content: "Reading.", ...cutDelta }, "length", {
      native_finish_reason: "max_tokens",
    });
    const { text } = await desk.ask(streamed(opening, last, done));
    const choices = choicesIn(text).slice(1);
    expect(choices.map(({ finish_reason }) => finish_reason)).toEqual([null, null, "length"]);
    expect(choices.map(({ native_finish_reason: native }) => native)).toEqual([
      null,
      undefined,
      "max_tokens",
    ]);
  });
  test("has no note with `note: false`, and is read by the SDK", async () => {
    const { message } = firstOf(await stream(desk.client(cut, { note: false })));
    expect(message).toMatchObject({ content: "Reading." });
  });
  test("loses the reason of the upstream provider that contradicts the new ending", async () => {
    const end = chunk({}, "tool_calls", { native_finish_reason: "STOP" });
    const { text } = await desk.ask(streamed(opening, chunk(cutDelta), end, done), {
      origin: "https://openrouter.ai/api",
    });
    expect(choicesIn(text).at(-1)).toMatchObject({
      finish_reason: "length",
      native_finish_reason: "length",
    });
    expect(text).not.toContain("tool_calls");
  });
  test.for([
    ["tool_calls", "SAFETY", "content_filter"],
    ["stop", "MAX_TOKENS", "length"],
    ["tool_calls", "model_context_window_exceeded", "length"],
  ] as const)("under %s and natively %s ends with %s", async ([reason, native, ending]) => {
    const end = chunk({}, reason, { native_finish_reason: native });
    const { text } = await desk.ask(streamed(opening, chunk(call), end, done), {
      origin: "https://openrouter.ai/api",
    });
    expect(choicesIn(text).at(-1)).toMatchObject({
      finish_reason: ending,
      native_finish_reason: expect.stringMatching(`^(?:${native}|${ending})$`),
    });
    expect(holdsCall(text)).toBe(false);
  });
  test("keeps the content filter as its reason, and its usage", async () => {
    const usage = `data: ${JSON.stringify({ id: "chatcmpl-1", choices: [], usage: { completion_tokens: 3 } })}\n\n`;
    const { text } = await desk.ask(
      streamed(
        opening,
        chunk(call),
        chunk({}, "content_filter", { native_finish_reason: "tool_calls" }),
        usage,
        done,
      ),
    );
    expect(choicesIn(text).at(-1)).toMatchObject({
      finish_reason: "content_filter",
      native_finish_reason: "content_filter",
    });
    expect(text.endsWith(usage + done)).toBe(true);
  });
  test("keeps the usage that stands in the chunk of a call", async () => {
    const counted = chunk(cutDelta).replace(
      '"choices"',
      '"usage":{"completion_tokens":9},"choices"',
    );
    const { text } = await desk.ask(streamed(opening, counted, chunk({}, "length"), done));
    expect(eventsOf(text)).toContainEqual(
      expect.objectContaining({ usage: { completion_tokens: 9 } }),
    );
  });
  test("keeps its end if the host then sends another one", async () => {
    const first = opening + chunk(call) + chunk({}, "length");
    const reply = { chunks: [first, chunk({}, "tool_calls"), done], pauseMs: 30 };
    const { text } = await desk.ask(reply);
    expect(choicesIn(text).at(-1)).toMatchObject({ finish_reason: "length" });
    expect(text.endsWith(done)).toBe(true);
  });
  test("fails if a call follows its stop reason, and only `[DONE]` follows the call", async () => {
    const ended = chunk({ content: "Reading." }, "stop");
    const { text, report } = await desk.ask(streamed(opening, ended, chunk(call), done));
    expect([report.action, report.turn.stopReason]).toEqual(["failed", "interrupted"]);
    expect(holdsCall(text)).toBe(false);
  });
  test("gets an end if its host sends none", async () => {
    const counted = `data: ${JSON.stringify({ choices: [], usage: { completion_tokens: 3 } })}\n\n`;
    const host = (): { doneEnds: boolean } => ({ doneEnds: true });
    const reply = streamed(opening, chunk(cutDelta), counted, done);
    expect(firstOf(await stream(desk.client(reply, { host })))).toMatchObject({
      finish_reason: "length",
    });
    const { text } = await desk.ask(reply, { host });
    expect(holdsCall(text)).toBe(false);
    expect(text.endsWith(done)).toBe(true);
  });
  test("is asked for once more with the client's own messages and a larger cap", async () => {
    const client = desk.client(
      [
        streamed(chunk({ role: "assistant", ...cutDelta }), chunk({}, "length"), done),
        streamed(opening, chunk({ content: "Done." }), chunk({}, "stop"), done),
      ],
      { reask: true },
    );
    expect(firstOf(await stream(client))).toMatchObject({ message: { content: "Done." } });
    expect(desk.lastBody()).toMatchObject({ messages: chatRequest.messages, max_tokens: 2048 });
  });
});

test("a stream in which the provider reports an error gets no other end", async () => {
  const error = `data: ${JSON.stringify({ error: { message: "Too long.", code: "context_length_exceeded" } })}\n\n`;
  const { text } = await desk.ask(streamed(opening, chunk(call), error));
  expect(holdsCall(text)).toBe(false);
  expect(text.endsWith(error)).toBe(true);
  expect(choicesIn(text).every(({ finish_reason: reason }) => reason === null)).toBe(true);
});

describe("empty parts of calls", () => {
  test.for([
    ["tool_calls: []", { tool_calls: [] }],
    ["tool_calls: null", { tool_calls: null }],
    ["an empty part", { tool_calls: [{ index: 0, function: { arguments: "" } }] }],
    ["an empty function_call", { function_call: { name: "", arguments: "" } }],
  ] as const)("leave a reply of text as it is: %s", async ([, empty]) => {
    const reply = streamed(
      opening,
      chunk({ content: "Hello.", ...empty }),
      chunk({ ...empty }, "stop"),
      done,
    );
    const { text, report } = await desk.ask(reply);
    expect({ text, action: report.action }).toEqual({ text: reply.chunks[0], action: "passed" });
  });
});

describe("granted calls that are said anew", () => {
  const twice = (more: Fields = {}): PlayedReply =>
    streamed(
      opening,
      chunk(callDelta(0, "call_1", "/srv/a", more)),
      chunk({ function_call: said }),
      ...lastChunks,
    );

  test("keep the signature of Google", async () => {
    const extra_content = { google: { thought_signature: "CvQB" } };
    expect(firstOf(await stream(desk.client(twice({ extra_content }))))).toMatchObject({
      message: { tool_calls: [{ id: "call_1", type: "function", function: said, extra_content }] },
    });
  });
  test("stay calls of custom tools", async () => {
    const part = { id: "call_1", type: "custom", custom: { name: "patch", input: '{"a"' } };
    const reply = streamed(opening, chunk({ tool_calls: [{ index: 3, ...part }] }), ...lastChunks);
    expect((await desk.ask(reply)).report.action).toBe("rewritten");
    expect(firstOf(await stream(desk.client(reply)))).toMatchObject({
      finish_reason: "tool_calls",
      message: { tool_calls: [part] },
    });
  });
  test("stay in `function_call` if they came only there", async () => {
    const pieces = ['{"path":', '"/srv/a"}', said.arguments].map((text) =>
      chunk({ function_call: { arguments: text } }),
    );
    const named = chunk({ function_call: { name: "read", arguments: "" } });
    const reply = streamed(opening, named, ...pieces, chunk({}, "function_call"), done);
    const { text, report } = await desk.ask(reply);
    expect(report.action).toBe("rewritten");
    expect(choicesIn(text).slice(1)).toMatchObject([
      { delta: { function_call: said } },
      { finish_reason: "function_call" },
    ]);
  });
});

describe("replies with several choices", () => {
  const other = (delta: Fields, reason: string | null = null): string =>
    choicesChunk({ index: 1, delta, finish_reason: reason });

  test("lose the calls of all choices but the first, and keep their text", async () => {
    const reply = streamed(
      opening,
      other({ role: "assistant", content: "Or so." }),
      chunk(call),
      other(callDelta(0, "call_2", "/srv/b")),
      other({}, "tool_calls"),
      ...lastChunks,
    );
    const { choices } = await stream(desk.client(reply));
    expect(choices).toMatchObject([
      { finish_reason: "tool_calls", message: { tool_calls: [{ id: "call_1" }] } },
      { finish_reason: "length", message: { content: "Or so." } },
    ]);
    expect(JSON.stringify(choices)).not.toContain("call_2");
  });

  const split = streamed(
    opening,
    chunk({ content: "Reading." }),
    other(call),
    choicesChunk(
      { index: 0, delta: {}, finish_reason: "tool_calls" },
      { index: 1, delta: {}, finish_reason: "tool_calls" },
    ),
    done,
  );
  const splitBody = whole(
    bodyOf({ content: "Reading." }, "tool_calls", {
      message: { role: "assistant", tool_calls: [callOf("call_1", "/srv/a")] },
      finish_reason: "tool_calls",
    }),
  );
  const copilot: AskOptions = { origin: "https://api.githubcopilot.com" };
  const merged = [
    {
      finish_reason: "tool_calls",
      message: { content: "Reading.", tool_calls: [{ id: "call_1", function: said }] },
    },
  ];
  test("of Copilot leave as one choice", async () => {
    expect((await stream(desk.client(split, copilot))).choices).toMatchObject(merged);
    const body = await desk
      .client(splitBody, copilot)
      .chat.completions.create({ ...chatRequest, stream: false });
    expect(body.choices).toMatchObject(merged);
    expect(body.choices).toHaveLength(1);
  });
  test("of other hosts give out no call that the gate did not read", async () => {
    const { text, report } = await desk.ask(split, { request: { n: 2 } });
    expect(report.action).toBe("ended");
    expect(holdsCall(text)).toBe(false);
    const ended = desk
      .client(split)
      .chat.completions.stream({ ...chatRequest, n: 2, stream: true });
    expect(firstOf(await ended.finalChatCompletion())).toMatchObject({ finish_reason: "length" });
  });
  test("of other hosts are errors if one choice was requested", async () => {
    const { text, report, isBroken } = await desk.ask(split);
    expect([report.action, report.turn.stopReason]).toEqual(["failed", "interrupted"]);
    expect(holdsCall(text)).toBe(false);
    expect(isBroken).toBe(true);
  });
});

describe("errors", () => {
  const broken = streamed(opening, chunk({ content: "Reading." }), chunk(call));

  test("after text are an event without `[DONE]`, and then the connection breaks", async () => {
    const { text, isBroken, status } = await desk.ask(broken);
    expect({ isBroken, status }).toEqual({ isBroken: true, status: 200 });
    expect(text).not.toContain("[DONE]\n");
    expect(holdsCall(text)).toBe(false);
    expect(eventsOf(text).at(-1)).toEqual({
      error: {
        message: expect.stringContaining("Held back read"),
        type: "server_error",
        param: null,
        code: null,
      },
    });
    await expect(stream(desk.client(broken))).rejects.toThrow("Held back read");
  });
  test.for([
    ["rate_limit_exceeded", 429, "rate_limit_error"],
    ["insufficient_quota", 402, "insufficient_quota"],
    ["invalid_api_key", 401, "invalid_request_error"],
    ["invalid_request_error", 400, "invalid_request_error"],
    ["overloaded_error", 529, "server_error"],
  ] as const)("before text are a status: %s", async ([code, status, type]) => {
    const error = `data: ${JSON.stringify({ error: { message: "No.", code } })}\n\n`;
    const got = await desk.ask(streamed(opening, chunk(call), error));
    expect({ status: got.status, ...JSON.parse(got.text) }).toMatchObject({
      status,
      error: { type },
    });
  });
  test("invite no retry after the third time", async () => {
    const client = desk.client(streamed(opening, chunk(call)));
    const statuses: unknown[] = [];
    for (let count = 0; count < 3; count++)
      await stream(client).catch((thrown: { status?: number; type?: string; message: string }) =>
        statuses.push(thrown.status, thrown.type, thrown.message),
      );
    expect(statuses.filter((value) => typeof value === "number")).toEqual([502, 502, 400]);
    expect(statuses.slice(-2)).toEqual([
      "invalid_request_error",
      expect.stringContaining("incomplete 3 times"),
    ]);
    expect(String(statuses.at(-1))).not.toMatch(
      /server_error|overloaded|502|network error|terminated|timeout/i,
    );
  });
});

test("the sign of life is a comment line without a blank line", async () => {
  const client = desk.client(
    { chunks: [opening, chunk({ content: "Hi." }) + chunk(call)], fault: "stall" },
    { keepAliveMs: 20 },
  );
  const response = await client.chat.completions
    .create({ ...chatRequest, stream: true })
    .asResponse();
  const reader = response.body?.getReader();
  let text = "";
  while (!text.endsWith(": \n: \n"))
    text += new TextDecoder().decode((await reader?.read())?.value);
  expect(text).toBe(`${opening}${chunk({ content: "Hi." })}: \n: \n`);
  await reader?.cancel();
});
