import { createGate, type ProviderError, readTurn, type Turn } from "@fullstop/core";
import { type GoogleEvent, google } from "@fullstop/provider-google";
import { GoogleGenAI } from "@google/genai";
import { describe, expect, test, vi } from "vitest";
import { call, end, reply } from "./chunks.ts";
import { errorResponse, serve } from "./server.ts";

const request = { messages: [{ role: "user", content: "Go." }] } as const;
const called = reply("STOP", call("read", { path: "a" }));
const errorOf = (turn: Turn): ProviderError | undefined =>
  "error" in turn ? turn.error : undefined;

describe("a given client", () => {
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

  test("gets no signatures of another API", async () => {
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

  test("without its own fetch uses the global one at the time of the request", async () => {
    const client = new GoogleGenAI({ vertexai: false, apiKey: "key" });
    const server = serve(called);
    vi.stubGlobal("fetch", server.fetch);
    const turn = await readTurn(google("gemini-3.1-pro", { client }), request);
    vi.unstubAllGlobals();
    expect([turn.stopReason, server.requests.length]).toEqual(["tool-use", 1]);
  });

  test("may be any object with the two methods: its chunks, replies and errors are read", async () => {
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
      message: "Gemini takes no more requests now (429): Later. Wait, or ask for a higher limit.",
      retryAfterMs: 3000,
    });
  });

  test("may hide its fetch: then the SDK's own stream is read", async () => {
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
      message: "Gemini is overloaded (503): Overloaded. Try again later, or use another model.",
    });
    expect((await readTurn(adapter, request)).stopReason).toBe("interrupted");
    expect((await readTurn(adapter, request)).stopReason).toBe("pause");
    expect(server.requests.length).toBe(4);
  });

  test("may be used alone: the gate accepts the SDK's own chunks", async () => {
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
