import { getEventListeners } from "node:events";
import { type ProviderError, readTurn, type Turn } from "@fullstop/core";
import { bedrock } from "@fullstop/provider-bedrock";
import { afterEach, describe, expect, test, vi } from "vitest";
import { eventStreamHeaders, exceptionBytes, messageBytes } from "./codec.ts";
import { call, replyEvents } from "./events.ts";
import { answer, hello, type Server } from "./server.ts";
import { credentials, model } from "./subject.ts";

const request = { messages: [{ role: "user", content: "Go." }] } as const;
const errorOf = (turn: Turn): ProviderError | undefined =>
  "error" in turn ? turn.error : undefined;
/** No credentials and no region of this machine. */
function withoutProfile(): void {
  vi.stubEnv("HOME", "/nowhere");
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  for (const name of Object.keys(process.env))
    if (name.startsWith("AWS_") && name !== "AWS_EC2_METADATA_DISABLED")
      vi.stubEnv(name, undefined);
}
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe("where requests go, and how they are signed", () => {
  test("keys sign the request for the region; the header is that of HTTP/1.1", async () => {
    const server = answer(hello);
    expect((await readTurn(server.adapter(), request)).text).toBe("Hello.");
    const [sent] = server.requests;
    expect(sent?.url).toBe(
      "https://bedrock-runtime.eu-central-1.amazonaws.com/model/eu.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream",
    );
    expect(sent?.headers.get("authorization")).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/bedrock\/aws4_request, SignedHeaders=[\w;-]*\bhost\b[\w;-]*, Signature=[0-9a-f]{64}$/,
    );
  });

  test("an API key is a bearer token", async () => {
    const server = answer(hello);
    await readTurn(server.adapter({ apiKey: "bedrock-api-key" }), request);
    expect(server.requests[0]?.headers.get("authorization")).toBe("Bearer bedrock-api-key");
  });

  test("region, keys and session token come from the environment", async () => {
    withoutProfile();
    vi.stubEnv("AWS_REGION", "ap-southeast-2");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDENVIRONMENT");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", credentials.secretAccessKey);
    vi.stubEnv("AWS_SESSION_TOKEN", "session-token-1");
    const server = answer(hello);
    await readTurn(bedrock(model, { fetch: server.fetch }), request);
    const [sent] = server.requests;
    expect(sent?.url).toContain("https://bedrock-runtime.ap-southeast-2.amazonaws.com/");
    expect(sent?.headers.get("authorization")).toContain("Credential=AKIDENVIRONMENT/");
    expect(sent?.headers.get("x-amz-security-token")).toBe("session-token-1");
  });

  test("so does an API key", async () => {
    withoutProfile();
    vi.stubEnv("AWS_BEARER_TOKEN_BEDROCK", "key-of-the-environment");
    const server = answer(hello);
    await readTurn(bedrock(model, { region: "eu-central-1", fetch: server.fetch }), request);
    expect(server.requests[0]?.headers.get("authorization")).toBe("Bearer key-of-the-environment");
  });

  test("credentials of the options sign, although the environment has an API key", async () => {
    withoutProfile();
    vi.stubEnv("AWS_BEARER_TOKEN_BEDROCK", "key-of-the-environment");
    const server = answer(hello);
    await readTurn(server.adapter(), request);
    expect(server.requests[0]?.headers.get("authorization")).toContain("Credential=AKIDEXAMPLE/");
  });

  test("headers are sent, and signed; a base URL keeps its path", async () => {
    const server = answer(hello);
    const baseURL = "http://127.0.0.1:1/proxy/";
    await readTurn(server.adapter({ baseURL, headers: { "x-trace": "42" } }), request);
    const [sent] = server.requests;
    expect(sent?.url).toMatch(/^http:\/\/127\.0\.0\.1:1\/proxy\/model\//);
    expect(sent?.headers.get("x-trace")).toBe("42");
    expect(sent?.headers.get("authorization")).toContain("x-trace");
  });

  test("a call in one piece may lack its input, if its tool needs none", async () => {
    const toolUse = { toolUseId: "t1", name: "look" };
    const body = { output: { message: { content: [{ toolUse }] } }, stopReason: "tool_use" };
    const look = { name: "look", description: "Looks.", inputSchema: { type: "object" } };
    const adapter = answer(() => Response.json(body)).adapter({ stream: false });
    const turn = await readTurn(adapter, { ...request, tools: [look] });
    expect([turn.stopReason, turn.calls[0]?.input]).toEqual(["tool-use", {}]);
  });

  test("a password in the base URL is an error that says where it belongs", async () => {
    const baseURL = "http://me:seven-of-nine@127.0.0.1:40001";
    const adapter = bedrock(model, { region: "eu-central-1", credentials, baseURL });
    const error = errorOf(await readTurn(adapter, request));
    expect(error?.message).toMatch(/`baseURL` holds a user name or a password, .+ in `headers`/);
  });

  test("`stream: false` asks Converse", async () => {
    const body = {
      output: { message: { role: "assistant", content: [{ text: "Hello." }] } },
      stopReason: "end_turn",
      usage: { inputTokens: 9, outputTokens: 3, totalTokens: 12 },
    };
    const server = answer(() => Response.json(body));
    const guardrailConfig = { guardrailIdentifier: "gr-1", streamProcessingMode: "sync" } as const;
    const options = { stream: false, params: { guardrailConfig } };
    const turn = await readTurn(server.adapter(options), request);
    // Only a stream has a mode.
    expect(server.requests[0]?.body.guardrailConfig).toEqual({ guardrailIdentifier: "gr-1" });
    expect([turn.stopReason, turn.text, turn.usage.output]).toEqual(["stop", "Hello.", 3]);
    expect(server.requests[0]?.url).toMatch(/\/converse$/);
  });
});

