import { createGate, readTurn } from "@fullstop/core";
import { openai } from "@fullstop/provider-openai";
import { sseBytes as bytes, jsonResponse, sseResponse } from "@tooling/test/fake-server";
import {
  call,
  callEvents,
  completed,
  created,
  messageEvents,
  reply,
} from "@tooling/test/openai-responses";
import OpenAI, { AzureOpenAI } from "openai";
import { afterEach, describe, expect, test, vi } from "vitest";
import { serve } from "./responses-server.ts";
import { describeSdk, errorOf, request } from "./sdk-tests.ts";

const called = reply(callEvents(0, call("read", '{"path":"a"}')));
const whole = { ...(completed["response"] as object), output: [call("read", '{"path":"a"}')] };
afterEach(() => vi.unstubAllEnvs());

describeSdk({
  called,
  url: "https://api.openai.com/v1/responses",
  serve,
  adapter: (fetch) => openai("gpt-5.5", { fetch }),
});

describe("a request", () => {
  test("retry-after is reported, and not waited for", async () => {
    const limited = () =>
      jsonResponse(
        { error: { code: "rate_limit_exceeded", message: "No." } },
        { status: 429, headers: { "retry-after": "90" } },
      );
    const turn = await readTurn(serve(limited).adapter(), request);
    expect(errorOf(turn)).toMatchObject({
      kind: "rate-limit",
      retryAfterMs: 90_000,
      requestId: "req_1",
    });
  });

  test("frames without an event name, and `[DONE]` after the end, are read", async () => {
    const unnamed = `${bytes(called).replaceAll(/^event: .*\n/gm, "")}data: [DONE] \n\n`;
    expect((await readTurn(serve(unnamed).adapter(), request)).stopReason).toBe("tool-use");
  });

  test.each([
    ["flat", '{"type":"error","code":"server_error","message":"Boom","param":null}'],
    ["nested", '{"type":"error","error":{"type":"server_error","code":null,"message":"Boom"}}'],
    ["without a type", '{"error":{"type":"server_error","message":"Boom"}}'],
    ["as text", '{"error":"Boom"}'],
    ["of FastAPI", '{"detail":"Boom"}'],
    ["side by side, without a type", '{"code":"server_error","message":"Boom","request_id":"r"}'],
  ])(
    "an error inside a reply, %s, with and without its event name, is the turn's",
    async (_, data) => {
      for (const name of ["event: error\n", ""]) {
        const turn = await readTurn(
          serve(
            bytes(called).replace("event: response.completed", `${name}data: ${data}\n\nevent: x`),
          ).adapter(),
          request,
        );
        expect([turn.stopReason, turn.calls.length]).toEqual(["error", 0]);
        expect(errorOf(turn)).toMatchObject({ kind: "server", message: "Boom" });
      }
    },
  );

  test("a reply cut at any frame, or in the middle of one, gives out no call", async () => {
    const all = bytes(called);
    const before = all.indexOf("event: response.completed");
    for (const end of [
      0,
      20,
      all.indexOf("output_item.done"),
      before - 1,
      before,
      all.length - 10,
    ]) {
      const turn = await readTurn(serve(all.slice(0, end)).adapter(), request);
      expect([end, turn.stopReason, turn.calls.length]).toEqual([end, "interrupted", 0]);
    }
    expect((await readTurn(serve(all.trimEnd()).adapter(), request)).stopReason).toBe("tool-use");
  });

  test("an abort in the middle of the stream does not end the reply", async () => {
    const abort = new AbortController();
    const head = new TextEncoder().encode(bytes([created, ...messageEvents(0, "Hi.")]));
    const stalled = () => sseResponse(new ReadableStream({ start: (body) => body.enqueue(head) }));
    const turn = await readTurn(serve(stalled).adapter(), request, {
      signal: abort.signal,
      onPreview: () => abort.abort(),
    });
    expect([turn.stopReason, turn.text]).toEqual(["aborted", "Hi."]);
  });

  test("a page, an empty body and an error body with status 200 are not replies", async () => {
    const page = () =>
      new Response("<html>Sign in</html>", { headers: { "content-type": "text/html" } });
    expect(errorOf(await readTurn(serve(page).adapter(), request))?.kind).toBe("malformed-reply");
    expect((await readTurn(serve("").adapter(), request)).stopReason).toBe("interrupted");
    const failed = () => jsonResponse({ error: { type: "server_error", message: "Boom" } });
    expect(errorOf(await readTurn(serve(failed).adapter(), request))).toMatchObject({
      kind: "server",
      message: "Boom",
    });
  });
});

