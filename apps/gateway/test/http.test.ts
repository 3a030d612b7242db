import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openRaw, rawRequest } from "./raw.ts";
import { ask, cutReply, key, messagesRequest, replies, sse, stream } from "./replies.ts";
import { openFront, openGateway, openUpstream } from "./servers.ts";

const finished = replies.anthropic.finished;

describe("a request", () => {
  test("reaches the upstream with its path, query, headers and body", async () => {
    await using upstream = await openUpstream((response) => response.end("{}"));
    await using gateway = await openGateway({ routes: { up: { url: `${upstream.url}/base/` } } });
    await fetch(`${gateway.url}/up/v1/files%2F1/?beta=true&key=a%20b`, {
      method: "PUT",
      headers: { authorization: `Bearer ${key}`, "x-other": "1", connection: "keep-alive" },
      body: "raw",
    });
    const [received] = upstream.received;
    expect(received).toMatchObject({
      method: "PUT",
      url: "/base/v1/files%2F1/?beta=true&key=a%20b",
      body: "raw",
    });
    expect(received?.headers).toMatchObject({ authorization: `Bearer ${key}`, "x-other": "1" });
    expect(received?.headers.host).toBe(new URL(upstream.url).host);
  });
  test("in absolute form with the gateway's own name is answered as its path", async () => {
    await using upstream = await openUpstream((response) => response.end("{}"));
    await using gateway = await openFront(upstream);
    const host = `127.0.0.1:${gateway.port}`;
    const ask = (target: string) =>
      openRaw(gateway.port, `GET ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    for (const [target, status] of [
      [`http://${host}/up/v1/models?a=1`, "200"],
      [`HTTP://${host}/healthz`, "200"],
      [`http://${host}`, "404"],
      ["http://127.0.0.1:1/up/v1/models", "400"],
      [`http://user@${host}/up/v1/models`, "400"],
    ] as const) {
      using raw = await ask(target);
      await expect.poll(raw.end).toBeDefined();
      expect([target, raw.text().slice(9, 12)]).toEqual([target, status]);
    }
    expect(upstream.received.map(({ url }) => url)).toEqual(["/v1/models?a=1"]);
    expect(gateway.answers[0]?.path).toBe("/up/v1/models");
  });
  test("keeps the length of its body, and has none if it came without one", async () => {
    await using upstream = await openUpstream((response) => response.end("{}"));
    await using gateway = await openFront(upstream);
    const send = (method: string, body?: BodyInit): Promise<Response> =>
      fetch(`${gateway.url}/up/v1/files/1`, { method, ...(body !== undefined && { body }) });
    await send("PUT", "raw");
    await send("POST", new Blob(["a".repeat(1000)], { type: "audio/wav" }));
    await send("POST");
    await send("DELETE");
    expect(
      upstream.received.map(({ method, headers }) => [
        method,
        headers["content-length"],
        headers["transfer-encoding"],
      ]),
    ).toEqual([
      ["PUT", "3", undefined],
      ["POST", "1000", undefined],
      ["POST", "0", undefined],
      ["DELETE", undefined, undefined],
    ]);
  });
  test("loses the headers of its connection, and asks for encodings that it reads", async () => {
    await using upstream = await openUpstream((response) => response.end("{}"));
    await using gateway = await openFront(upstream);
    using raw = await openRaw(
      gateway.port,
      rawRequest("GET /up/x HTTP/1.1", [
        "connection: close, x-mine",
        "x-mine: 1",
        "te: trailers",
        "proxy-authorization: Basic x",
        "upgrade: h2c",
        "accept-encoding: zstd",
        "x-kept: 1",
      ]),
    );
    await expect.poll(raw.end).toBe("ended");
    const headers = upstream.received[0]?.headers;
    expect(Object.keys(headers ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:te|x-mine|upgrade|proxy-.*)$/)]),
    );
    expect(headers).toMatchObject({ "x-kept": "1", "accept-encoding": "br, gzip" });
    expect(raw.text()).toMatch(/^HTTP\/1\.1 200 /);
  });
  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
    ["zstd", zstdCompressSync],
  ])("with the encoding %s is guarded and arrives as it is", async (encoding, compress) => {
    await using upstream = await openUpstream(stream(cutReply));
    const actions: string[] = [];
    await using gateway = await openFront(upstream, {
      onReply: (_, { action }) => void actions.push(action),
    });
    const reply = await ask(gateway.url, {
      headers: { "content-type": "application/json", "content-encoding": encoding },
      body: new Uint8Array(compress(JSON.stringify(messagesRequest))),
    });
    expect(await reply.text()).not.toContain("tool_use");
    expect(actions).toEqual(["ended"]);
    expect(upstream.received[0]?.headers["content-encoding"]).toBe(encoding);
  });
  test("with an encoding that cannot be read gets 415, and the upstream nothing", async () => {
    await using upstream = await openUpstream(stream(finished));
    await using gateway = await openFront(upstream);
    const reply = await ask(gateway.url, {
      headers: { "content-type": "application/json", "content-encoding": "snappy" },
    });
    expect(reply.status).toBe(415);
    expect(await reply.json()).toMatchObject({
      error: { message: expect.stringMatching(/snappy/) },
    });
    expect(upstream.received).toHaveLength(0);
  });
  test.each([
    ["a length", { body: new Uint8Array(2000) }],
    ["chunks", { body: new Blob([new Uint8Array(2000)]).stream(), duplex: "half" }],
  ])("with %s above the limit gets 413", async (_, init) => {
    await using upstream = await openUpstream(stream(finished));
    await using gateway = await openFront(upstream, { limits: { maxBody: 1000 } });
    const reply = await ask(gateway.url, init as RequestInit);
    expect(reply.status).toBe(413);
    expect(await reply.json()).toMatchObject({
      type: "error",
      error: { message: expect.stringMatching(/at most 1000 bytes/) },
    });
    expect(upstream.received).toHaveLength(0);
  });
  test("with `Expect: 100-continue` gets the interim answer 100", async () => {
    await using upstream = await openUpstream(stream(finished));
    await using gateway = await openFront(upstream);
    const body = JSON.stringify(messagesRequest);
    using raw = await openRaw(
      gateway.port,
      rawRequest("POST /up/v1/messages HTTP/1.1", [
        "expect: 100-continue",
        "content-type: application/json",
        `content-length: ${body.length}`,
      ]),
    );
    await expect.poll(raw.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    raw.socket.write(body);
    await expect.poll(raw.text).toMatch(/message_stop/);
  });
  test("for a reply that was written in the background has no body", async () => {
    await using upstream = await openUpstream((response) =>
      response.writeHead(200, { "content-type": "application/json" }).end('{"status":"queued"}'),
    );
    await using gateway = await openFront(upstream);
    const reply = await fetch(`${gateway.url}/up/v1/responses/resp_1`);
    expect([reply.status, await reply.text()]).toEqual([200, '{"status":"queued"}']);
  });
});

