import { createServer, type ServerResponse } from "node:http";
import { createServer as createHttp2Server, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { BedrockRuntimeClient, ConverseStreamCommand } from "@aws-sdk/client-bedrock-runtime";
import { serve } from "@fullstop/conformance/server";
import { createGate, type ProviderError, readTurn, type Turn } from "@fullstop/core";
import { type BedrockClient, type BedrockEvent, bedrock } from "@fullstop/provider-bedrock";
import { FetchHttpHandler } from "@smithy/fetch-http-handler";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventStreamHeaders, messageBytes } from "./codec.ts";
import { call, type Fields, replyEvents } from "./events.ts";
import { hello } from "./server.ts";
import { credentials, model } from "./subject.ts";

const request = { messages: [{ role: "user", content: "Go." }] } as const;
const errorOf = (turn: Turn): ProviderError | undefined =>
  "error" in turn ? turn.error : undefined;
const read = { id: "tooluse_1", name: "read", input: { path: "a" } };
const called = replyEvents([call(read)], { stop: "tool_use", output: 9 });
const bytes = (events: readonly Fields[]): readonly Uint8Array<ArrayBuffer>[] =>
  events.map(messageBytes);

/** What the SDK uses to send: by default HTTP/2, which a server of HTTP/1.1 does not speak. */
const handlers = {
  "node:http": () => new NodeHttpHandler(),
  fetch: () => new FetchHttpHandler(),
};
function clientFor(endpoint: string, requestHandler?: NodeHttpHandler | FetchHttpHandler) {
  const client = new BedrockRuntimeClient({
    region: "us-west-2",
    endpoint,
    credentials: { ...credentials, accessKeyId: "AKIDOWN" },
    maxAttempts: 3,
    ...(requestHandler && { requestHandler }),
  });
  onTestFinished(() => client.destroy());
  return client;
}

describe.each(Object.entries(handlers))("a given client over %s", (_, createHandler) => {
  test("keeps its region, credentials and middleware; the reply is read here", async () => {
    const server = await serve(() => ({ headers: eventStreamHeaders, chunks: bytes(called) }));
    onTestFinished(() => server.close());
    const client = clientFor(server.url, createHandler());
    client.middlewareStack.add(
      (next) => (args) => {
        Object.assign((args.request as { headers: object }).headers, { "x-own": "1" });
        return next(args);
      },
      { step: "build", name: "own" },
    );
    const turn = await readTurn(bedrock(model, { client }), request);
    expect([turn.stopReason, turn.calls[0]?.input]).toEqual(["tool-use", { path: "a" }]);
    const [sent] = server.requests;
    expect(sent?.headers["authorization"]).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDOWN\/\d{8}\/us-west-2\/bedrock\/aws4_request/,
    );
    expect(sent?.headers["x-own"]).toBe("1");
  });

  test("retries nothing, and its own settings stay", async () => {
    const server = await serve(() => ({
      status: 503,
      headers: { "x-amzn-errortype": "ServiceUnavailableException" },
      chunks: [new TextEncoder().encode('{"message":"Busy."}')],
    }));
    onTestFinished(() => server.close());
    const client = clientFor(server.url, createHandler());
    const turn = await readTurn(bedrock(model, { client }), request);
    expect(errorOf(turn)).toMatchObject({
      kind: "overloaded",
      message: `Amazon Bedrock at ${new URL(server.url).host} is overloaded (503): Busy. Try again later, or use another model.`,
    });
    expect([server.requests.length, await client.config.maxAttempts()]).toEqual([1, 3]);
  });

  test("a middleware that sends again frees the reply that it drops", async () => {
    let requests = 0;
    let freed = (): void => undefined;
    const isFreed = new Promise<void>((resolve) => {
      freed = resolve;
    });
    const url = await listen((response) => {
      if (++requests === 1) return response.writeHead(503).on("close", freed).write("{");
      response.writeHead(200, eventStreamHeaders);
      return response.end(Buffer.concat(bytes(called)));
    });
    const client = clientFor(url, createHandler());
    client.middlewareStack.add(
      (next) => async (args) => {
        await next(args);
        return next(args);
      },
      { step: "finalizeRequest", name: "twice" },
    );
    expect((await readTurn(bedrock(model, { client }), request)).calls.length).toBe(1);
    await isFreed;
  });

  test("a reply that breaks off is interrupted", async () => {
    for (const fault of ["reset", undefined] as const) {
      const server = await serve(() => ({
        headers: eventStreamHeaders,
        chunks: bytes(called.slice(0, -2)),
        fault,
      }));
      onTestFinished(() => server.close());
      const client = clientFor(server.url, createHandler());
      const turn = await readTurn(bedrock(model, { client }), request);
      expect([turn.stopReason, turn.calls.length]).toEqual(["interrupted", 0]);
    }
  });

  test("a frame that cannot be read closes the connection, also if the signal is lost", async () => {
    let closed = (): void => undefined;
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const [first = new Uint8Array()] = bytes(hello);
    const broken = first.with(-1, (first.at(-1) ?? 0) ^ 1);
    const sdk = clientFor(await silentServer([broken], closed), createHandler());
    const client: BedrockClient = { send: (command) => sdk.send(command) };
    const turn = await readTurn(bedrock(model, { client }), request);
    expect([turn.stopReason, errorOf(turn)?.kind]).toEqual(["interrupted", "malformed-reply"]);
    await isClosed;
  });

  test("an abort closes the connection while the server is silent", async () => {
    let closed = (): void => undefined;
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const silent = await silentServer(hello.slice(0, 2).map(messageBytes), closed);
    const abort = new AbortController();
    const client = clientFor(silent, createHandler());
    const turn = await readTurn(bedrock(model, { client }), request, {
      signal: abort.signal,
      onPreview: () => abort.abort(),
    });
    expect([turn.stopReason, turn.text]).toEqual(["aborted", "Hello"]);
    await isClosed;
  });
});

