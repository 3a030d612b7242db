import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
} from "@anthropic-ai/sdk";
import { describe, expect, test } from "vitest";
import type { EventBatches, TurnEvent } from "../src/adapter/index.ts";
import { type Adapter, ProviderError, readTurn, type Turn } from "../src/index.ts";
import { type AdapterOptions, acme } from "./acme.ts";
import { text } from "./reply.ts";
import { respond } from "./stream.ts";

const ask = (options: AdapterOptions): Promise<Turn> =>
  readTurn(acme(options), { messages: [{ role: "user", content: "Go." }] });
const opening = (thrown: unknown, rest: Partial<Adapter> = {}): Promise<Turn> =>
  ask({
    ...rest,
    open: async () => {
      throw thrown;
    },
  });
const breaking = (thrown: unknown): Promise<Turn> =>
  ask({
    open: async () =>
      (async function* () {
        yield [text("Hi.")];
        throw thrown;
      })() as EventBatches<TurnEvent>,
  });
const errorOf = (turn: Turn): ProviderError | undefined =>
  "error" in turn ? turn.error : undefined;
const saying = (message: string, more: object = {}): Error =>
  Object.assign(new Error(message), more);
const anthropic = (status: number, type: string, message = "Said."): APIError =>
  APIError.generate(
    status,
    { type: "error", error: { type, message }, request_id: "req_9" },
    undefined,
    new Headers({ "request-id": "req_9" }),
  );
/**
 * The shape of the `openai` package: the inner object of the body, its code and its type on the
 * error itself.
 */
const openai = (
  status: number,
  [code, type]: readonly [string | null, string],
  message = "Said.",
): Error =>
  saying(`${status} ${message}`, {
    status,
    code,
    type,
    param: null,
    error: { message, type, code, param: null },
    headers: new Headers({ "x-request-id": "req_8" }),
    requestID: "req_8",
  });