describe("an error says what to do if a part of the set-up is missing", () => {
  test("a region", async () => {
    withoutProfile();
    const turn = await readTurn(bedrock(model, { credentials, fetch: answer().fetch }), request);
    expect(errorOf(turn)).toMatchObject({
      kind: "invalid-request",
      message:
        "No region for Amazon Bedrock: pass `region`, or set the environment variable AWS_REGION.",
    });
  });

  test("credentials", async () => {
    withoutProfile();
    const adapter = bedrock(model, { region: "eu-central-1", fetch: answer().fetch });
    expect(errorOf(await readTurn(adapter, request))).toMatchObject({
      kind: "auth",
      message:
        "No credentials for Amazon Bedrock: pass `apiKey` or `credentials`, set AWS_BEARER_TOKEN_BEDROCK, or set up a profile of AWS.",
    });
  });

  test("a session that has expired: the advice of the SDK is kept", async () => {
    const expired = Object.assign(
      new Error("The SSO session has expired. To refresh it run aws sso login."),
      { name: "CredentialsProviderError" },
    );
    const adapter = answer().adapter({ credentials: () => Promise.reject(expired) });
    expect(errorOf(await readTurn(adapter, request))).toMatchObject({
      kind: "auth",
      message:
        "The credentials for Amazon Bedrock cannot be loaded: The SSO session has expired. To refresh it run aws sso login.",
    });
  });
});

