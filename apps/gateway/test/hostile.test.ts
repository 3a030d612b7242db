import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import zlib, { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { openRaw, rawRequest } from "./raw.ts";
import { ask, breakAfter, brokenCall, cutReply, replies, sse, stream } from "./replies.ts";
import { openFront, openGateway, openUpstream } from "./servers.ts";

const { finished } = replies.anthropic;
const path = "/up/v1/messages";

describe("what a client writes does not end the gateway", () => {
  test.each([
    "TRACE / HTTP/1.1",
    "TRACE /up/v1/messages HTTP/1.1",
    "M-SEARCH /up/x HTTP/1.1",
    "SOURCE /up/x HTTP/1.1",
    "OPTIONS * HTTP/1.1",
    "GET http://user:password@elsewhere/ HTTP/1.1",
    "GET //elsewhere/up HTTP/1.1",
    "GET /%zz/\\..\\x HTTP/1.1",
    "GET /up/[::1 HTTP/1.1",
  ])("%s", async (line) => {
    let release = (): void => undefined;
    await using upstream = await openUpstream((response, { url }) => {
      if (url !== "/v1/messages") return void response.end("{}");
      response.writeHead(200, sse).write(replies.anthropic.text);
      release = () => void response.end(finished.slice(replies.anthropic.text.length));
    });
    await using gateway = await openFront(upstream);
    const running = await ask(gateway.url);
    using raw = await openRaw(gateway.port, rawRequest(line, ["connection: close"]));
    await expect.poll(raw.end).toBeDefined();
    expect(raw.text()).toMatch(/^HTTP\/1\.1 [2-5]\d\d /);
    release();
    expect(await running.text()).toBe(finished);
    expect(JSON.stringify(gateway.answers)).not.toContain("password");
  });
});

test("a model whose name in the path is not encoded as it must be is passed on", async () => {
  const { finished: reply } = replies.gemini;
  await using upstream = await openUpstream(stream(reply));
  await using gateway = await openFront(upstream);
  const model = "/v1beta/models/g%ZZ:streamGenerateContent?alt=sse";
  const body = JSON.stringify({ contents: [{ role: "user", parts: [{ text: "Write it." }] }] });
  const seen = await ask(gateway.url, { path: `/up${model}`, body });
  expect([seen.status, await seen.text()]).toEqual([200, reply]);
  expect(upstream.received).toMatchObject([{ url: model }]);
});

describe("a redirect", () => {
  test.each([
    ["/v1/messages/", "/up/v1/messages/"],
    ["http://UPSTREAM/v1/other?x=1", "/up/v1/other?x=1"],
  ])("to the upstream (%s) leads to the gateway, which guards it", async (location, expected) => {
    await using upstream = await openUpstream((response, { url }) => {
      if (url !== "/v1/messages") return stream(cutReply)(response);
      const { port } = new URL(upstream.url);
      const target = location.replace("UPSTREAM", `127.0.0.1:${port}`);
      return response.writeHead(307, { location: target }).end();
    });
    await using gateway = await openFront(upstream);
    const seen = await ask(gateway.url, { redirect: "manual" });
    expect([seen.status, seen.headers.get("location")]).toEqual([307, expected]);
  });
  test("is followed by clients through the guard", async () => {
    await using upstream = await openUpstream((response, { url }) =>
      url === "/base/v1/messages"
        ? response.writeHead(307, { location: `${upstream.url}/base/v1/messages/` }).end()
        : stream(cutReply)(response),
    );
    await using gateway = await openGateway({ routes: { up: { url: `${upstream.url}/base/` } } });
    const reply = await ask(gateway.url);
    expect(reply.url).toBe(`${gateway.url}/up/v1/messages/`);
    expect(await reply.text()).not.toContain("tool_use");
    expect(upstream.received).toHaveLength(2);
  });
  test.each([
    ["a guarded request to another host", "POST", path, "https://elsewhere.example/v1"],
    ["a GET to the same host with https", "GET", "/up/v1/models", "https://127.0.0.1/v1/models"],
    ["an upload to another host", "PUT", "/up/v1/files", "https://elsewhere.example/"],
    ["an address that is not a URL", "GET", "/up/v1/models", "http://["],
  ])("of %s is refused", async (_, method, from, location) => {
    await using upstream = await openUpstream((response) =>
      response.writeHead(307, { location }).end(),
    );
    const codes: string[] = [];
    await using gateway = await openFront(upstream, {
      onUnreachable: (_route, code) => void codes.push(code),
    });
    const body = method === "GET" ? null : "{}";
    const reply = await ask(gateway.url, { path: from, method, body, redirect: "manual" });
    expect([reply.status, reply.headers.get("location")]).toEqual([502, null]);
    expect(await reply.json()).toMatchObject({
      error: { message: expect.stringMatching(/redirects to .*(?:--to up=|route "up")/) },
    });
    expect(codes).toEqual(["redirect"]);
  });
  test("of a download to another host is left to the client", async () => {
    const location = "https://files.example/signed?x=1";
    await using upstream = await openUpstream((response) =>
      response.writeHead(302, { location }).end(),
    );
    await using gateway = await openFront(upstream);
    const reply = await fetch(`${gateway.url}/up/v1/files/1/content`, { redirect: "manual" });
    expect([reply.status, reply.headers.get("location")]).toEqual([302, location]);
  });
});

describe("a compressed request", () => {
  const bomb = Buffer.alloc(4 * 1024 * 1024, " ");
  test.each([
    ["br", brotliCompressSync],
    ["gzip", gzipSync],
    ["zstd", zstdCompressSync],
  ])("(%s) that is too large when it is decoded gets 413", async (encoding, compress) => {
    await using upstream = await openUpstream(stream(finished));
    await using gateway = await openFront(upstream, { limits: { maxDecoded: 1024 * 1024 } });
    const reply = await ask(gateway.url, {
      headers: { "content-type": "application/json", "content-encoding": encoding },
      body: new Uint8Array(compress(bomb)),
    });
    expect([reply.status, await reply.text()]).toEqual([413, expect.stringMatching(/maxDecoded/)]);
    expect(upstream.received).toHaveLength(0);
  });
});

describe("a web page", () => {
  test.each([
    ["a name of its own", { host: "evil.example:4141" }],
    ["a foreign origin", { origin: "https://evil.example" }],
    ["an origin without a name", { origin: "null" }],
  ])("with %s is refused, also for figures", async (_, headers) => {
    await using upstream = await openUpstream(stream(finished));
    await using gateway = await openFront(upstream);
    for (const line of ["GET /metrics HTTP/1.1", `POST ${path} HTTP/1.1`]) {
      const given = Object.entries({ host: "localhost", ...headers });
      const lines = [line, ...given.map((pair) => pair.join(": ")), "connection: close"];
      using raw = await openRaw(gateway.port, `${lines.join("\r\n")}\r\n\r\n`);
      await expect.poll(raw.end).toBeDefined();
      expect(raw.text()).toMatch(/^HTTP\/1\.1 403 (?:.|\s)*--allow-host NAME/);
    }
    expect(upstream.received).toHaveLength(0);
  });
  test.each(["http://localhost:3000", "http://127.0.0.1", "http://[::1]:5173"])(
    "of this machine (%s) is answered",
    async (origin) => {
      await using upstream = await openUpstream((response) => response.end("{}"));
      await using gateway = await openFront(upstream);
      const reply = await fetch(`${gateway.url}/up/v1/models`, { headers: { origin } });
      expect(reply.status).toBe(200);
    },
  );
});

describe("an upstream", () => {
  test("with a status that HTTP does not have gets 502", async () => {
    await using upstream = await openUpstream((response) => response.writeHead(799).end("x"));
    await using gateway = await openFront(upstream);
    const reply = await ask(gateway.url);
    expect([reply.status, await reply.text()]).toEqual([502, expect.stringMatching(/status 799/)]);
  });
  test.each([200, 404])("with a reason phrase in other characters (%d)", async (status) => {
    await using upstream = await openUpstream((response) =>
      response.writeHead(status, "Schön", sse).end(finished),
    );
    await using gateway = await openFront(upstream);
    const reply = await ask(gateway.url);
    expect([reply.status, await reply.text()]).toEqual([status, finished]);
  });
  test("that compresses with zstd is read", async () => {
    await using upstream = await openUpstream((response) =>
      response.writeHead(200, { "content-encoding": "zstd" }).end(zstdCompressSync("{}")),
    );
    await using gateway = await openFront(upstream);
    const reply = await fetch(`${gateway.url}/up/v1/models`);
    expect([reply.headers.get("content-encoding"), await reply.text()]).toEqual([null, "{}"]);
  });
  test("that compresses with zstd is named as the reason on a Node without it", async () => {
    const name = "createZstdDecompress";
    const known = Object.getOwnPropertyDescriptor(zlib, name) ?? {};
    onTestFinished(() => void Object.defineProperty(zlib, name, known));
    Object.defineProperty(zlib, name, { value: undefined });
    await using upstream = await openUpstream((response) =>
      response.writeHead(200, { "content-encoding": "zstd" }).end(zstdCompressSync("{}")),
    );
    await using gateway = await openFront(upstream);
    const reply = await ask(gateway.url);
    expect([reply.status, await reply.text()]).toEqual([
      502,
      expect.stringMatching(/zstd.*22\.15/),
    ]);
  });
  const models = (gateway: { readonly url: string }): string => `${gateway.url}/up/v1/models`;
  test.each([
    ["that names six encodings", { "content-encoding": "gzip, gzip, gzip, gzip, gzip, gzip" }],
    ["whose body is not of its encoding", { "content-encoding": "gzip" }],
  ])("%s gives a broken reply, and the next one is whole", async (_, headers) => {
    await using upstream = await openUpstream((response) =>
      response.writeHead(200, upstream.received.length === 1 ? headers : {}).end("{}"),
    );
    await using gateway = await openFront(upstream);
    const broken = fetch(models(gateway)).then((reply) => reply.text());
    await expect(broken).rejects.toThrow();
    expect(await (await fetch(models(gateway))).text()).toBe("{}");
  });
  test("with an encoding that the gateway did not ask for is passed on as it came", async () => {
    await using upstream = await openUpstream((response) =>
      response.writeHead(200, { "content-encoding": "snappy" }).end("{}"),
    );
    await using gateway = await openFront(upstream);
    const reply = await fetch(models(gateway));
    expect([reply.headers.get("content-encoding"), await reply.text()]).toEqual(["snappy", "{}"]);
  });
  test("that breaks a reply which a client does not read ends nothing", async () => {
    await using upstream = await openUpstream((response, { url }) => {
      response.writeHead(url.endsWith("799") ? 799 : 200).write("x");
      setImmediate(() => response.destroy());
    });
    await using gateway = await openFront(upstream);
    expect((await fetch(`${models(gateway)}/799`)).status).toBe(502);
    await (await fetch(models(gateway))).body?.cancel();
    await expect.poll(upstream.lost).toBe(2);
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  });
  test("that comes before the end of its request does not delay the next request", async () => {
    const lengths: string[] = [];
    const early = createServer((socket) => {
      socket
        .on("error", () => undefined)
        .once("data", (head: Buffer) => {
          const [, length = "none"] = /content-length: (\d+)/i.exec(head.toString("latin1")) ?? [];
          lengths.push(length);
          const status = lengths.length === 1 ? "413 Too Large" : "200 OK";
          socket.pause().write(`HTTP/1.1 ${status}\r\ncontent-length: 2\r\n\r\n{}`);
        });
    });
    await once(early.listen(0, "127.0.0.1"), "listening");
    const { port } = early.address() as AddressInfo;
    await using gateway = await openFront({ url: `http://127.0.0.1:${port}` });
    const large = " ".repeat(8 * 1024 * 1024);
    const upload = { body: new Blob([large]).stream(), duplex: "half" };
    const first = await ask(gateway.url, upload);
    expect([first.status, await first.text()]).toEqual([413, "{}"]);
    expect((await fetch(models(gateway))).status).toBe(200);
    expect(lengths).toEqual([String(large.length), "none"]);
    early.close();
  });
  test("keeps its connection behind replies without a body", async () => {
    await using upstream = await openUpstream((response) => response.writeHead(204).end());
    await using gateway = await openFront(upstream);
    for (let count = 0; count < 3; count++)
      expect((await fetch(models(gateway), { method: "DELETE" })).status).toBe(204);
    expect(upstream.connections.opened).toBe(1);
  });
});

describe("blank lines before a JSON body", () => {
  const call = { type: "tool_use", id: "toolu_1", name: "write_file", input: { path: "a.txt" } };
  const message = (reason: string): string =>
    JSON.stringify({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-sonnet-5-5",
      content: [{ type: "text", text: "Writing." }, call],
      stop_reason: reason,
      stop_sequence: null,
      usage: { input_tokens: 12, output_tokens: reason === "max_tokens" ? 1024 : 40 },
    });
  /** An upstream that sends blank lines, and the rest when the client has some of them. */
  async function askWithBlanks(rest: string | undefined): Promise<[blanks: string, rest: string]> {
    let finish = (): void => undefined;
    await using upstream = await openUpstream((response) => {
      response.writeHead(200, { "content-type": "application/json" }).write("\n\n");
      finish = () => void (rest === undefined ? response.destroy() : response.end(rest));
    });
    await using gateway = await openFront(upstream, { guard: { keepAliveMs: 20 } });
    const { body } = await ask(gateway.url);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    const blanks = (await reader?.read())?.value ?? "";
    finish();
    let seen = "";
    for (let step = await reader?.read(); step?.done === false; step = await reader?.read())
      seen += step.value;
    return [blanks, seen];
  }
  test("go out when the reply is silent, and a finished body follows as it came", async () => {
    expect(await askWithBlanks(message("tool_use"))).toEqual(["\n\n", message("tool_use")]);
  });
  test("go out before a body whose calls are withheld", async () => {
    const [blanks, rest] = await askWithBlanks(message("max_tokens"));
    expect(blanks).toBe("\n\n");
    expect(JSON.parse(rest)).toMatchObject({ stop_reason: "max_tokens" });
    expect(rest).not.toContain("toolu_1");
  });
  test.each([
    ["breaks", undefined],
    ["is cut", message("tool_use").slice(0, -30)],
  ])("go out, and the connection breaks if the body %s", async (_, rest) => {
    await expect(askWithBlanks(rest)).rejects.toThrow(/terminated/);
  });
});

describe("equal requests", () => {
  const statusesOf = async (url: string, keys: readonly string[]): Promise<number[]> => {
    const replies = await Promise.all(
      keys.map((key) =>
        ask(url, { headers: { "content-type": "application/json", "x-api-key": key } }),
      ),
    );
    return replies.map(({ status }) => status);
  };
  test("of several clients, or sent beside each other, may all be repeated", async () => {
    await using upstream = await openUpstream(breakAfter(brokenCall, "fin"));
    await using gateway = await openFront(upstream);
    const keys = ["a", "b", "c", "d", "e"];
    for (const key of keys) expect(await statusesOf(gateway.url, [key])).toEqual([502]);
    const same = ["f", "f", "f", "f", "f"];
    expect(await statusesOf(gateway.url, same)).toEqual([502, 502, 502, 502, 502]);
    expect(await statusesOf(gateway.url, ["f"])).toEqual([502]);
    expect(await statusesOf(gateway.url, ["f"])).toEqual([400]);
  });
});
