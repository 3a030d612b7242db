import { createGate, readTurn } from "@fullstop/core";
import { openaiChat } from "@fullstop/provider-openai";
import { sseBytes as bytes, jsonResponse, sseResponse } from "@tooling/test/fake-server";
import OpenAI, { AzureOpenAI } from "openai";
import { afterEach, describe, expect, test, vi } from "vitest";
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
import { describeSdk, errorOf, request } from "./sdk-tests.ts";

const called: readonly Event[] = [
  callChunk(0, ["call_1", "read"], '{"path":"a"}'),
  finishChunk("tool_calls"),
  usageChunk(5),
  done,
];
afterEach(() => vi.unstubAllEnvs());

describeSdk({
  called,
  url: "https://api.openai.com/v1/chat/completions",
  serve,
  adapter: (fetch) => openaiChat("gpt-5.2", { fetch }),
});

describe("a request", () => {
  test("a reply cut at any frame, or in the middle of one, gives out no call", async () => {
    const whole = bytes(called);
    const finishAt = whole.indexOf('"finish_reason":"tool_calls"');
    for (const end of [0, 20, whole.indexOf("data: ", 20), finishAt, finishAt + 20]) {
      const turn = await readTurn(serve(whole.slice(0, end)).adapter(), request);
      expect([end, turn.stopReason, turn.calls.length]).toEqual([end, "interrupted", 0]);
    }
  });

  test("an abort in the middle of the stream does not end the reply", async () => {
    const abort = new AbortController();
    const head = new TextEncoder().encode(bytes([textChunk("Hi."), finishChunk("stop")]));
    const stalled = () => sseResponse(new ReadableStream({ start: (body) => body.enqueue(head) }));
    const turn = await readTurn(serve(stalled).adapter(), request, {
      signal: abort.signal,
      onPreview: () => abort.abort(),
    });
    expect([turn.stopReason, turn.text]).toEqual(["aborted", "Hi."]);
  });

  test("`[DONE]` with a space after it, and an empty data line, are accepted", async () => {
    const odd = `${bytes(called.slice(0, -1))}data:\n\ndata: [DONE] \n\n`;
    expect((await readTurn(serve(odd).adapter(), request)).stopReason).toBe("tool-use");
  });

  test("an error body, a page and an empty body with status 200 are not finished replies", async () => {
    const failed = await readTurn(
      serve(() => jsonResponse({ error: { message: "Boom", type: "server_error" } })).adapter(),
      request,
    );
    expect(errorOf(failed)).toMatchObject({ kind: "server", message: "Boom" });
    const page = () =>
      new Response("<html>Sign in</html>", { headers: { "content-type": "text/html" } });
    expect(errorOf(await readTurn(serve(page).adapter(), request))?.kind).toBe("malformed-reply");
    expect((await readTurn(serve("").adapter(), request)).stopReason).toBe("interrupted");
    expect((await readTurn(serve([done]).adapter(), request)).stopReason).toBe("interrupted");
  });

  test("usage is requested, and read after finish_reason; the id of the request is kept", async () => {
    const server = serve(called);
    const more = {
      prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 2 },
    };
    const turn = await readTurn(
      serve([textChunk("Hi."), finishChunk("stop"), usageChunk(5, more), done]).adapter(),
      request,
    );
    await readTurn(server.adapter(), request);
    expect(server.requests[0]?.body).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
    expect([turn.usage, turn.requestId]).toEqual([
      { input: 10, output: 5, cacheRead: 4, cacheWrite: 3 },
      "req_1",
    ]);
  });
});

describe("errors inside a reply, in every form", () => {
  test.each<[string, unknown, { kind: string; message?: string }]>([
    [
      "OpenAI",
      { error: { message: "Boom", type: "server_error", param: null, code: null } },
      { kind: "server" },
    ],
    [
      "by code before type",
      { error: { message: "Slow", type: "invalid_request_error", code: "rate_limit_exceeded" } },
      { kind: "rate-limit" },
    ],
    [
      "a full window",
      { error: { message: "Too long", code: "context_length_exceeded" } },
      { kind: "context-window" },
    ],
    [
      "a filter",
      { error: { message: "Filtered", code: "content_filter" } },
      { kind: "content-filter" },
    ],
    [
      "a text alone",
      { error: "upstream exploded" },
      { kind: "server", message: "upstream exploded" },
    ],
    ["a status as a code", { error: { message: "Busy", code: 503 } }, { kind: "overloaded" }],
    [
      "a listed kind behind an unlisted code",
      { error: { message: "x", code: "x_1", type: "overloaded_error" } },
      { kind: "overloaded" },
    ],
    [
      "vLLM",
      { object: "error", message: "boom", type: "InternalServerError", code: 500 },
      { kind: "server", message: "boom" },
    ],
    [
      "DashScope",
      { code: "Throttling", message: "Too fast", request_id: "1" },
      { kind: "server", message: "Too fast" },
    ],
    [
      "DashScope's filter",
      { error: { code: "data_inspection_failed", message: "Inappropriate", param: null } },
      { kind: "content-filter" },
    ],
    ["FastAPI", { detail: "Not ready" }, { kind: "server", message: "Not ready" }],
    [
      "next to a finish_reason",
      { ...chunk({}, { finish_reason: "error" }), error: { code: 429, message: "Slow" } },
      { kind: "rate-limit" },
    ],
    ["inside a choice", chunk({}, { error: { code: 402, message: "Pay" } }), { kind: "billing" }],
    ["an empty object", { error: {} }, { kind: "server" }],
  ])("%s", async (_, failure, { kind, message }) => {
    const turn = await readTurn(
      serve([
        callChunk(0, ["X", "read"], "{}"),
        failure as Event,
        finishChunk("tool_calls"),
        done,
      ]).adapter(),
      request,
    );
    expect(turn.calls).toEqual([]);
    expect(errorOf(turn)?.kind ?? turn.stopReason).toBe(kind);
    if (message !== undefined) expect(errorOf(turn)?.message).toBe(message);
  });

  test("with the event name of some hosts", async () => {
    const named = `event: error\ndata: {"error":{"message":"Boom","code":500}}\n\n`;
    expect(
      errorOf(await readTurn(serve(bytes([textChunk("Hi.")]) + named).adapter(), request)),
    ).toMatchObject({
      kind: "server",
      message: "Boom",
    });
  });

  test("`error: null` is not an error", async () => {
    const answer = called.map((event) =>
      typeof event === "string" ? event : { ...event, error: null },
    );
    expect((await readTurn(serve(answer).adapter(), request)).stopReason).toBe("tool-use");
  });
});