describe("the same connection", () => {
  test("serves several requests, one after a body that was not read", async () => {
    await using upstream = await openUpstream(stream(finished));
    await using gateway = await openFront(upstream);
    const body = JSON.stringify(messagesRequest);
    const post = (path: string, close = "keep-alive"): string =>
      rawRequest(
        `POST ${path} HTTP/1.1`,
        [
          `connection: ${close}`,
          "content-type: application/json",
          `content-length: ${body.length}`,
        ],
        body,
      );
    using raw = await openRaw(gateway.port, post("/nothing/here") + post("/up/v1/messages"));
    await expect.poll(raw.text).toMatch(/message_stop"\}\n\n\r\n0\r\n/);
    raw.socket.write(post("/up/v1/messages", "close"));
    await expect.poll(raw.end).toBe("ended");
    expect(raw.text().match(/HTTP\/1\.1 \d+/g)).toEqual([
      "HTTP/1.1 404",
      "HTTP/1.1 200",
      "HTTP/1.1 200",
    ]);
    expect(upstream.connections.opened).toBe(1);
  });
  test("takes all of a body whose request was answered before its end", async () => {
    await using upstream = await openUpstream(stream(finished));
    const limits = { maxBody: 1000, idleSeconds: 2000 };
    await using gateway = await openFront(upstream, { limits });
    const upload = rawRequest("POST /up/v1/files HTTP/1.1", ["transfer-encoding: chunked"]);
    using raw = await openRaw(gateway.port, upload);
    const chunk = `100000\r\n${"a".repeat(0x100000)}\r\n`;
    for (let sent = 0; sent < 20; sent++) raw.socket.write(chunk);
    raw.socket.write(`0\r\n\r\n${rawRequest("GET /healthz HTTP/1.1")}`);
    await expect.poll(() => raw.end() ?? /200 OK/.test(raw.text())).not.toBe(false);
    expect(raw.text().match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"]);
  });
});

describe("the gateway itself answers", () => {
  test("a path without a route with 404 and the routes", async () => {
    await using upstream = await openUpstream(stream(finished));
    await using gateway = await openFront(upstream);
    const reply = await fetch(`${gateway.url}/nowhere/v1/messages`, { method: "POST" });
    expect(reply.status).toBe(404);
    expect(await reply.json()).toMatchObject({
      routes: ["up", "other"],
      error: { message: expect.stringMatching(/\/up\/, \/other\//) },
    });
  });
  test("a path without the name, if there is one route", async () => {
    await using upstream = await openUpstream((response) => response.end("{}"));
    await using gateway = await openGateway({ routes: { up: { url: upstream.url } } });
    await fetch(`${gateway.url}/v1/models?a=1`);
    await fetch(`${gateway.url}/up/v1/models`);
    expect(upstream.received.map(({ url }) => url)).toEqual(["/v1/models?a=1", "/v1/models"]);
  });
  test.each(["/up/v1/responses", "/nowhere"])("a WebSocket on %s with 426", async (path) => {
    await using upstream = await openUpstream(stream(finished));
    await using gateway = await openFront(upstream);
    using raw = await openRaw(
      gateway.port,
      rawRequest(`GET ${path} HTTP/1.1`, ["connection: Upgrade", "upgrade: websocket"]),
    );
    await expect.poll(raw.text).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n[\s\S]*WebSockets/);
    expect(upstream.received).toHaveLength(0);
  });
  test.each([
    ["CONNECT api.openai.com:443 HTTP/1.1", "405 Method Not Allowed"],
    ["GET http://127.0.0.1:1/up/x HTTP/1.1", "400 Bad Request"],
    ["OPTIONS * HTTP/1.1", "400 Bad Request"],
  ])("%s with %s", async (line, status) => {
    await using upstream = await openUpstream(stream(finished));
    await using gateway = await openFront(upstream);
    using raw = await openRaw(gateway.port, rawRequest(line, ["connection: close"]));
    await expect.poll(raw.end).toBe("ended");
    expect(raw.text()).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\\r\\n[\\s\\S]*"message":`));
    expect(upstream.received).toHaveLength(0);
  });
  test("its own paths, and only to GET and HEAD", async () => {
    await using upstream = await openUpstream(stream(finished));
    await using gateway = await openFront(upstream, { isDraining: () => true });
    const status = async (path: string, method = "GET"): Promise<number> =>
      (await fetch(`${gateway.url}${path}`, { method })).status;
    expect(await status("/healthz")).toBe(200);
    expect(await status("/healthz", "HEAD")).toBe(200);
    expect(await status("/readyz")).toBe(503);
    expect(await status("/readyz", "POST")).toBe(405);
    expect(await status("/metrics")).toBe(404);
    expect(await status("/up/v1/models")).toBe(503);
  });
});

describe("a reply", () => {
  test("keeps its status, its headers and each cookie, but not those of its connection", async () => {
    await using upstream = await openUpstream((response) =>
      response
        .writeHead(429, "Slow Down", {
          "set-cookie": ["a=1", "b=2"],
          "retry-after": "7",
          connection: "x-mine",
          "x-mine": "1",
        })
        .end('{"error":{"message":"slow"}}'),
    );
    await using gateway = await openFront(upstream);
    const reply = await ask(gateway.url);
    expect([reply.status, reply.statusText]).toEqual([429, "Slow Down"]);
    expect(reply.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(reply.headers.get("retry-after")).toBe("7");
    expect(reply.headers.get("x-mine")).toBeNull();
    expect(await reply.text()).toBe('{"error":{"message":"slow"}}');
  });
  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
  ])("with the encoding %s arrives decoded, guarded or not", async (encoding, compress) => {
    await using upstream = await openUpstream((response, { url }) => {
      const body = compress(finished);
      const length = url.endsWith("models") ? { "content-length": body.length } : {};
      response.writeHead(200, { ...sse, "content-encoding": encoding, ...length }).end(body);
    });
    await using gateway = await openFront(upstream);
    const guarded = await ask(gateway.url);
    const other = await fetch(`${gateway.url}/up/v1/models`);
    for (const reply of [guarded, other]) {
      expect(reply.headers.get("content-encoding")).toBeNull();
      expect(await reply.text()).toBe(finished);
    }
  });
  test("with a length keeps it if the guard does not read the reply", async () => {
    await using upstream = await openUpstream((response) =>
      response.writeHead(200, { "content-length": 5 }).end("12345"),
    );
    await using gateway = await openFront(upstream);
    const reply = await fetch(`${gateway.url}/up/v1/models`);
    expect([reply.headers.get("content-length"), await reply.text()]).toEqual(["5", "12345"]);
    const head = await fetch(`${gateway.url}/up/v1/models`, { method: "HEAD" });
    expect([head.headers.get("content-length"), await head.text()]).toEqual(["5", ""]);
  });
  test("of 204 has no body", async () => {
    await using upstream = await openUpstream((response) => response.writeHead(204).end());
    await using gateway = await openFront(upstream);
    const reply = await fetch(`${gateway.url}/up/v1/files/1`, { method: "DELETE" });
    expect([reply.status, await reply.text()]).toEqual([204, ""]);
  });
});
