import { getEventListeners } from "node:events";
import { createGate, type ProviderError, readTurn, type Turn } from "@fullstop/core";
import { type GoogleEvent, google } from "@fullstop/provider-google";
import { GoogleGenAI } from "@google/genai";
import { afterEach, describe, expect, test, vi } from "vitest";
import { bytes, call, chunk, end, reply, text } from "./chunks.ts";
import { errorResponse, serve, sseResponse } from "./server.ts";

const request = { messages: [{ role: "user", content: "Go." }] } as const;
const called = reply("STOP", call("read", { path: "a" }));
const errorOf = (turn: Turn): ProviderError | undefined =>
  "error" in turn ? turn.error : undefined;
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe("the SDK's traps", () => {
  test("the environment redirects nothing, and chooses no other key, version or service", async () => {
    vi.stubEnv("GOOGLE_GEMINI_BASE_URL", "https://elsewhere.example");
    vi.stubEnv("GOOGLE_GENAI_USE_VERTEXAI", "true");
    vi.stubEnv("GOOGLE_GENAI_USE_ENTERPRISE", "true");
    vi.stubEnv("GOOGLE_GENAI_API_VERSION", "v9");
    vi.stubEnv("GOOGLE_API_KEY", "ambient");
    const server = serve(called);
    expect((await readTurn(server.adapter(), request)).stopReason).toBe("tool-use");
    expect(server.requests[0]?.url).toBe(
      "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.1-pro:streamGenerateContent?alt=sse",
    );
    expect(server.requests[0]?.headers.get("x-goog-api-key")).toBe("key");
  });

  test("a base URL and headers of one's own are used", async () => {
    const server = serve(called);
    await readTurn(
      server.adapter({ baseURL: "http://127.0.0.1:1/gemini", headers: { "x-mine": "1" } }),
      request,
    );
    expect(server.requests[0]?.url).toContain("http://127.0.0.1:1/gemini/v1beta/models/");
    expect(server.requests[0]?.headers.get("x-mine")).toBe("1");
  });

  test("nothing is said on the console", async () => {
    const noise = (["debug", "info", "warn", "error", "log"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => undefined),
    );
    await readTurn(
      serve(reply("STOP", { executableCode: { code: "1" } }, call("read"))).adapter(),
      request,
    );
    expect(noise.flatMap((spy) => spy.mock.calls)).toEqual([]);
  });

  test("making an adapter makes no client; one that cannot be made is an error of the turn", async () => {
    const adapter = google("gemini-3.1-pro", {
      apiKey: "auth_tokens/for-another-api",
      fetch: serve().fetch,
    });
    expect(errorOf(await readTurn(adapter, request))?.message).toContain("Ephemeral tokens");
  });

  test("without credentials it is an error of the turn", async () => {
    for (const name of ["GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"])
      vi.stubEnv(name, undefined);
    vi.stubEnv("METADATA_SERVER_DETECTION", "none");
    vi.stubEnv("HOME", "/nowhere");
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    expect(
      errorOf(await readTurn(google("gemini-3.1-pro", { fetch: serve().fetch }), request))?.kind,
    ).toBe("auth");
  });

  test("a tool that the SDK would call by itself is not called", async () => {
    const callTool = vi.fn();
    const callable = { tool: async () => ({ functionDeclarations: [{ name: "read" }] }), callTool };
    const server = serve(called, called);
    const { models } = new GoogleGenAI({
      vertexai: false,
      apiKey: "key",
      httpOptions: { fetch: server.fetch },
    });
    const tools = [{ provider: "google", definition: callable }];
    const turn = await readTurn(google("gemini-3.1-pro", { client: { models } }), {
      ...request,
      tools,
    });
    expect([turn.calls.length, server.requests.length, callTool.mock.calls.length]).toEqual([
      1, 1, 0,
    ]);
  });

  test("a reply that is to be continued is not continued behind one's back, and a cut one is not asked for again", async () => {
    const paused = [chunk(text("So far")), end("CONTINUATION", { continuationToken: "dG9rZW4=" })];
    const server = serve(paused, called);
    expect((await readTurn(server.adapter(), request)).stopReason).toBe("pause");
    expect(server.requests.length).toBe(1);
    const checkpoint = {
      candidates: [{ content: { parts: [text("So")] }, continuationToken: "dG9rZW4=" }],
    };
    const cut = serve([checkpoint], called);
    expect((await readTurn(cut.adapter(), request)).stopReason).toBe("interrupted");
    expect(cut.requests.length).toBe(1);
    const whole = serve(() => Response.json(paused[1]), called);
    expect((await readTurn(whole.adapter({ stream: false }), request)).stopReason).toBe("pause");
    expect(whole.requests.length).toBe(1);
  });

  test("nothing is retried, not even by a client that would", async () => {
    const failing = () => errorResponse(503, { status: "UNAVAILABLE", message: "Overloaded" });
    const refusing = () => Promise.reject(new Error("read ECONNRESET"));
    for (const answer of [failing, refusing]) {
      const server = serve(answer, called);
      const client = new GoogleGenAI({
        vertexai: false,
        apiKey: "key",
        httpOptions: { fetch: server.fetch, retryOptions: { attempts: 3, initialDelay: 0.001 } },
      });
      expect(errorOf(await readTurn(google("gemini-3.1-pro", { client }), request))).toBeDefined();
      expect(server.requests.length).toBe(1);
    }
  });

  test("no listener stays on the caller's signal", async () => {
    const { signal } = new AbortController();
    for (let n = 0; n < 12; n++) await readTurn(serve(called).adapter(), request, { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("an abort reaches the request, and is no end of the reply", async () => {
    const abort = new AbortController();
    const head = new TextEncoder().encode(bytes([chunk(text("Hi."))]));
    const server = serve(() =>
      sseResponse(new ReadableStream({ start: (body) => body.enqueue(head) })),
    );
    const turn = await readTurn(server.adapter(), request, {
      signal: abort.signal,
      onPreview: () => abort.abort(),
    });
    expect([turn.stopReason, turn.text, server.requests[0]?.signal?.aborted]).toEqual([
      "aborted",
      "Hi.",
      true,
    ]);
  });

  test("[DONE], and a last event without its blank line, are read", async () => {
    expect(
      (await readTurn(serve(`${bytes(called)}data: [DONE]\n\n`).adapter(), request)).stopReason,
    ).toBe("tool-use");
    expect((await readTurn(serve(bytes(called).trimEnd()).adapter(), request)).stopReason).toBe(
      "tool-use",
    );
  });

  test("a reply cut at any chunk, or in the middle of one, gives out no call", async () => {
    const whole = bytes(called);
    for (let size = 0; size < whole.trimEnd().length; size += 7) {
      const turn = await readTurn(serve(whole.slice(0, size)).adapter(), request);
      expect([size, turn.stopReason, turn.calls.length]).toEqual([size, "interrupted", 0]);
    }
  });

  test("the message beside the word, which the SDK drops, is kept", async () => {
    const turn = await readTurn(
      serve([end("OTHER", { finishMessage: "Why." })]).adapter(),
      request,
    );
    expect(turn.native).toEqual({ stop: "OTHER", detail: "Why." });
  });
});

describe("a reply in one piece", () => {
  test("is asked for and read, and an error in its place is an error", async () => {
    const body = {
      ...end("STOP"),
      candidates: [
        { content: { parts: [text("Hi."), call("read", { path: "a" })] }, finishReason: "STOP" },
      ],
    };
    const server = serve(
      () => Response.json(body),
      () => Response.json({ error: { code: 500, status: "INTERNAL", message: "Boom" } }),
    );
    const turn = await readTurn(server.adapter({ stream: false }), request);
    expect([turn.text, turn.calls[0]?.input, turn.usage.output]).toEqual([
      "Hi.",
      { path: "a" },
      20,
    ]);
    expect(server.requests[0]?.url).toBe(
      "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.1-pro:generateContent",
    );
    expect(errorOf(await readTurn(server.adapter({ stream: false }), request))).toMatchObject({
      kind: "server",
      message: "Boom",
    });
  });

  test("is interrupted where it was cut, and says of a number that it would be rounded", async () => {
    const body = JSON.stringify(end("STOP", { content: { parts: [call("read", { id: 1 })] } }));
    const cut = () =>
      new Response(body.slice(0, -9), { headers: { "content-type": "application/json" } });
    const rounded = () =>
      new Response(body.replace('{"id":1}', '{"id":9007199254740993}'), {
        headers: { "content-type": "application/json" },
      });
    expect((await readTurn(serve(cut).adapter({ stream: false }), request)).stopReason).toBe(
      "interrupted",
    );
    const { withheld } = await readTurn(serve(rounded).adapter({ stream: false }), request);
    expect(withheld).toMatchObject([
      { reason: "number-too-large", inputText: '{"id":9007199254740993}' },
    ]);
  });
});

describe("errors by status", () => {
  test.each([
    { status: 400, code: "INVALID_ARGUMENT", kind: "invalid-request" },
    {
      status: 400,
      code: "INVALID_ARGUMENT",
      kind: "context-window",
      message: "The input token count (9) exceeds the maximum number of tokens allowed (5).",
    },
    { status: 400, code: "FAILED_PRECONDITION", kind: "invalid-request" },
    { status: 401, code: "UNAUTHENTICATED", kind: "auth" },
    { status: 403, code: "PERMISSION_DENIED", kind: "auth" },
    { status: 404, code: "NOT_FOUND", kind: "invalid-request" },
    { status: 429, code: "RESOURCE_EXHAUSTED", kind: "rate-limit" },
    { status: 499, code: "CANCELLED", kind: "cancelled" },
    { status: 500, code: "INTERNAL", kind: "server" },
    { status: 503, code: "UNAVAILABLE", kind: "overloaded" },
  ])("HTTP $status $code is $kind", async ({ status, code, kind, message = "No." }) => {
    for (const stream of [true, false]) {
      const turn = await readTurn(
        serve(() => errorResponse(status, { status: code, message })).adapter({ stream }),
        request,
      );
      expect(errorOf(turn)).toMatchObject({ kind, status, code });
      expect(errorOf(turn)?.message).toBe(`${status}: ${message}`);
    }
  });

  test("a reason in the details says more than the status", async () => {
    const details = [
      { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" },
    ];
    const failing = () =>
      errorResponse(400, { status: "INVALID_ARGUMENT", message: "API key not valid.", details });
    expect(errorOf(await readTurn(serve(failing).adapter(), request))).toMatchObject({
      kind: "auth",
      code: "API_KEY_INVALID",
    });
  });

  test("the time to wait is read from the details, or from the header before them", async () => {
    const error = {
      status: "RESOURCE_EXHAUSTED",
      message: "Later.",
      details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "38.2s" }],
    };
    const server = serve(
      () => errorResponse(429, error),
      () => errorResponse(429, error, { "retry-after": "7" }),
    );
    expect(errorOf(await readTurn(server.adapter(), request))?.retryAfterMs).toBe(38_200);
    expect(errorOf(await readTurn(server.adapter(), request))?.retryAfterMs).toBe(7000);
  });

  test("an error in a list is read too", async () => {
    const listed = () =>
      Response.json([{ error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "Later." } }], {
        status: 429,
      });
    expect(errorOf(await readTurn(serve(listed).adapter(), request))).toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      message: "429: Later.",
    });
  });

  test("a page instead of a reply is interrupted", async () => {
    const page = () =>
      new Response("<html>Sign in</html>", { headers: { "content-type": "text/html" } });
    expect(errorOf(await readTurn(serve(page).adapter(), request))?.kind).toBe("malformed-reply");
  });
});

