import { getEventListeners } from "node:events";
import { type ProviderError, readTurn, type Turn } from "@fullstop/core";
import { google } from "@fullstop/provider-google";
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

describe("differences from the SDK's defaults", () => {
  test("environment variables change neither the URL, the key, the version nor the service", async () => {
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

  test("a given base URL and headers are used", async () => {
    const server = serve(called);
    await readTurn(
      server.adapter({ baseURL: "http://127.0.0.1:1/gemini", headers: { "x-mine": "1" } }),
      request,
    );
    expect(server.requests[0]?.url).toContain("http://127.0.0.1:1/gemini/v1beta/models/");
    expect(server.requests[0]?.headers.get("x-mine")).toBe("1");
  });

  test("nothing is written to the console", async () => {
    const noise = (["debug", "info", "warn", "error", "log"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => undefined),
    );
    await readTurn(
      serve(reply("STOP", { executableCode: { code: "1" } }, call("read"))).adapter(),
      request,
    );
    expect(noise.flatMap((spy) => spy.mock.calls)).toEqual([]);
  });

  test("a client is created at the first request; a failure to create it is an error of the turn", async () => {
    const adapter = google("gemini-3.1-pro", {
      apiKey: "auth_tokens/for-another-api",
      fetch: serve().fetch,
    });
    expect(errorOf(await readTurn(adapter, request))?.message).toContain("Ephemeral tokens");
  });

  test("missing credentials are an error of the turn", async () => {
    for (const name of ["GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"])
      vi.stubEnv(name, undefined);
    vi.stubEnv("METADATA_SERVER_DETECTION", "none");
    vi.stubEnv("HOME", "/nowhere");
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    expect(
      errorOf(await readTurn(google("gemini-3.1-pro", { fetch: serve().fetch }), request))?.kind,
    ).toBe("auth");
  });

  test("a tool that the SDK could call itself is not called", async () => {
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

  test("the SDK neither continues a reply nor repeats a request by itself", async () => {
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

  test("nothing is retried, not even by a client that retries", async () => {
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

  test("an abort reaches the request, and does not end the reply", async () => {
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

  test("the message of a finish reason, which the SDK drops, is kept", async () => {
    const turn = await readTurn(
      serve([end("OTHER", { finishMessage: "Why." })]).adapter(),
      request,
    );
    expect(turn.native).toEqual({ stop: "OTHER", detail: "Why." });
  });
});

describe("a reply in one piece", () => {
  test("is requested and read; an error instead of it is an error", async () => {
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

  test("is interrupted if it was cut; a number that would be rounded is withheld", async () => {
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