describe("errors by status", () => {
  const failing = (status: number, error: object) => () =>
    jsonResponse({ error }, { status, headers: { "retry-after": "3" } });
  test.each([
    {
      status: 400,
      error: { code: "context_length_exceeded", type: "invalid_request_error" },
      stop: "context-window",
      kind: "context-window",
    },
    {
      status: 400,
      error: { code: null, type: "invalid_request_error" },
      stop: "error",
      kind: "invalid-request",
    },
    { status: 401, error: { code: "invalid_api_key" }, stop: "error", kind: "auth" },
    { status: 429, error: { code: "insufficient_quota" }, stop: "error", kind: "billing" },
    {
      status: 429,
      error: { code: "rate_limit_exceeded", type: "tokens" },
      stop: "error",
      kind: "rate-limit",
    },
    { status: 503, error: { code: null, type: "server_error" }, stop: "error", kind: "server" },
  ])("HTTP $status $error.code is $kind", async ({ status, error, stop, kind }) => {
    const turn = await readTurn(
      serve(failing(status, { message: "No.", ...error })).adapter(),
      request,
    );
    expect([turn.stopReason, errorOf(turn)?.kind, errorOf(turn)?.retryAfterMs]).toEqual([
      stop,
      kind,
      3000,
    ]);
  });

  test("a blocked prompt is `filtered`", async () => {
    const blocked = {
      code: "content_filter",
      message: "Filtered.",
      innererror: { code: "ResponsibleAIPolicyViolation" },
    };
    expect((await readTurn(serve(failing(400, blocked)).adapter(), request)).stopReason).toBe(
      "content-filter",
    );
  });
});

describe("your own client", () => {
  test("keeps its endpoint and credentials, and is not retried either", async () => {
    const server = serve(called, () => jsonResponse({}, { status: 500 }));
    const client = new OpenAI({
      baseURL: "https://gateway.example/v1",
      apiKey: "mine",
      fetch: server.fetch,
    });
    expect((await readTurn(openaiChat("gpt-5.2", { client }), request)).stopReason).toBe(
      "tool-use",
    );
    await readTurn(openaiChat("gpt-5.2", { client }), request);
    expect(server.requests.length).toBe(2);
    expect(server.requests[0]?.url).toBe("https://gateway.example/v1/chat/completions");
    expect(server.requests[0]?.headers.get("authorization")).toBe("Bearer mine");
  });

  test("may be the Azure client of the same SDK", async () => {
    const server = serve(called);
    const client = new AzureOpenAI({
      endpoint: "https://mine.openai.azure.com",
      apiKey: "azure",
      apiVersion: "2026-06-01",
      fetch: server.fetch,
    });
    expect((await readTurn(openaiChat("my-deployment", { client }), request)).stopReason).toBe(
      "tool-use",
    );
    expect(server.requests[0]?.url).toBe(
      "https://mine.openai.azure.com/openai/deployments/my-deployment/chat/completions?api-version=2026-06-01",
    );
    expect(server.requests[0]?.headers.get("api-key")).toBe("azure");
  });

  test("may be any object with chat.completions.create", async () => {
    const make = (create: () => Promise<unknown>) =>
      openaiChat("m", { client: { chat: { completions: { create } } } });
    async function* stream() {
      yield* called;
    }
    expect(
      (
        await readTurn(
          make(async () => stream()),
          request,
        )
      ).calls[0]?.input,
    ).toEqual({ path: "a" });
    const failing = make(() =>
      Promise.reject(Object.assign(new Error("slow down"), { status: 429 })),
    );
    expect(errorOf(await readTurn(failing, request))?.kind).toBe("rate-limit");
  });

  test("may be used without the adapter: the gate accepts the SDK's events", async () => {
    const client = new OpenAI({ apiKey: "key", fetch: serve(called).fetch });
    const gate = createGate(openaiChat("gpt-5.2"));
    const params = {
      model: "gpt-5.2",
      messages: [{ role: "user", content: "Go." }],
      stream: true,
    } as const;
    for await (const event of await client.chat.completions.create({
      ...params,
      messages: [...params.messages],
    }))
      gate.push(event);
    expect(gate.end().calls.map((one) => one.name)).toEqual(["read"]);
  });

  test("your own headers are sent with every request", async () => {
    const server = serve(called);
    await readTurn(server.adapter({ headers: { "x-mine": "1" } }), request);
    expect(server.requests[0]?.headers.get("x-mine")).toBe("1");
  });
});
