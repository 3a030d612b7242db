import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { startGateway } from "./command.ts";
import { openRaw, rawRequest } from "./raw.ts";
import { ask, longReply, messagesRequest, replies, sse, stream } from "./replies.ts";
import { openUpstream, type Upstream } from "./servers.ts";
import { peakOf } from "./usage.ts";

// Each limit at its default, and what the process needs there: the figures of the README. Limits of
// time are set to one second. held.program.test.ts has `--max-held-total`, and load.program.test.ts
// `--max-active`.

const mebi = 1024 * 1024;
const { finished } = replies.anthropic;

const say = (figure: string): void => void process.stdout.write(`${figure}\n`);

async function open(upstream: Upstream, ...options: readonly string[]) {
  const gateway = await startGateway([`--to=up=${upstream.url}`, ...options]);
  return { gateway, port: Number(new URL(gateway.url).port), idle: peakOf(gateway) };
}
const bodyOf = (length: number): Uint8Array<ArrayBuffer> => {
  const empty = JSON.stringify({ ...messagesRequest, system: "" });
  const system = "x".repeat(length - empty.length);
  return new TextEncoder().encode(JSON.stringify({ ...messagesRequest, system }));
};

describe.skipIf(process.platform !== "linux")("the process at a limit of size", () => {
  test("--max-body", async () => {
    await using upstream = await openUpstream(stream(finished));
    const { gateway, idle } = await open(upstream);
    using _ = gateway;
    const most = await ask(gateway.url, { body: bodyOf(100 * mebi) });
    expect([most.status, await most.text()]).toEqual([200, finished]);
    say(`--max-body: ${idle} MiB, then ${peakOf(gateway)} MiB for a body of 100 MiB`);
    const more = await ask(gateway.url, { body: bodyOf(100 * mebi + 1) });
    expect(more.status).toBe(413);
    expect(peakOf(gateway)).toBeLessThan(1024);
  });
  test("--max-decoded", async () => {
    await using upstream = await openUpstream(stream(finished));
    const { gateway, idle } = await open(upstream);
    using _ = gateway;
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const askWith = (length: number): Promise<Response> =>
      ask(gateway.url, { headers, body: new Uint8Array(gzipSync(bodyOf(length))) });
    const most = await askWith(64 * mebi);
    expect([most.status, await most.text()]).toEqual([200, finished]);
    say(`--max-decoded: ${idle} MiB, then ${peakOf(gateway)} MiB for 64 MiB`);
    expect((await askWith(64 * mebi + 1)).status).toBe(413);
    expect(peakOf(gateway)).toBeLessThan(1024);
  });
  test("--max-held", async () => {
    const reply = longReply(61 * mebi);
    let sent = reply;
    await using upstream = await openUpstream((response) => response.writeHead(200, sse).end(sent));
    const { gateway, idle } = await open(upstream);
    using _ = gateway;
    expect((await (await ask(gateway.url)).text()) === reply).toBe(true);
    const held = Math.round(reply.length / mebi);
    say(`--max-held: ${idle} MiB, then ${peakOf(gateway)} MiB for ${held} MiB held of one reply`);
    sent = longReply(64 * mebi);
    const more = await ask(gateway.url);
    await expect(more.text()).rejects.toThrow(/terminated/);
    await expect.poll(() => gateway.lines("reply").at(-1)).toMatchObject({ error: "too-large" });
    expect(peakOf(gateway)).toBeLessThan(1024);
  });
  test("--max-connections", { timeout: 600_000 }, async () => {
    await using upstream = await openUpstream(stream(finished));
    const { gateway, port, idle } = await open(upstream, "--head-seconds=3600");
    using _ = gateway;
    using stack = new DisposableStack();
    for (let count = 0; count < 40; count++)
      for (const raw of await Promise.all(Array.from({ length: 100 }, () => openRaw(port))))
        stack.use(raw);
    const more = stack.use(await openRaw(port));
    await expect.poll(more.end).toBeDefined();
    say(`--max-connections: ${idle} MiB, then ${peakOf(gateway)} MiB for 4,000 connections`);
    expect(peakOf(gateway)).toBeLessThan(512);
  });
  test("--max-head", async () => {
    await using upstream = await openUpstream(stream(finished));
    const { gateway } = await open(upstream);
    using _ = gateway;
    const statusOf = async (length: number): Promise<number> =>
      (await fetch(`${gateway.url}/healthz`, { headers: { "x-long": "x".repeat(length) } })).status;
    expect(await statusOf(31 * 1024)).toBe(200);
    expect(await statusOf(33 * 1024)).toBe(431);
  });
});

describe("the process at a limit of time of one second", () => {
  const body = JSON.stringify(messagesRequest);
  const head = ["content-type: application/json", `content-length: ${body.length}`];
  test.each([
    ["--head-seconds", "POST /up/v1/messages HTTP/1.1\r\nhost: localhost\r\n", /^HTTP\/1.1 408/],
    [
      "--body-seconds",
      rawRequest("POST /up/v1/messages HTTP/1.1", head, body.slice(0, 9)),
      /^HTTP\/1.1 408/,
    ],
    ["--idle-seconds", rawRequest("GET /healthz HTTP/1.1"), /^HTTP\/1.1 200/],
    [
      "--silence",
      rawRequest("POST /up/v1/embeddings HTTP/1.1", [...head, "connection: close"], body),
      /^HTTP\/1.1 502/,
    ],
  ])("%s", async (option, bytes, expected) => {
    await using upstream = await openUpstream(() => undefined);
    const { gateway, port } = await open(upstream, `${option}=1`, "--head-seconds=1");
    using _ = gateway;
    const began = performance.now();
    using raw = await openRaw(port, bytes);
    await expect.poll(raw.end, { interval: 10 }).toBeDefined();
    const seconds = (performance.now() - began) / 1000;
    expect(raw.text()).toMatch(expected);
    expect(seconds).toBeGreaterThan(0.9);
    say(`${option}=1: the connection was closed after ${seconds.toFixed(1)} s`);
  });
});
