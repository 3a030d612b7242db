import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { startGateway } from "./command.ts";
import { openRaw, rawRequest } from "./raw.ts";
import { ask, breakAfter, brokenCall, messagesRequest, replies, sse, stream } from "./replies.ts";
import { openFront, openGateway, openUpstream } from "./servers.ts";

const { finished, text, broken } = replies.anthropic;
const body = JSON.stringify(messagesRequest);
const rawAsk = (version = "1.1"): string =>
  rawRequest(
    `POST /up/v1/messages HTTP/${version}`,
    ["content-type: application/json", `content-length: ${body.length}`],
    body,
  );

describe("an upstream that breaks", () => {
  test.each(["reset", "fin"] as const)(
    "behind text: the event arrives before the connection breaks (%s)",
    async (how) => {
      await using upstream = await openUpstream(breakAfter(broken, how));
      await using gateway = await openFront(upstream);
      using raw = await openRaw(gateway.port, rawAsk());
      await expect.poll(raw.end).toBeDefined();
      expect(raw.text()).toContain('"type":"error"');
      expect(raw.text()).not.toContain("tool_use");
      // The last chunk of length 0 would say that the reply is complete.
      expect(raw.text()).not.toMatch(/\r\n0\r\n/);
      expect(gateway.answers).toMatchObject([{ end: "broken", status: 200 }]);
    },
  );
  test("behind text: the client has 50 ms to read the event", async () => {
    await using upstream = await openUpstream(breakAfter(broken, "reset"));
    let decided = Number.POSITIVE_INFINITY;
    await using gateway = await openFront(upstream, {
      onReply: () => {
        decided = performance.now();
      },
    });
    using raw = await openRaw(gateway.port, rawAsk());
    await once(raw.socket, "close");
    // A busy machine makes it longer, never shorter.
    expect(performance.now() - decided).toBeGreaterThan(45);
  });
  test("behind text, for a client of HTTP/1.0: the connection is reset", async () => {
    await using upstream = await openUpstream(breakAfter(broken, "reset"));
    await using gateway = await openFront(upstream);
    using raw = await openRaw(gateway.port, rawAsk("1.0"));
    await expect.poll(raw.end).toBe("reset");
    expect(raw.text()).toContain('"type":"error"');
  });
  test("before text: status 502, and the client may ask again", async () => {
    await using upstream = await openUpstream(breakAfter(brokenCall, "reset"));
    await using gateway = await openFront(upstream);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      const reply = await ask(gateway.url);
      statuses.push(reply.status);
      expect(await reply.json()).toMatchObject({ type: "error" });
    }
    expect(statuses).toEqual([502, 502, 400]);
  });
  test("outside of the guard: the connection to the client breaks too", async () => {
    await using upstream = await openUpstream((response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("half", () => setTimeout(() => response.destroy(), 20));
    });
    await using gateway = await openFront(upstream);
    const reply = await fetch(`${gateway.url}/up/v1/files/1/content`);
    await expect(reply.text()).rejects.toThrow(/terminated/);
    expect(gateway.answers).toMatchObject([{ end: "broken" }]);
  });
  test("without a byte of its body: the head arrives, and the connection breaks", async () => {
    await using upstream = await openUpstream((response) => {
      response.writeHead(200).flushHeaders();
      setTimeout(() => response.destroy(), 20);
    });
    await using gateway = await openFront(upstream);
    const reply = await fetch(`${gateway.url}/up/v1/files/1/content`);
    await expect(reply.text()).rejects.toThrow(/terminated/);
  });
});

async function closedUpstream(): Promise<{ readonly url: string }> {
  await using upstream = await openUpstream((response) => response.end());
  return upstream;
}

describe("an upstream that cannot be reached", () => {
  test.each([
    ["/up/v1/messages", { type: "error", error: { type: "api_error" } }],
    ["/up/v1/chat/completions", { error: { message: expect.any(String) } }],
    ["/up/v1beta/models/gemini:generateContent", { error: { code: 502 } }],
    ["/up/v1/embeddings", { error: { type: "upstream_unreachable" } }],
  ])("gives 502 in the form of its protocol: %s", async (path, expected) => {
    const codes: string[] = [];
    const { url } = await closedUpstream();
    await using gateway = await openGateway({
      routes: { up: { url } },
      onUnreachable: (route, code) => void codes.push(`${route} ${code}`),
    });
    const reply = await ask(gateway.url, { path });
    expect(reply.status).toBe(502);
    const answer = await reply.json();
    expect(answer).toMatchObject(expected);
    expect(answer.error.message).toContain(`no reply from ${url} (ECONNREFUSED)`);
    expect(codes).toEqual(["up ECONNREFUSED"]);
  });
});