describe("what opening a request throws", () => {
  test.each([
    ["Anthropic: key", anthropic(401, "authentication_error"), "error", "auth"],
    ["Anthropic: billing", anthropic(402, "billing_error"), "error", "billing"],
    ["Anthropic: permission", anthropic(403, "permission_error"), "error", "auth"],
    ["Anthropic: rate limit", anthropic(429, "rate_limit_error"), "error", "rate-limit"],
    ["Anthropic: server", anthropic(500, "api_error"), "error", "server"],
    ["Anthropic: overloaded", anthropic(529, "overloaded_error"), "error", "overloaded"],
    ["Anthropic: bad request", anthropic(400, "invalid_request_error"), "error", "invalid-request"],
    ["Anthropic: a code of the table", anthropic(400, "busy"), "error", "overloaded"],
    [
      "Anthropic: request too large",
      anthropic(413, "request_too_large"),
      "context-window",
      "context-window",
    ],
    ["OpenAI: key", openai(401, ["invalid_api_key", "invalid_request_error"]), "error", "auth"],
    [
      "OpenAI: a code of the table",
      openai(400, ["window", "invalid_request_error"]),
      "context-window",
      "context-window",
    ],
    [
      "OpenAI: filtered",
      openai(400, ["blocked", "invalid_request_error"]),
      "content-filter",
      undefined,
    ],
    ["OpenAI: a type of the table", openai(503, [null, "busy"]), "error", "overloaded"],
    ["an unlisted status", saying("Teapot", { status: 418 }), "error", "invalid-request"],
    ["statusCode", saying("Bad gateway", { statusCode: 502 }), "error", "server"],
    ["our own error", new ProviderError("Ours.", { kind: "billing" }), "error", "billing"],
    [
      "our own error of another copy",
      saying("Ours.", { name: "ProviderError", kind: "overloaded" }),
      "error",
      "overloaded",
    ],
    [
      "a missing key",
      saying("The ACME_API_KEY environment variable is missing; set the api key"),
      "error",
      "auth",
    ],
    [
      "a mistake in the adapter",
      new TypeError("Cannot read properties of undefined (reading 'map')"),
      "error",
      "invalid-request",
    ],
    [
      "fetch",
      new TypeError("fetch failed", { cause: saying("connect", { code: "ECONNREFUSED" }) }),
      "interrupted",
      "network",
    ],
    ["a socket", saying("read ECONNRESET", { code: "ECONNRESET" }), "interrupted", "network"],
    [
      "a socket that the AWS SDK renames",
      saying("read ECONNRESET", { name: "TimeoutError", code: "ECONNRESET" }),
      "interrupted",
      "network",
    ],
    ["HTTP/2", saying("Closed", { code: "ERR_HTTP2_STREAM_ERROR" }), "interrupted", "network"],
    ["HTTP/2", saying("Closed", { code: "ERR_HTTP2_GOAWAY_SESSION" }), "interrupted", "network"],
    ["HTTP/2", saying("x", { code: "ERR_HTTP2_INVALID_PATH" }), "error", "invalid-request"],
    [
      "a socket inside a socket",
      saying("x", { cause: saying("y", { cause: { code: "ENOTFOUND" } }) }),
      "interrupted",
      "network",
    ],
    ["undici", saying("x", { cause: { code: "UND_ERR_SOCKET" } }), "interrupted", "network"],
    ["Safari", new TypeError("Load failed"), "interrupted", "network"],
    [
      "an SDK's connection error",
      new APIConnectionError({ cause: new Error("x") }),
      "interrupted",
      "network",
    ],
    ["an SDK's time-out", new APIConnectionTimeoutError(), "interrupted", "timeout"],
    ["an SDK's abort that nobody asked for", new APIUserAbortError(), "interrupted", "network"],
    [
      "AbortSignal.timeout",
      new DOMException("The operation timed out.", "TimeoutError"),
      "interrupted",
      "timeout",
    ],
    [
      "an abort that nobody asked for",
      new DOMException("This operation was aborted", "AbortError"),
      "interrupted",
      "network",
    ],
    [
      "undici's header time-out",
      new TypeError("fetch failed", { cause: { code: "UND_ERR_HEADERS_TIMEOUT" } }),
      "interrupted",
      "timeout",
    ],
    ["a socket's time-out", saying("x", { code: "ETIMEDOUT" }), "interrupted", "timeout"],
    [
      "half a body",
      new SyntaxError("Unexpected end of JSON input"),
      "interrupted",
      "malformed-reply",
    ],
    ["a string", "out of order", "error", "invalid-request"],
    ["undefined", undefined, "error", "invalid-request"],
    ["null", null, "error", "invalid-request"],
    ["a number", 42, "error", "invalid-request"],
    ["a symbol", Symbol("x"), "error", "invalid-request"],
    ["an error without a message", new Error(""), "error", "invalid-request"],
  ] as const)("%s", async (...[, thrown, stopReason, kind]) => {
    const turn = await opening(thrown);
    expect(turn).toMatchObject({ stopReason, calls: [], withheld: [] });
    expect(errorOf(turn)?.kind).toBe(kind);
    if (kind !== undefined) expect(errorOf(turn)?.message).not.toBe("");
  });

  test("is kept as the cause, with its own message", async () => {
    const thrown = anthropic(529, "overloaded_error", "Overloaded, sorry.");
    const error = errorOf(await opening(thrown, { errors: { overloaded_error: "overloaded" } }));
    expect(error).toMatchObject({
      status: 529,
      code: "overloaded_error",
      requestId: "req_9",
      message: "529: Overloaded, sorry.",
    });
    expect(error?.cause).toBe(thrown);
    expect(
      errorOf(await opening(openai(429, ["insufficient_quota", "insufficient_quota"], "Pay."))),
    ).toMatchObject({
      status: 429,
      code: "insufficient_quota",
      requestId: "req_8",
      message: "429: Pay.",
    });
  });

  test("a code that every object inherits is not in the table", async () => {
    expect(errorOf(await opening(saying("x", { code: "constructor", status: 400 })))?.kind).toBe(
      "invalid-request",
    );
  });

  test("a status of genai, whose message is JSON, still has its kind", async () => {
    const message = JSON.stringify({
      error: { code: 429, message: "Quota.", status: "RESOURCE_EXHAUSTED" },
    });
    expect(
      errorOf(await opening(saying(message, { name: "ApiError", status: 429 }))),
    ).toMatchObject({ kind: "rate-limit", status: 429 });
  });
});