/** Sends the chunks, and then nothing. */
const silentServer = (chunks: readonly Uint8Array[], onClose: () => void): Promise<string> =>
  listen((response) => {
    response.writeHead(200, eventStreamHeaders);
    for (const chunk of chunks) response.write(chunk);
    response.on("close", onClose);
  });

/** The address of a server that answers like this. */
async function listen(answer: (response: ServerResponse) => unknown): Promise<string> {
  const server = createServer((_, response) => void answer(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("the SDK's default client, over HTTP/2", () => {
  async function http2(events: readonly Fields[], end: "end" | "cut" | "refuse"): Promise<string> {
    const server = createHttp2Server();
    const sessions = new Set<{ destroy(): void }>();
    server.on("session", (session) => sessions.add(session));
    server.on("stream", (stream: ServerHttp2Stream) => {
      stream.on("error", () => undefined);
      if (end === "refuse") return stream.close(7);
      stream.respond({ ":status": 200, ...eventStreamHeaders });
      for (const chunk of bytes(events)) stream.write(chunk);
      if (end === "end") stream.end();
      else stream.close(2);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      for (const session of sessions) session.destroy();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test("is read to the end, and a stream that the server closes early is interrupted", async () => {
    const whole = clientFor(await http2(called, "end"));
    expect((await readTurn(bedrock(model, { client: whole }), request)).calls.length).toBe(1);
    const cut = clientFor(await http2(called.slice(0, 3), "cut"));
    const turn = await readTurn(bedrock(model, { client: cut }), request);
    expect([turn.stopReason, turn.calls.length]).toEqual(["interrupted", 0]);
  });

  test("a stream that is refused before the reply may be asked for again", async () => {
    const refused = clientFor(await http2([], "refuse"));
    const turn = await readTurn(bedrock(model, { client: refused }), request);
    expect([turn.stopReason, errorOf(turn)?.kind]).toEqual(["interrupted", "network"]);
  });
});

test("the SDK may be used alone: a gate takes the events of its stream", async () => {
  const server = await serve(() => ({ headers: eventStreamHeaders, chunks: bytes(called) }));
  onTestFinished(() => server.close());
  const sdk = clientFor(server.url, new NodeHttpHandler());
  const body = {
    modelId: model,
    messages: [{ role: "user" as const, content: [{ text: "Go." }] }],
  };
  const { stream = [] } = await sdk.send(new ConverseStreamCommand(body));
  const gate = createGate(bedrock(model), { body });
  for await (const event of stream) gate.push(event satisfies BedrockEvent);
  expect(gate.end().calls.map(({ name }) => name)).toEqual(["read"]);
});

describe("any object with `send`", () => {
  test("its stream, its whole reply and its exceptions are read", async () => {
    async function* stream() {
      yield* called;
    }
    const streaming = { send: async () => ({ stream: stream() }) };
    expect((await readTurn(bedrock(model, { client: streaming }), request)).calls.length).toBe(1);
    const whole = {
      send: async () => ({
        output: { message: { content: [{ text: "Hello." }] } },
        stopReason: "end_turn",
      }),
    };
    const options = { client: whole, stream: false };
    expect((await readTurn(bedrock(model, options), request)).text).toBe("Hello.");
    const failing = {
      send: () =>
        Promise.reject(
          Object.assign(new Error("Slow down."), {
            name: "ThrottlingException",
            $metadata: { httpStatusCode: 429 },
          }),
        ),
    };
    expect(errorOf(await readTurn(bedrock(model, { client: failing }), request))).toMatchObject({
      kind: "rate-limit",
      code: "ThrottlingException",
      message:
        "Amazon Bedrock takes no more requests now (429): Slow down. Wait, or ask for a higher limit.",
    });
  });

  test("hidden reasoning that the SDK parsed into bytes stays JSON", async () => {
    async function* stream() {
      yield { messageStart: { role: "assistant" } };
      yield {
        contentBlockDelta: {
          contentBlockIndex: 0,
          delta: { reasoningContent: { redactedContent: Uint8Array.of(1, 2, 3) } },
        },
      };
      yield { contentBlockStop: { contentBlockIndex: 0 } };
      yield* hello.slice(1);
    }
    const client = { send: async () => ({ stream: stream() }) };
    const { message } = await readTurn(bedrock(model, { client }), request);
    expect(message?.content[0]).toEqual({
      type: "thinking",
      text: "",
      providerData: { redactedContent: "AQID" },
    });
  });
});