describe("errors", () => {
  const failing =
    (status: number, name: string, message: string, headers: Record<string, string> = {}) =>
    (): Response =>
      Response.json({ message }, { status, headers: { "x-amzn-errortype": name, ...headers } });

  test("have the exception's name, the request's id and the time to wait", async () => {
    const headers = { "x-amzn-requestid": "req-1", "retry-after": "7" };
    const server = answer(failing(429, "ThrottlingException:http://x/", "Too many.", headers));
    expect(errorOf(await readTurn(server.adapter(), request))).toMatchObject({
      kind: "rate-limit",
      code: "ThrottlingException",
      message:
        "Amazon Bedrock at bedrock-runtime.eu-central-1.amazonaws.com takes no more requests now (429): Too many. Wait, or ask for a higher limit.",
      requestId: "req-1",
      retryAfterMs: 7000,
    });
  });

  test("contain neither keys nor session tokens, although the API repeats them", async () => {
    const sessionToken = "IQoJb3JpZ2luX2VjEXAMPLETOKEN";
    const { accessKeyId, secretAccessKey } = credentials;
    const message = `The signature of ${accessKeyId} does not match. x-amz-security-token:${sessionToken} ${secretAccessKey}`;
    const server = answer(failing(403, "InvalidSignatureException", message));
    const adapter = server.adapter({
      credentials: async () => ({ ...credentials, sessionToken }),
    });
    const error = errorOf(await readTurn(adapter, request));
    expect(error?.kind).toBe("auth");
    expect(JSON.stringify(error)).not.toMatch(/IQoJb3Jp|wJalrXUt|AKIDEX/);
  });

  test("contain no token of the request; tokens of requests long ago are not kept", async () => {
    const tokenOf = (place: number): string => String.fromCharCode(65 + place).repeat(24);
    let count = 0;
    const sentToken = (at: number): string =>
      server.requests.at(at)?.headers.get("x-amz-security-token") ?? "";
    const server: Server = answer(...Array.from({ length: 9 }, () => hello), () =>
      failing(403, "ExpiredTokenException", `${sentToken(-1)} ${sentToken(0)}`)(),
    );
    const adapter = server.adapter({
      // They have expired, so each request asks for new ones.
      credentials: async () => ({
        accessKeyId: "AKIDEXAMPLE",
        secretAccessKey: `${count}-`.repeat(12),
        sessionToken: tokenOf(count++),
        expiration: new Date(0),
      }),
    });
    for (let sent = 0; sent < 9; sent++) await readTurn(adapter, request);
    expect(errorOf(await readTurn(adapter, request))?.message).toContain(
      `(403): [redacted] ${sentToken(0)}`,
    );
  });

  test("an exception in the middle of a reply keeps its name", async () => {
    const events = [...hello.slice(0, 3), { throttlingException: { message: "Slow down." } }];
    const turn = await readTurn(answer(events).adapter(), request);
    expect(errorOf(turn)).toMatchObject({
      kind: "rate-limit",
      code: "throttlingException",
      message: "Slow down.",
    });
  });

  test.each([
    ["InternalFailure", { message: "It broke." }, "It broke."],
    ["messageStop", { message: "It broke." }, "It broke."],
    ["InternalFailure", {}, 'The provider reported "InternalFailure" without a message.'],
  ])("no call runs if an exception %s %j came", async (name, payload, message) => {
    const read = { id: "t1", name: "read", input: { path: "a" } };
    const called = replyEvents([call(read)], { stop: "tool_use", output: 9 });
    const body = [
      ...called.slice(0, -1).map(messageBytes),
      exceptionBytes(name, payload),
      ...called.slice(-1).map(messageBytes),
    ];
    const server = answer(() => new Response(new Blob(body), { headers: eventStreamHeaders }));
    const turn = await readTurn(server.adapter(), request);
    expect([turn.stopReason, turn.calls.length]).toEqual(["error", 0]);
    expect(errorOf(turn)).toMatchObject({ code: name, message });
  });

  test("the body of an error with the status of a reply is an error", async () => {
    const body = { __type: "com.amazon.coral#ThrottlingException", message: "Slow down." };
    const turn = await readTurn(answer(() => Response.json(body)).adapter(), request);
    expect(errorOf(turn)).toMatchObject({
      kind: "rate-limit",
      code: "ThrottlingException",
      message: "Slow down.",
    });
  });

  test("nothing is repeated, neither a refused request nor a broken connection", async () => {
    const refusing = (): Promise<Response> =>
      Promise.reject(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }));
    for (const first of [failing(503, "ServiceUnavailableException", "Busy."), refusing]) {
      const server = answer(first, hello);
      expect(errorOf(await readTurn(server.adapter(), request))).toBeDefined();
      expect(server.requests.length).toBe(1);
    }
  });
});

describe("the reply", () => {
  test("an abort reaches the request, and frees the body", async () => {
    const abort = new AbortController();
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const event of hello.slice(0, 3)) controller.enqueue(messageBytes(event));
      },
      cancel: () => {
        isCancelled = true;
      },
    });
    const server = answer(() => new Response(body, { headers: eventStreamHeaders }));
    const turn = await readTurn(server.adapter(), request, {
      signal: abort.signal,
      onPreview: () => abort.abort(),
    });
    expect([turn.stopReason, server.requests[0]?.signal?.aborted, isCancelled]).toEqual([
      "aborted",
      true,
      true,
    ]);
  });

  test("no listener stays on the caller's signal", async () => {
    const { signal } = new AbortController();
    for (let count = 0; count < 12; count++)
      await readTurn(answer(hello).adapter(), request, { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("nothing is written to the console", async () => {
    const noise = (["debug", "info", "warn", "error", "log"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => undefined),
    );
    await readTurn(answer(hello).adapter(), request);
    expect(noise.flatMap((spy) => spy.mock.calls)).toEqual([]);
  });

  test("that ends after its start was cut", async () => {
    const turn = await readTurn(answer(hello.slice(0, 1)).adapter(), request);
    expect(errorOf(turn)?.message).toContain("It ended before the provider said");
    // Without a stop reason no option can help.
    expect(errorOf(turn)?.message).not.toContain("optional");
  });

  test("without `metadata` it is interrupted, and the error names the option for such hosts", async () => {
    const read = { id: "t1", name: "read", input: { path: "a" } };
    const cut = replyEvents([call(read)], { stop: "tool_use", output: 9 }).slice(0, -1);
    const strict = await readTurn(answer(cut).adapter(), request);
    expect([strict.stopReason, strict.calls.length]).toEqual(["interrupted", 0]);
    expect(errorOf(strict)?.message).toContain('set `metadata: "optional"`');
    const loose = await readTurn(answer(cut).adapter({ metadata: "optional" }), request);
    expect([loose.stopReason, loose.calls.length]).toEqual(["tool-use", 1]);
  });
});