describe("errors in the middle of a reply", () => {
  test.each([
    [
      "a reset",
      new TypeError("terminated", { cause: { code: "UND_ERR_SOCKET" } }),
      "interrupted",
      "network",
    ],
    ["half a frame", new SyntaxError("Unexpected token"), "interrupted", "malformed-reply"],
    ["anything", new Error("Incomplete JSON segment at the end"), "interrupted", "network"],
    ["a string", "boom", "interrupted", "network"],
    ["undefined", undefined, "interrupted", "network"],
    [
      "an error event that an SDK throws",
      saying("x", { status: undefined, type: "busy", error: { type: "busy" } }),
      "error",
      "overloaded",
    ],
    ["a status", saying("x", { status: 500 }), "error", "server"],
  ] as const)("%s", async (...[, thrown, stopReason, kind]) => {
    const turn = await breaking(thrown);
    expect(turn).toMatchObject({ stopReason, text: "Hi.", calls: [] });
    expect(errorOf(turn)?.kind).toBe(kind);
  });
});

describe("how long the provider asks to wait", () => {
  const wait = async (headers: HeadersInit): Promise<number | undefined> =>
    errorOf(await ask({ fetch: async () => respond(["{}"], { status: 429, headers }) }))
      ?.retryAfterMs;

  test("in seconds, in milliseconds, or not at all", async () => {
    expect(await wait({ "retry-after": "7" })).toBe(7000);
    expect(await wait({ "retry-after": "0.5" })).toBe(500);
    expect(await wait({ "retry-after": "7", "retry-after-ms": "250" })).toBe(250);
    expect(await wait({ "retry-after-ms": "soon", "retry-after": "1" })).toBe(1000);
    expect(await wait({ "retry-after": "-3" })).toBe(0);
    expect(await wait({ "retry-after": "soon" })).toBeUndefined();
    expect(await wait({})).toBeUndefined();
  });

  test("until a date, never a negative time", async () => {
    const later = await wait({ "retry-after": new Date(Date.now() + 3_600_000).toUTCString() });
    expect(later).toBeGreaterThan(3_000_000);
    expect(later).toBeLessThanOrEqual(3_600_000);
    expect(await wait({ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" })).toBe(0);
  });

  test("in headers that are a plain object", async () => {
    expect(
      errorOf(await opening(saying("x", { status: 429, headers: { "retry-after": "3" } })))
        ?.retryAfterMs,
    ).toBe(3000);
  });
});

describe("a full context window, by the messages of hosts", () => {
  const said = [
    "prompt is too long: 210000 tokens > 200000 maximum",
    "Prompt too long",
    "prompt exceeds max length",
    "request_too_large",
    "input is too long for requested model",
    "Your input exceeds the context window of this model",
    "This exceeds the model's maximum context length of 8192",
    "context window exceeded",
    "input token count (9999) exceeds the maximum number of tokens",
    "This model's maximum prompt length is 131072",
    "Please reduce the length of the messages",
    "This model's maximum context length is 8192 tokens",
    "The prompt exceeds the maximum allowed input length of 4096",
    "input (9000 tokens) is longer than the model's context length (8192 tokens)",
    "Request has 9000 tokens, which exceeds the limit of 8192",
    "the request exceeds the available context size",
    "the number of tokens is greater than the context length",
    "invalid params, context window exceeds limit",
    "Your request exceeded model token limit: 8192",
    "too large for model with 8192 maximum context length",
    "prompt has 9000 tokens, but the configured context size is 8192",
    "model_context_window_exceeded",
    "prompt too long; exceeded max context length",
    "Range of input length should be [1, 8192]",
    "context_length_exceeded",
    "too many tokens",
    "token limit exceeded",
  ];
  test.each(said)("%s", async (message) => {
    for (const thrown of [
      anthropic(400, "invalid_request_error", message),
      openai(400, [null, "invalid_request_error"], message),
      saying(message),
    ]) {
      expect(await opening(thrown)).toMatchObject({
        stopReason: "context-window",
        error: { kind: "context-window" },
      });
    }
  });

  test.each([
    [429, "Rate limit reached: too many tokens per minute"],
    [400, "ThrottlingException: Too many tokens, please wait before trying again."],
    [400, "Too Many Requests: token limit exceeded"],
    [429, "too many tokens"],
  ])("is not meant by %d %s", async (status, message) => {
    expect((await opening(saying(message, { status }))).stopReason).toBe("error");
  });

  test("is not assumed if the error has its own kind", async () => {
    expect(errorOf(await opening(saying("context_length_exceeded", { status: 401 })))?.kind).toBe(
      "auth",
    );
  });

  test("is searched in the first 2,000 characters only", async () => {
    const far = `${"x".repeat(1960)} prompt is too long`;
    expect((await opening(saying(far))).stopReason).toBe("context-window");
    expect((await opening(saying(`${"x".repeat(40)}${far}`))).stopReason).toBe("error");
    const inBand = {
      type: "error",
      native: "api_error",
      message: `${"x".repeat(40)}${far}`,
    } as const;
    expect(
      (await ask({ fetch: async () => respond([`data: ${JSON.stringify(inBand)}\n\n`]) }))
        .stopReason,
    ).toBe("error");
  });

  test("is recognized inside a reply too", async () => {
    const inBand = { type: "error", native: "api_error", message: "prompt is too long" } as const;
    expect(
      (await ask({ fetch: async () => respond([`data: ${JSON.stringify(inBand)}\n\n`]) }))
        .stopReason,
    ).toBe("context-window");
  });
});

describe("the message of an error body", () => {
  test("has 2,000 characters at most", async () => {
    const error = errorOf(await opening(saying("y".repeat(60_000), { status: 400 })));
    expect(error?.message).toBe(`400: ${"y".repeat(2000)}…`);
  });
});

describe("a failed status", () => {
  const failed = (status: number, body: string) =>
    ask({ fetch: async () => respond([body], { status, headers: { "request-id": "req_7" } }) });

  test.each([
    [401, '{"error":{"message":"No.","code":"nope"}}', "401: No."],
    [500, "upstream is down", "500: upstream is down"],
    [503, '{"message":"Later.","code":"busy"}', "503: Later."],
    [529, '{"type":"error","error":{"type":"busy","message":"Later."}}', "529: Later."],
    [400, '{"error":"No such model."}', "400: No such model."],
    [404, '{"detail":"Not Found"}', "404: Not Found"],
    [400, '{"errors":[{"message":"One of two."},{"message":"Two."}]}', "400: One of two."],
    [400, '[{"error":{"message":"In a list."}}]', "400: In a list."],
    [
      502,
      "<!DOCTYPE html><html><head><title> Bad gateway </title></head></html>",
      "502: the server answered with a page: Bad gateway",
    ],
    [503, "<html><body>Later.</body></html>", "503: the server answered with a page"],
  ])("%d %s says %s", async (status, body, message) => {
    const turn = await failed(status, body);
    expect(turn.stopReason).toBe("error");
    expect(errorOf(turn)).toMatchObject({ status, message, requestId: "req_7" });
  });

  test.each([400, 500, 529])("%d without a body is an error with a message", async (status) => {
    expect(errorOf(await failed(status, ""))?.message).toMatch(new RegExp(`^${status}: .+`));
  });
});