describe("a reply that is not streamed", () => {
  test("is one event of the same decoder", async () => {
    const server = serve(() => jsonResponse(whole));
    const turn = await readTurn(server.adapter({ stream: false }), request);
    expect(turn).toMatchObject({
      stopReason: "tool-use",
      calls: [{ input: { path: "a" } }],
      usage: { input: 10, output: 20, cacheRead: 4 },
    });
    expect(server.requests[0]?.body.stream).toBe(false);
  });
  test("has the input of a call that the cap cut", async () => {
    const cut = { incomplete_details: { reason: "max_output_tokens" }, status: "incomplete" };
    const written = '{"path":"a';
    const calls = [
      { type: "function_call", call_id: "X", name: "read", arguments: written },
      { type: "custom_tool_call", call_id: "Y", name: "patch", input: written },
    ];
    for (const item of calls) {
      const body = { ...whole, ...cut, output: [{ ...item, status: "incomplete" }] };
      const server = serve(() => jsonResponse(body));
      expect(await readTurn(server.adapter({ stream: false }), request)).toMatchObject({
        calls: [],
        withheld: [{ name: item.name, inputText: written }],
      });
    }
  });
  test("is interrupted if it is cut", async () => {
    const half = new Response(JSON.stringify(whole).slice(0, -20), {
      headers: { "content-type": "application/json" },
    });
    expect(await readTurn(serve(() => half).adapter({ stream: false }), request)).toMatchObject({
      stopReason: "interrupted",
      calls: [],
    });
  });
  test("is interrupted if the server has not finished it", async () => {
    const queued = serve(() => jsonResponse({ ...whole, status: "queued" }));
    expect(await readTurn(queued.adapter({ stream: false }), request)).toMatchObject({
      stopReason: "interrupted",
      calls: [],
    });
  });
});

describe("errors by status", () => {
  test.for([
    [
      400,
      { code: "invalid_encrypted_content", type: "invalid_request_error" },
      "error",
      "invalid-request",
    ],
    [
      400,
      { code: "context_length_exceeded", type: "invalid_request_error" },
      "context-window",
      "context-window",
    ],
    [
      400,
      {
        code: null,
        type: "invalid_request_error",
        message: "This exceeds the context window of this model.",
      },
      "context-window",
      "context-window",
    ],
    [
      400,
      { code: "content_filter", status: 400, innererror: { code: "ResponsibleAIPolicyViolation" } },
      "content-filter",
      "filtered",
    ],
    [400, { code: "data_inspection_failed" }, "content-filter", "filtered"],
    [401, { code: "invalid_api_key", type: "invalid_request_error" }, "error", "auth"],
    [404, { code: "model_not_found", type: "invalid_request_error" }, "error", "invalid-request"],
    [429, { code: "insufficient_quota", type: "insufficient_quota" }, "error", "billing"],
    [429, { code: "rate_limit_exceeded", type: "tokens" }, "error", "rate-limit"],
    [500, { code: null, type: "server_error" }, "error", "server"],
  ] as const)("HTTP %i %j", async ([status, fields, stop, kind]) => {
    const failing = () =>
      jsonResponse({ error: { message: "No such luck.", param: null, ...fields } }, { status });
    const turn = await readTurn(serve(failing).adapter(), request);
    expect(turn.stopReason).toBe(stop);
    if (stop !== "content-filter") expect(errorOf(turn)).toMatchObject({ kind, status });
  });
});

describe("your own client", () => {
  test("keeps its endpoint and credentials, and is not retried", async () => {
    const server = serve(called, () => jsonResponse({}, { status: 500 }));
    const client = new OpenAI({
      baseURL: "https://gateway.example/v1",
      apiKey: "mine",
      fetch: server.fetch,
    });
    const adapter = openai("gpt-5.5", { client, headers: { "x-team": "a" } });
    expect((await readTurn(adapter, request)).stopReason).toBe("tool-use");
    expect(server.requests[0]?.url).toBe("https://gateway.example/v1/responses");
    expect(server.requests[0]?.headers.get("authorization")).toBe("Bearer mine");
    expect(server.requests[0]?.headers.get("x-team")).toBe("a");
    expect((await readTurn(adapter, request)).stopReason).toBe("error");
    expect(server.requests.length).toBe(2);
  });

  test("may be the Azure client of the same SDK", async () => {
    const server = serve(called);
    const client = new AzureOpenAI({
      endpoint: "https://mine.openai.azure.com",
      apiKey: "azure",
      apiVersion: "2026-08-01",
      fetch: server.fetch,
    });
    expect((await readTurn(openai("my-deployment", { client }), request)).stopReason).toBe(
      "tool-use",
    );
    expect(server.requests[0]?.url).toBe(
      "https://mine.openai.azure.com/openai/responses?api-version=2026-08-01",
    );
    expect(server.requests[0]?.headers.get("api-key")).toBe("azure");
  });

  test("may be any object with responses.create", async () => {
    async function* stream() {
      yield* called;
    }
    const streaming = { responses: { create: async () => stream() } };
    expect((await readTurn(openai("m", { client: streaming }), request)).calls[0]?.input).toEqual({
      path: "a",
    });
    const plain = { responses: { create: async () => whole } };
    expect((await readTurn(openai("m", { client: plain }), request)).stopReason).toBe("tool-use");
  });

  test("may be used without the adapter: the gate accepts the SDK's events", async () => {
    const client = new OpenAI({ apiKey: "key", fetch: serve(called).fetch });
    const gate = createGate(openai("gpt-5.5"), {});
    for await (const event of await client.responses.create({
      model: "gpt-5.5",
      input: "Go.",
      stream: true,
    }))
      gate.push(event);
    expect(gate.end().calls.map(({ name }) => name)).toEqual(["read"]);
  });
});