describe("a client of the user's own", () => {
  const vertex = (fetch: typeof globalThis.fetch): GoogleGenAI =>
    new GoogleGenAI({
      vertexai: true,
      project: "p",
      location: "europe-west4",
      googleAuthOptions: { authClient: token as never },
      httpOptions: { fetch },
    });
  const token = {
    getRequestHeaders: async () => new Headers({ authorization: "Bearer mine" }),
    quotaProjectId: undefined,
  };

  test("for Vertex AI keeps its endpoint, credentials and fetch", async () => {
    const server = serve(called);
    const turn = await readTurn(
      google("gemini-3.1-pro", { client: vertex(server.fetch) }),
      request,
    );
    expect([turn.stopReason, turn.message?.from?.protocol]).toEqual([
      "tool-use",
      "vertex-generate-content",
    ]);
    expect(server.requests[0]?.url).toBe(
      "https://europe-west4-aiplatform.googleapis.com/v1beta1/projects/p/locations/europe-west4/publishers/google/models/gemini-3.1-pro:streamGenerateContent?alt=sse",
    );
    expect(server.requests[0]?.headers.get("authorization")).toBe("Bearer mine");
  });

  test("for Vertex AI may stream arguments; the Developer API has no such parameter", async () => {
    const params = { toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } } };
    const asked = {
      ...request,
      tools: [{ name: "read", description: "Reads.", inputSchema: {} }],
      toolChoice: "required",
    } as const;
    const server = serve(called);
    expect(
      (await readTurn(google("gemini-3.1-pro", { client: vertex(server.fetch), params }), asked))
        .stopReason,
    ).toBe("tool-use");
    expect(server.requests[0]?.body.toolConfig).toEqual({
      functionCallingConfig: { mode: "ANY", streamFunctionCallArguments: true },
    });
    expect(errorOf(await readTurn(serve().adapter({ params }), asked))).toMatchObject({
      kind: "invalid-request",
    });
  });

  test("is not sent what another route sealed", async () => {
    const signed = reply(
      "STOP",
      { text: "Yes.", thoughtSignature: "c2ln" },
      { text: "", thoughtSignature: "c2ln" },
    );
    const { message } = await readTurn(serve(signed).adapter(), request);
    const server = serve(called);
    const messages = [...request.messages, ...(message ? [message] : []), ...request.messages];
    await readTurn(google("gemini-3.1-pro", { client: vertex(server.fetch) }), { messages });
    expect(server.requests[0]?.body.contents[1]).toEqual({
      role: "model",
      parts: [{ text: "Yes." }],
    });
  });

  test("without a fetch of its own uses the one that is there when it asks", async () => {
    const client = new GoogleGenAI({ vertexai: false, apiKey: "key" });
    const server = serve(called);
    vi.stubGlobal("fetch", server.fetch);
    const turn = await readTurn(google("gemini-3.1-pro", { client }), request);
    vi.unstubAllGlobals();
    expect([turn.stopReason, server.requests.length]).toEqual(["tool-use", 1]);
  });

  test("may be anything with the two methods: its chunks, its whole replies and its errors are taken", async () => {
    async function* stream() {
      yield* called;
    }
    const models = {
      generateContentStream: async () => stream(),
      generateContent: async () => end("STOP"),
    };
    expect((await readTurn(google("m", { client: { models } }), request)).calls[0]?.input).toEqual({
      path: "a",
    });
    expect(
      (await readTurn(google("m", { client: { models }, stream: false }), request)).stopReason,
    ).toBe("stop");
    const body = {
      error: {
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        message: "Later.",
        details: [{ retryDelay: "3s" }],
      },
    };
    const failing = {
      ...models,
      generateContentStream: () =>
        Promise.reject(Object.assign(new Error(JSON.stringify(body)), { status: 429 })),
    };
    const turn = await readTurn(google("m", { client: { models: failing } }), request);
    expect(errorOf(turn)).toMatchObject({
      kind: "rate-limit",
      code: "RESOURCE_EXHAUSTED",
      message: "429: Later.",
      retryAfterMs: 3000,
    });
  });

  test("may hide what it fetches with: then the SDK's own stream is read, and its fetch is not replaced", async () => {
    const paused = end("CONTINUATION", { continuationToken: "dG9rZW4=" });
    const server = serve(
      called,
      () => errorResponse(503, { status: "UNAVAILABLE", message: "Overloaded" }),
      called.slice(0, 1),
      [paused],
      called,
    );
    const httpOptions = { fetch: server.fetch, retryOptions: { attempts: 3, initialDelay: 0.001 } };
    const sdk = new GoogleGenAI({ vertexai: false, apiKey: "key", httpOptions });
    const adapter = google("gemini-3.1-pro", { client: { models: sdk.models } });
    expect((await readTurn(adapter, request)).calls[0]?.input).toEqual({ path: "a" });
    expect(errorOf(await readTurn(adapter, request))).toMatchObject({
      kind: "overloaded",
      code: "UNAVAILABLE",
      message: "503: Overloaded",
    });
    expect((await readTurn(adapter, request)).stopReason).toBe("interrupted");
    expect((await readTurn(adapter, request)).stopReason).toBe("pause");
    expect(server.requests.length).toBe(4);
  });

  test("may be used without us: the gate takes the SDK's own chunks", async () => {
    const sdk = new GoogleGenAI({
      vertexai: false,
      apiKey: "key",
      httpOptions: { fetch: serve(called).fetch },
    });
    const gate = createGate(google("gemini-3.1-pro"), { maxTokens: 1024 });
    const chunks = await sdk.models.generateContentStream({
      model: "gemini-3.1-pro",
      contents: "Go.",
      config: { maxOutputTokens: 1024 },
    });
    for await (const one of chunks) gate.push(one satisfies GoogleEvent);
    expect(gate.end().calls.map(({ name }) => name)).toEqual(["read"]);
  });
});
