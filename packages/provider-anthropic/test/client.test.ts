import Anthropic from "@anthropic-ai/sdk";
import { createGate, type ProviderError, readTurn, type Turn } from "@fullstop/core";
import { anthropic } from "@fullstop/provider-anthropic";
import { jsonResponse, sseResponse } from "@tooling/test/fake-server";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  bytes,
  type Event,
  messageDelta,
  messageStart,
  messageStop,
  reply,
  tool,
} from "./events.ts";
import { serve } from "./server.ts";

const request = { messages: [{ role: "user", content: "Go." }] } as const;
const called = reply("tool_use", tool(0, "read", '{"path":"a"}'));
const errorOf = (turn: Turn): ProviderError | undefined =>
  "error" in turn ? turn.error : undefined;
/** A framing that is not SSE, like Bedrock's. */
const lines = (events: readonly Event[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join("");
async function* unframed(response: Response): AsyncGenerator<unknown> {
  for (const line of (await response.text()).split("\n")) if (line !== "") yield JSON.parse(line);
}
afterEach(() => vi.unstubAllEnvs());

describe("differences from the SDK's defaults", () => {
  test("environment variables change neither the URL nor the key", async () => {
    vi.stubEnv("ANTHROPIC_BASE_URL", "https://elsewhere.example");
    vi.stubEnv("ANTHROPIC_AUTH_TOKEN", "ambient");
    const server = serve(called);
    expect((await readTurn(server.adapter(), request)).stopReason).toBe("tool-use");
    expect(server.requests[0]?.url).toBe("https://api.anthropic.com/v1/messages");
    expect(server.requests[0]?.headers.get("authorization")).toBe("Bearer key");
  });

  test("ANTHROPIC_LOG writes nothing to the console", async () => {
    vi.stubEnv("ANTHROPIC_LOG", "debug");
    const noise = ["debug", "info", "warn", "error", "log"].map((level) =>
      vi.spyOn(console, level as "log").mockImplementation(() => undefined),
    );
    await readTurn(serve(called).adapter(), request);
    expect(noise.flatMap((spy) => spy.mock.calls)).toEqual([]);
    vi.restoreAllMocks();
  });

  test("a given base URL is used", async () => {
    const server = serve(called);
    await readTurn(server.adapter({ baseURL: "http://127.0.0.1:1/anthropic" }), request);
    expect(server.requests[0]?.url).toBe("http://127.0.0.1:1/anthropic/v1/messages");
  });

  test("a client is created at the first request; missing credentials are an auth error of the turn", async () => {
    vi.stubEnv("ANTHROPIC_API_KEY", undefined);
    vi.stubEnv("ANTHROPIC_CONFIG_DIR", "/nowhere");
    vi.stubEnv("HOME", "/nowhere");
    const adapter = anthropic("claude-sonnet-5-5", { fetch: serve().fetch });
    expect(errorOf(await readTurn(adapter, request))?.kind).toBe("auth");
  });

  test("nothing is retried", async () => {
    const server = serve(
      () =>
        jsonResponse(
          { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
          { status: 529 },
        ),
      called,
    );
    const turn = await readTurn(server.adapter(), request);
    expect([turn.stopReason, server.requests.length]).toEqual(["error", 1]);
  });

  test("frames without an event name, and an in-band error under another name, are read", async () => {
    const unnamed = await readTurn(
      serve(bytes(called).replaceAll(/^event: .*\n/gm, "")).adapter(),
      request,
    );
    expect(unnamed.stopReason).toBe("tool-use");
    const failed = bytes(called).replace(
      "event: message_delta",
      'event: message\ndata: {"type":"error","error":{"type":"api_error","message":"Boom"}}\n\nevent: message_delta',
    );
    expect(errorOf(await readTurn(serve(failed).adapter(), request))?.kind).toBe("server");
  });

  test("a large cap without streaming is not refused", async () => {
    const whole = {
      ...(messageStart["message"] as object),
      content: [{ type: "text", text: "Hi." }],
      stop_reason: "end_turn",
    };
    const server = serve(() => jsonResponse(whole));
    const turn = await readTurn(server.adapter({ stream: false }), {
      ...request,
      maxTokens: 64_000,
    });
    expect([turn.stopReason, turn.text, turn.requestId]).toEqual(["stop", "Hi.", "req_1"]);
    expect(server.requests[0]?.body.stream).toBe(false);
    expect(server.requests[0]?.headers.get("x-stainless-timeout")).toBe("1800");
  });
});

describe("errors by status", () => {
  const failing = (status: number, type: string, message = "No.") =>
    jsonResponse(
      { type: "error", error: { type, message }, request_id: "req_2" },
      { status, headers: { "retry-after": "3" } },
    );
  test.each([
    { status: 400, type: "invalid_request_error", stop: "error", kind: "invalid-request" },
    {
      status: 400,
      type: "invalid_request_error",
      stop: "context-window",
      kind: "context-window",
      message: "prompt is too long: 9 tokens > 5 maximum",
    },
    { status: 401, type: "authentication_error", stop: "error", kind: "auth" },
    { status: 402, type: "billing_error", stop: "error", kind: "billing" },
    { status: 403, type: "permission_error", stop: "error", kind: "auth" },
    { status: 404, type: "not_found_error", stop: "error", kind: "invalid-request" },
    { status: 413, type: "request_too_large", stop: "context-window", kind: "context-window" },
    { status: 429, type: "rate_limit_error", stop: "error", kind: "rate-limit" },
    { status: 500, type: "api_error", stop: "error", kind: "server" },
    { status: 504, type: "timeout_error", stop: "interrupted", kind: "timeout" },
    { status: 529, type: "overloaded_error", stop: "error", kind: "overloaded" },
  ])("HTTP $status $type is $kind", async ({ status, type, stop, kind, message = "No." }) => {
    const turn = await readTurn(serve(() => failing(status, type, message)).adapter(), request);
    expect(turn.stopReason).toBe(stop);
    expect(errorOf(turn)).toMatchObject({
      kind,
      status,
      code: type,
      requestId: "req_1",
      retryAfterMs: 3000,
    });
    expect(errorOf(turn)?.message).toContain(message);
  });

  const filtered = "Output blocked by content filtering policy";
  test("what a filter blocked is filtered, as a status and inside a reply", async () => {
    const blocked = { type: "invalid_request_error", message: filtered };
    const inside = [messageStart, ...tool(0, "read", "{}"), { type: "error", error: blocked }];
    const server = serve(
      () => failing(400, blocked.type, filtered),
      [...inside, messageDelta("tool_use"), messageStop],
    );
    for (const _ of [1, 2])
      expect(await readTurn(server.adapter(), request)).toMatchObject({
        stopReason: "content-filter",
        calls: [],
      });
  });

  test.each(["contract_spend_limit_reached", "enforced_spend_limit_reached"])(
    "%s is not a rate limit, as a status and inside a reply",
    async (error_code) => {
      const error = { type: "rate_limit_error", message: "No.", details: { error_code } };
      const server = serve(
        () => jsonResponse({ type: "error", error }, { status: 429 }),
        [messageStart, { type: "error", error }],
      );
      for (const _ of [1, 2])
        expect(errorOf(await readTurn(server.adapter(), request))?.kind).toBe("billing");
    },
  );

  test("Z.ai's empty account is not a rate limit", async () => {
    const error = { type: "rate_limit_error", code: "1113", message: "Insufficient balance." };
    const empty = () => jsonResponse({ type: "error", error }, { status: 429 });
    expect(errorOf(await readTurn(serve(empty).adapter(), request))?.kind).toBe("billing");
  });

  test("a page instead of a reply, and an empty body, are interrupted", async () => {
    const page = () =>
      new Response("<html>Sign in</html>", { headers: { "content-type": "text/html" } });
    expect(errorOf(await readTurn(serve(page).adapter(), request))?.kind).toBe("malformed-reply");
    expect((await readTurn(serve("").adapter(), request)).stopReason).toBe("interrupted");
  });

  test("an error body with status 200 is an error", async () => {
    const turn = await readTurn(
      serve(() =>
        jsonResponse({ type: "error", error: { type: "api_error", message: "Boom" } }),
      ).adapter(),
      request,
    );
    expect(errorOf(turn)).toMatchObject({ kind: "server", message: "Boom" });
  });
});

describe("a given client", () => {
  test("keeps its endpoint and credentials", async () => {
    const server = serve(called);
    const client = new Anthropic({
      baseURL: "https://gateway.example",
      authToken: "mine",
      fetch: server.fetch,
    });
    const turn = await readTurn(anthropic("claude-sonnet-5-5", { client }), request);
    expect(turn.stopReason).toBe("tool-use");
    expect(server.requests[0]?.url).toBe("https://gateway.example/v1/messages");
    expect(server.requests[0]?.headers.get("authorization")).toBe("Bearer mine");
  });

  test("is not retried either", async () => {
    const server = serve(() => jsonResponse({}, { status: 500 }), called);
    await readTurn(
      anthropic("claude-sonnet-5-5", {
        client: new Anthropic({ apiKey: "key", fetch: server.fetch }),
      }),
      request,
    );
    expect(server.requests.length).toBe(1);
  });

  test("with another framing is read through its own stream", async () => {
    const framed = (events: readonly Event[]) => {
      const response = new Response(lines(events), {
        headers: { "content-type": "application/vnd.amazon.eventstream", "request-id": "req_3" },
      });
      const reply = Object.assign(
        Promise.resolve().then(() => unframed(response)),
        { asResponse: async () => response },
      );
      return anthropic("claude-sonnet-5-5", { client: { messages: { create: () => reply } } });
    };
    const turn = await readTurn(framed(called), request);
    expect([turn.stopReason, turn.requestId, turn.calls.length]).toEqual(["tool-use", "req_3", 1]);
    expect((await readTurn(framed(called.slice(0, -1)), request)).stopReason).toBe("interrupted");
  });

  test("with a framing that the core does not know is not read twice", async () => {
    const odd = () =>
      sseResponse(bytes(called), { headers: { "content-type": "application/octet-stream" } });
    const client = new Anthropic({ apiKey: "key", fetch: serve(odd).fetch });
    expect((await readTurn(anthropic("claude-sonnet-5-5", { client }), request)).stopReason).toBe(
      "tool-use",
    );
  });

  test("may be any object with messages.create", async () => {
    async function* stream() {
      yield* called;
    }
    const client = { messages: { create: async () => stream() } };
    expect((await readTurn(anthropic("m", { client }), request)).calls[0]?.input).toEqual({
      path: "a",
    });
    const whole = {
      messages: { create: async () => ({ type: "message", content: [], stop_reason: "end_turn" }) },
    };
    expect((await readTurn(anthropic("m", { client: whole }), request)).stopReason).toBe("stop");
    const failing = {
      messages: {
        create: async () => Promise.reject(Object.assign(new Error("slow down"), { status: 429 })),
      },
    };
    expect(errorOf(await readTurn(anthropic("m", { client: failing }), request))?.kind).toBe(
      "rate-limit",
    );
  });

  test("may be used alone: the gate accepts the SDK's own events", async () => {
    const client = new Anthropic({ apiKey: "key", fetch: serve(called).fetch });
    const params = {
      model: "claude-sonnet-5-5",
      max_tokens: 1024,
      messages: [{ role: "user", content: "Go." }],
    } satisfies Anthropic.MessageCreateParamsNonStreaming;
    const gate = createGate(anthropic(params.model), { maxTokens: params.max_tokens });
    for await (const event of await client.messages.create({ ...params, stream: true }))
      gate.push(event);
    expect(gate.end().calls.map((call) => call.name)).toEqual(["read"]);
  });
});
