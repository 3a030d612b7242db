import { ConfigurationError, createGateway, type Limits } from "@fullstop/gateway";
import { describe, expect, test } from "vitest";
import { openRaw, rawRequest } from "./raw.ts";
import { ask, brokenCall, longReply, messagesRequest, replies, sse, stream } from "./replies.ts";
import { openFront, openUpstream } from "./servers.ts";

const { finished, text, broken } = replies.anthropic;
const late = /^HTTP\S+ 408 .*did not arrive in time/s;
const retry = /Send the request again in a moment/;

/** An upstream whose replies go on until `end` is called. */
async function openSlowUpstream(begun: string) {
  const ends: (() => void)[] = [];
  const upstream = await openUpstream((response) => {
    response.writeHead(200, sse).write(begun);
    ends.push(() => response.end(finished.slice(begun.length)));
  });
  const end = (): void => {
    for (const one of ends.splice(0)) one();
  };
  return { upstream, end };
}

async function textUpToBreak({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let seen = "";
  try {
    for await (const bytes of body ?? []) seen += decoder.decode(bytes, { stream: true });
  } catch {
    // The connection broke behind an error event.
  }
  return seen;
}

test("beyond `maxActive` a request gets 503, and those that run end whole", async () => {
  const { upstream, end } = await openSlowUpstream(text);
  await using _ = upstream;
  await using gateway = await openFront(upstream, { limits: { maxActive: 2 } });
  const running = await Promise.all([ask(gateway.url), ask(gateway.url)]);
  const refused = await ask(gateway.url);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect((await refused.json()).error.message).toMatch(retry);
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  end();
  for (const reply of running) expect(await reply.text()).toBe(finished);
  const next = ask(gateway.url);
  await expect.poll(() => upstream.received.length).toBe(3);
  await expect.poll(gateway.server.active).toBe(1);
  end();
  expect(await (await next).text()).toBe(finished);
});

describe("beyond `maxHeldTotal`", () => {
  const large = JSON.stringify({ ...messagesRequest, system: "x".repeat(10_000) });
  test("the body of a request gets 503, and is taken when the others have ended", async () => {
    const { upstream, end } = await openSlowUpstream(broken);
    await using _ = upstream;
    await using gateway = await openFront(upstream, { limits: { maxHeldTotal: 15_000 } });
    const running = ask(gateway.url, { body: large });
    await expect.poll(() => upstream.received.length).toBe(1);
    for (const path of ["/up/v1/messages", "/other/v1/messages", "/up/v2/unknown"]) {
      const refused = await ask(gateway.url, { body: large, path });
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
      expect((await refused.json()).error.message).toMatch(retry);
    }
    end();
    expect(await (await running).text()).toBe(finished);
    const next = ask(gateway.url, { body: large });
    await expect.poll(() => upstream.received.length).toBe(2);
    end();
    expect(await (await next).text()).toBe(finished);
  });
  test.each([
    ["a status before text", brokenCall],
    ["an error event behind text", broken],
  ])("a reply ends with %s, as often as it is sent", async (_, begun) => {
    const rest = longReply(100_000).slice(text.length);
    const ends: ((bytes: string) => void)[] = [];
    await using upstream = await openUpstream((response) => {
      response.writeHead(200, sse).write(ends.length === 0 ? broken : begun);
      ends.push((bytes) => response.end(bytes));
    });
    const statuses: number[] = [];
    await using gateway = await openFront(upstream, {
      limits: { maxHeldTotal: 50_000 },
      onReply: (_route, { action, status }) => void (action === "failed" && statuses.push(status)),
    });
    const running = ask(gateway.url);
    await running;
    for (let attempt = 1; attempt <= 4; attempt++) {
      const asked = ask(gateway.url);
      await expect.poll(() => ends.length).toBe(attempt + 1);
      if (begun === broken) expect((await asked).status).toBe(200);
      ends[attempt]?.(rest);
      const refused = await asked;
      if (begun === brokenCall) expect(refused.headers.get("retry-after")).toBe("1");
      const seen = await textUpToBreak(refused);
      expect(seen).toMatch(retry);
      expect(seen).not.toContain("tool_use");
    }
    expect(statuses).toEqual(Array.from({ length: 4 }, () => (begun === brokenCall ? 503 : 200)));
    ends[0]?.(finished.slice(broken.length));
    expect(await (await running).text()).toMatch(/message_stop/);
  });
  test("a reply that runs alone is whole", async () => {
    const long = longReply(100_000);
    await using upstream = await openUpstream(stream(long));
    await using gateway = await openFront(upstream, { limits: { maxHeldTotal: 50_000 } });
    for (let at = 0; at < 3; at++) expect(await (await ask(gateway.url)).text()).toBe(long);
  });
  test("text that goes out at once is not held", async () => {
    const { upstream, end } = await openSlowUpstream(text);
    await using _ = upstream;
    await using gateway = await openFront(upstream, { limits: { maxHeldTotal: 2000 } });
    const opened = await Promise.all(Array.from({ length: 5 }, () => ask(gateway.url)));
    end();
    for (const reply of opened) expect(await reply.text()).toBe(finished);
  });
  test("nothing is held for clients that went away", async () => {
    const { upstream, end } = await openSlowUpstream(broken);
    await using _ = upstream;
    await using gateway = await openFront(upstream, { limits: { maxHeldTotal: 15_000 } });
    const leave = new AbortController();
    const gone = ask(gateway.url, { body: large, signal: leave.signal });
    await (await gone).body?.getReader().read();
    leave.abort();
    await expect.poll(gateway.server.active).toBe(0);
    const next = ask(gateway.url, { body: large });
    await expect.poll(() => upstream.received.length).toBe(2);
    end();
    expect(await (await next).text()).toBe(finished);
  });
});

describe("a connection", () => {
  test("beyond `maxConnections` is closed", async () => {
    await using upstream = await openUpstream((response) => response.end("{}"));
    await using gateway = await openFront(upstream, { limits: { maxConnections: 1 } });
    using first = await openRaw(gateway.port);
    using second = await openRaw(gateway.port, rawRequest("GET /healthz HTTP/1.1"));
    await expect.poll(second.end).toBeDefined();
    expect(second.text()).toBe("");
    first.socket.write(rawRequest("GET /healthz HTTP/1.1"));
    await expect.poll(first.text).toMatch(/^HTTP\/1\.1 200 /);
  });
  test.each([
    [
      "maxHead",
      1000,
      rawRequest("GET / HTTP/1.1", [`x-long: ${"x".repeat(2000)}`]),
      /^HTTP\S+ 431 .*raise `--max-head`/s,
    ],
    ["headSeconds", 50, "GET / HTTP/1.1\r\nhost: localhost\r\n", late],
    ["headSeconds", 50, "", late],
    ["bodySeconds", 50, rawRequest("POST /up/x HTTP/1.1", ["content-length: 9"]), late],
    ["idleSeconds", 50, rawRequest("GET /healthz HTTP/1.1"), /^HTTP\S+ 200 /],
  ])("beyond `%s` ends", async (name, value, bytes, expected) => {
    await using upstream = await openUpstream((response) => response.end("{}"));
    const limits = { headSeconds: 50, bodySeconds: 50, [name]: value };
    await using gateway = await openFront(upstream, { limits });
    using raw = await openRaw(gateway.port, bytes);
    await expect.poll(raw.end).toBeDefined();
    expect(raw.text()).toMatch(expected);
  });
  test("that sent its head while the process was busy for longer gets its answer", async () => {
    await using upstream = await openUpstream((response) => response.end("{}"));
    await using gateway = await openFront(upstream, { limits: { headSeconds: 500 } });
    using raw = await openRaw(gateway.port);
    // The other connection is accepted later.
    await fetch(`${gateway.url}/healthz`);
    setImmediate(() => {
      raw.socket.write(rawRequest("GET /healthz HTTP/1.1"));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
    });
    await expect.poll(raw.text).toMatch(/^HTTP\/1\.1 /);
    expect(raw.text()).toMatch(/^HTTP\/1\.1 200 /);
  });
});

test.each([
  [{ maxBodies: 1 }, /"maxBodies" is not a limit.*maxBody/],
  [{ maxActive: 0 }, /maxActive must be a number of at least 1/],
  [{ silence: -1 }, /silence must be a number of at least 0/],
  [{ maxHead: Number.NaN }, /maxHead must be a number/],
])("limits that cannot work are refused: %o", (limits, sentence) => {
  const create = () =>
    createGateway({ routes: { up: { url: "http://x" } }, limits: limits as Partial<Limits> });
  expect(create).toThrow(ConfigurationError);
  expect(create).toThrow(sentence);
});