test("a port that no fetch may use is named as the reason", async () => {
  await using gateway = await openGateway({
    routes: { up: { url: "http://127.0.0.1:1" } },
    fetch: globalThis.fetch,
  });
  const reply = await ask(gateway.url);
  expect((await reply.json()).error.message).toContain("forbids this port");
});

describe("an upstream that is silent", () => {
  test("gets a client that waits, with signs of life while a call is held", async () => {
    let finish = (): void => undefined;
    await using upstream = await openUpstream((response) => {
      response.writeHead(200, sse).write(broken);
      finish = () => void response.end(finished.slice(broken.length));
    });
    await using gateway = await openFront(upstream, { guard: { keepAliveMs: 20 } });
    using raw = await openRaw(gateway.port, rawAsk());
    await expect.poll(raw.text).toMatch(/event: ping[\s\S]*event: ping/);
    expect(raw.text()).not.toContain("tool_use");
    finish();
    await expect.poll(raw.text).toMatch(/tool_use[\s\S]*message_stop/);
  });
});

test("an upstream that is silent for longer than --silence ends as an error", async () => {
  await using upstream = await openUpstream((response, { url }) => {
    if (url.endsWith("messages")) response.writeHead(200, sse).write(text);
  });
  using gateway = await startGateway([`--to=up=${upstream.url}`, "--silence=1"]);
  const [behindText, beforeHead] = await Promise.all([
    ask(gateway.url).then((reply) => reply.text().catch(({ message }) => message)),
    ask(gateway.url, { path: "/up/v1/embeddings" }),
  ]);
  expect(behindText).toBe("terminated");
  expect(beforeHead.status).toBe(502);
  expect(await beforeHead.text()).toContain("UND_ERR_HEADERS_TIMEOUT");
  expect(gateway.lines("reply")).toMatchObject([{ stopReason: "interrupted", action: "failed" }]);
});

describe("a client that goes away", () => {
  test.each([
    ["before the head", ""],
    ["behind text", text],
    ["while a call is held", broken],
  ])("%s ends the request to the upstream", async (_, sent) => {
    await using upstream = await openUpstream((response) => {
      if (sent !== "") response.writeHead(200, sse).write(sent);
    });
    await using gateway = await openFront(upstream);
    using raw = await openRaw(gateway.port, rawAsk());
    if (sent === "") await expect.poll(() => upstream.received.length).toBe(1);
    else await expect.poll(raw.text).toContain("Writing.");
    raw.socket.destroy();
    await expect.poll(upstream.lost).toBe(1);
    await expect.poll(() => gateway.answers).toMatchObject([{ end: "client-gone" }]);
    expect(gateway.server.active()).toBe(0);
  });
  test("while it sends its body leaves nothing behind", async () => {
    await using upstream = await openUpstream(stream(finished));
    await using gateway = await openFront(upstream);
    using raw = await openRaw(gateway.port, rawAsk().slice(0, -20));
    await expect.poll(gateway.server.active).toBe(1);
    raw.socket.destroy();
    await expect.poll(gateway.server.active).toBe(0);
    expect(upstream.received).toHaveLength(0);
  });
});

describe("a slow client", () => {
  test.each(["/up/v1/files/1/content", "/up/v1/messages"])(
    "slows its upstream: %s",
    async (path) => {
      const delta = `event: content_block_delta\ndata: ${JSON.stringify({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "x".repeat(64_000) } })}\n\n`;
      const most = 4000;
      let written = 0;
      await using upstream = await openUpstream((response) => {
        response.writeHead(200, sse).write(text.replace(/event: content_block_stop[\s\S]*/, ""));
        const write = (): void => {
          while (written++ < most) if (!response.write(delta)) return;
        };
        response.on("drain", write);
        write();
      });
      await using gateway = await openFront(upstream);
      using raw = await openRaw(gateway.port, rawAsk().replace("/up/v1/messages", path));
      raw.socket.pause();
      let before = -1;
      // Until the upstream has written nothing more for a while.
      await expect
        .poll(
          () => {
            const isStill = written > 0 && written === before;
            before = written;
            return isStill;
          },
          { interval: 300, timeout: 10_000 },
        )
        .toBe(true);
      expect(written).toBeLessThan(most / 4);
      raw.socket.destroy();
      await expect.poll(upstream.lost).toBe(1);
    },
  );
});
