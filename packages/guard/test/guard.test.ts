import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import Anthropic from "@anthropic-ai/sdk";
import { type GuardOptions, type GuardReport, guard, type UnguardedRequest } from "@fullstop/guard";
import { afterEach, describe, expect, test } from "vitest";
import { callBlock, messageEnd, messageStart, messagesRequest, textBlock } from "./messages.ts";
import {
  type Play,
  type PlayedReply,
  pausedUntil,
  readAll,
  startServer,
  type TestServer,
} from "./server.ts";

const open: TestServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});
async function serve(...replies: readonly PlayedReply[]): Promise<TestServer> {
  const play: Play = (_, index) => replies[Math.min(index, replies.length - 1)] as PlayedReply;
  const server = await startServer(play);
  open.push(server);
  return server;
}
const post = (
  { url }: TestServer,
  options: GuardOptions = {},
  init: RequestInit = {},
): Promise<Response> =>
  guard(fetch, options)(`${url}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(messagesRequest),
    ...init,
  });

const input = '{"path":"a.txt"}';
const finished =
  messageStart + textBlock(0, "Writing.") + callBlock(1, "toolu_1", input) + messageEnd("tool_use");
const cutCall =
  messageStart +
  textBlock(0, "Writing.") +
  callBlock(1, "toolu_1", '{"path":"a') +
  messageEnd("max_tokens", 1024);
const onlyCutCall =
  messageStart + callBlock(0, "toolu_1", '{"path":"a') + messageEnd("max_tokens", 1024);
const brokenCall = messageStart + callBlock(0, "toolu_1", input);
const brokenText = messageStart + textBlock(0, "Writ");

describe("a finished reply", () => {
  test("leaves byte for byte, however its bytes are split", async () => {
    for (const size of [1, 7, 100, 100_000]) {
      const bytes = Buffer.from(finished);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const response = await post(await serve({ chunks }));
      expect(await response.text()).toBe(finished);
    }
  });
  test("keeps comments, a byte order mark, CRLF and what comes after the end", async () => {
    const stream = `\uFEFF: hello\r\n\r\n${finished.replaceAll("\n", "\r\n")}: bye\r\n\r\n`;
    const response = await post(await serve({ chunks: [stream] }));
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(stream);
  });
  test("with a call that comes after the end gives out the first call alone", async () => {
    const late = callBlock(2, "toolu_2", input);
    const { reply, onText } = pausedUntil(finished, [finished, late]);
    const { text } = await readAll(await post(await serve(reply)), onText);
    expect(text).toBe(finished);
  });
});

describe("text", () => {
  test("goes out before the reply has ended", async () => {
    const server = await serve({ chunks: [messageStart + textBlock(0, "Hello")], fault: "stall" });
    const reader = (await post(server)).body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(new TextDecoder().decode(value)).toBe(messageStart + textBlock(0, "Hello"));
    await reader?.cancel();
    await expect.poll(() => server.abandoned()).toBe(1);
  });
  test("that breaks off ends as an error, not as a clean end", async () => {
    const response = await post(await serve({ chunks: [brokenText] }));
    const reader = response.body?.getReader();
    const seen: string[] = [];
    const read = async (): Promise<void> => {
      for (;;) {
        const step = await reader?.read();
        if (step === undefined || step.done) return;
        seen.push(new TextDecoder().decode(step.value));
      }
    };
    await expect(read()).rejects.toThrow("before it was complete");
    expect(seen.join("")).toContain('"type":"error"');
  });
});

test.each([
  ["no name", (frame: string) => frame.replace(/^event: .*\n/, "")],
  ["another name", (frame: string) => frame.replace(/^event: .*\n/, "event: ping\n")],
  ["no field name", (frame: string) => frame.replace("data: ", "")],
  ["a comment between its name and its data", (frame: string) => frame.replace("\n", "\n:\n\n")],
])("the vendor's SDK finds the whole input of a call if a piece has %s", async (_, damage) => {
  const frames = callBlock(0, "toolu_1", '{"path":"a"', ',"all":true', "}").split(/(?<=\n\n)/);
  const damaged = frames.map((frame, at) => (at === 2 ? damage(frame) : frame)).join("");
  const { url } = await serve({ chunks: [messageStart + damaged + messageEnd("tool_use")] });
  const client = new Anthropic({ apiKey: "k", baseURL: url, fetch: guard() });
  const message = await client.messages
    .stream({ ...messagesRequest, stream: undefined } as never)
    .finalMessage();
  expect(message.content).toMatchObject([{ input: { path: "a", all: true } }]);
});

describe("a call that must not run", () => {
  test("gives the reply a native ending and a note", async () => {
    const { url } = await serve({ chunks: [cutCall] });
    const client = new Anthropic({ apiKey: "k", baseURL: url, fetch: guard(), maxRetries: 0 });
    const message = await client.messages
      .stream({ ...messagesRequest, stream: undefined } as never)
      .finalMessage();
    expect(message.stop_reason).toBe("max_tokens");
    expect(message.content.map(({ type }) => type)).toEqual(["text", "text"]);
    expect(message.content.at(-1)).toMatchObject({ text: expect.stringContaining("write_file") });
    expect(message.usage.output_tokens).toBe(1024);
  });
  test("under a relabelled ending ends as the output limit", async () => {
    const relabelled =
      messageStart + callBlock(0, "toolu_1", '{"path":"a') + messageEnd("tool_use");
    const response = await post(await serve({ chunks: [relabelled] }));
    expect(response.headers.get("x-fullstop-withheld")).toBe("input-cut");
    const body = await response.text();
    expect(body).toContain('"stop_reason":"max_tokens"');
    expect(body).not.toContain("tool_use");
  });
  test('becomes an error with `withheld: "fail"`, and if the provider keeps the history', async () => {
    const server = await serve({ chunks: [onlyCutCall] });
    const failed = await post(server, { withheld: "fail" });
    // The same request would be cut at the same place again.
    expect([failed.status, failed.headers.get("x-should-retry")]).toEqual([400, "false"]);
    const body = JSON.stringify({ ...messagesRequest, thread: { id: "t" } });
    expect((await post(server, {}, { body })).status).toBe(400);
  });
  test("ends as an error if the history has its note already", async () => {
    const server = await serve({ chunks: [onlyCutCall] }, { chunks: [onlyCutCall] });
    const first = await (await post(server)).text();
    const [, note = ""] = /"text":"(\[[^"]+\])"/.exec(first) ?? [];
    expect(note).toContain("held back write_file");
    const messages = [...messagesRequest.messages, { role: "assistant", content: note }];
    const again = { role: "user", content: "Go on." };
    const body = JSON.stringify({ ...messagesRequest, messages: [...messages, again] });
    const second = await post(server, {}, { body });
    expect([second.status, second.headers.get("x-should-retry")]).toEqual([400, "false"]);
    expect(await second.text()).toContain("the guard stops here");
    const later = [...messages, again, ...Array<typeof again>(3).fill(again)];
    const older = JSON.stringify({ ...messagesRequest, messages: later });
    expect((await post(server, {}, { body: older })).status).toBe(200);
    const finishes = await serve({ chunks: [finished] });
    expect(await (await post(finishes, {}, { body })).text()).toBe(finished);
  });
  test("has the caller's note, or none", async () => {
    const server = await serve({ chunks: [cutCall] });
    expect(await (await post(server, { note: () => "Held." })).text()).toContain('"\\n\\nHeld."');
    const silent = await (await post(server, { note: false })).text();
    expect(silent).toBe(messageStart + textBlock(0, "Writing.") + messageEnd("max_tokens", 1024));
  });
  test("is asked for once more with `reask`", async () => {
    const reports: GuardReport[] = [];
    const server = await serve({ chunks: [onlyCutCall] }, { chunks: [finished] });
    const response = await post(server, { reask: true, onReply: (one) => reports.push(one) });
    expect(await response.text()).toBe(finished);
    expect(JSON.parse(server.requests[1]?.body ?? "{}")).toEqual({
      ...messagesRequest,
      max_tokens: 2048,
    });
    expect(reports.map(({ action }) => action)).toEqual(["retried", "passed"]);
    const never = await serve({ chunks: [onlyCutCall] });
    expect(await (await post(never, { reask: true })).text()).toContain("max_tokens");
    expect(never.requests).toHaveLength(2);
  });
  test("is asked for once more in a conversation, until that helps", async () => {
    const server = await serve({ chunks: [onlyCutCall] });
    const guarded = guard(fetch, { reask: true });
    /** Sends a conversation. Returns the text, and how many requests the server got. */
    const send = async (more: readonly object[], body: object = {}) => {
      const before = server.requests.length;
      const messages = [...messagesRequest.messages, ...more];
      const init = {
        method: "POST",
        body: JSON.stringify({ ...messagesRequest, messages, ...body }),
      };
      const text = await (await guarded(`${server.url}/v1/messages`, init)).text();
      return { text, sent: server.requests.length - before };
    };
    const first = await send([]);
    const note = /\[The guard [^\]]*\]/.exec(first.text)?.[0] ?? "";
    expect([first.sent, note]).toEqual([2, expect.stringContaining("cut")]);
    expect(await send([], { max_tokens: 2048 })).toMatchObject({ sent: 1 });
    expect(
      await send([
        { role: "assistant", content: "So?" },
        { role: "user", content: "Go on." },
      ]),
    ).toMatchObject({ sent: 1 });
    const user = (content: string): object => ({ role: "user", content });
    expect(await send([{ role: "assistant", content: note }, user(note)])).toMatchObject({
      sent: 1,
    });
    const other = { messages: [user("Another conversation.")] };
    expect(await send([], other)).toMatchObject({ sent: 2 });
  });
  test("is asked for again if that helped before", async () => {
    const replies = [onlyCutCall, finished, onlyCutCall, finished];
    const server = await serve(...replies.map((reply) => ({ chunks: [reply] })));
    const guarded = guard(fetch, { reask: true });
    for (let count = 0; count < 2; count++) {
      const init = { method: "POST", body: JSON.stringify(messagesRequest) };
      expect(await (await guarded(`${server.url}/v1/messages`, init)).text()).toBe(finished);
    }
  });
});

describe("a reply that breaks before a part of it was sent", () => {
  test("is a retryable status twice, and then one that ends the retries", async () => {
    const server = await serve({ chunks: [brokenCall] });
    const guarded = guard();
    const send = (content: string): Promise<Response> =>
      guarded(`${server.url}/v1/messages`, {
        method: "POST",
        body: JSON.stringify({ ...messagesRequest, messages: [{ role: "user", content }] }),
      });
    const seen = [await send("a"), await send("a"), await send("a"), await send("b")];
    expect(seen.map(({ status }) => status)).toEqual([502, 502, 400, 502]);
    expect(seen.map(({ headers }) => headers.get("x-should-retry"))).toEqual([
      "true",
      "true",
      "false",
      "true",
    ]);
    const last = (await seen[2]?.text()) ?? "";
    expect(last).toContain("write_file");
    expect(last).not.toMatch(/502|50\d|server|network|timeout|terminated|overloaded|connection/i);
  });
  test("is retried by the vendor's SDK, and the finished reply counts", async () => {
    const { url, requests } = await serve(
      { chunks: [brokenCall], fault: "reset" },
      { chunks: [finished] },
    );
    const client = new Anthropic({ apiKey: "k", baseURL: url, fetch: guard() });
    const message = await client.messages
      .stream({ ...messagesRequest, stream: undefined } as never)
      .finalMessage();
    expect(message.stop_reason).toBe("tool_use");
    expect(requests).toHaveLength(2);
  });
  test("is sent again by the guard with `retries`", async () => {
    const server = await serve({ chunks: [brokenCall] }, { chunks: [finished] });
    expect(await (await post(server, { retries: 1 })).text()).toBe(finished);
    expect(server.requests[1]?.body).toBe(server.requests[0]?.body);
  });
});

describe("requests", () => {
  const whole = JSON.stringify(messagesRequest);
  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
    ["zstd", zstdCompressSync],
  ])("compressed with %s are guarded, and sent as they are", async (encoding, compress) => {
    const body = compress(whole);
    const reports: GuardReport[] = [];
    const headers = { "content-type": "application/json", "content-encoding": encoding };
    const server = await serve({ chunks: [cutCall] });
    const response = await post(server, { onReply: (one) => reports.push(one) }, { body, headers });
    expect(await response.text()).not.toContain("tool_use");
    expect(reports[0]?.model).toBe("claude-sonnet-5-5");
    expect(server.requests[0]?.headers["content-encoding"]).toBe(encoding);
  });
  test("in an unknown encoding are refused", async () => {
    const server = await serve({ chunks: [finished] });
    const response = await post(
      server,
      {},
      { headers: { "content-encoding": "aes" }, body: "???" },
    );
    expect(response.status).toBe(415);
    expect(await response.text()).toContain("aes");
    expect(server.requests).toHaveLength(0);
  });
  test("in many encodings, each of which may decode to a large body, are refused", async () => {
    const server = await serve({ chunks: [finished] });
    const headers = { "content-type": "application/json", "content-encoding": "gzip, gzip, gzip" };
    const body = gzipSync(gzipSync(gzipSync(whole)));
    expect((await post(server, {}, { headers, body })).status).toBe(415);
    expect(server.requests).toHaveLength(0);
  });
  test("as a Request, or with a stream as body, are guarded", async () => {
    const server = await serve({ chunks: [cutCall] });
    const request = (): Request =>
      new Request(`${server.url}/v1/messages`, { method: "POST", body: whole });
    expect(await (await guard()(request())).text()).not.toContain("tool_use");
    const stream = new Blob([whole]).stream();
    const init = { method: "POST", body: stream, duplex: "half" } as RequestInit;
    expect(await (await guard()(`${server.url}/v1/messages`, init)).text()).not.toContain(
      "tool_use",
    );
    expect(server.requests.map(({ body }) => body)).toEqual([whole, whole]);
  });
  test("of other services pass, also on the same path", async () => {
    const server = await serve({ chunks: ["hello"], headers: { "content-type": "text/plain" } });
    const response = await post(
      server,
      {},
      { body: JSON.stringify({ to: "+1", body: "tool_use" }) },
    );
    expect(await response.text()).toBe("hello");
  });
  test("that name tools on an unknown path are reported once, and refused in strict mode", async () => {
    const seen: UnguardedRequest[] = [];
    const server = await serve({ chunks: ["{}"] });
    const guarded = guard(fetch, { onUnguarded: (one) => seen.push(one) });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: whole };
    for (let time = 0; time < 3; time++) await guarded(`${server.url}/api/chat`, init);
    expect(seen.map(({ url }) => url.pathname)).toEqual(["/api/chat"]);
    const strict = guard(fetch, { strict: true, onUnguarded: () => undefined });
    expect((await strict(`${server.url}/api/chat`, init)).status).toBe(400);
    expect(server.requests).toHaveLength(3);
  });
  test("that the host function leaves out pass", async () => {
    const server = await serve({ chunks: [cutCall] });
    expect(await (await post(server, { host: () => "unguarded" })).text()).toBe(cutCall);
  });
});

describe("while calls are held", () => {
  test("a client gets signs of life", async () => {
    const parts = [messageStart + callBlock(0, "toolu_1", input), messageEnd("tool_use")];
    const { reply, onText } = pausedUntil("event: ping\n", parts);
    const { text } = await readAll(await post(await serve(reply), { keepAliveMs: 1 }), onText);
    expect(text.startsWith("event: ping\n")).toBe(true);
    expect(text.replaceAll(/event: ping\ndata: [^\n]*\n\n/g, "")).toBe(parts.join(""));
  });
  test("a reply that is larger than `maxHeld` fails", async () => {
    const response = await post(await serve({ chunks: [finished] }), { maxHeld: 300 });
    await expect(response.text()).rejects.toThrow();
  });
  test("a client that aborts ends the request", async () => {
    const server = await serve({ chunks: [brokenCall], fault: "stall" });
    const { signal, abort } = (() => {
      const controller = new AbortController();
      return { signal: controller.signal, abort: () => controller.abort() };
    })();
    const pending = post(server, {}, { signal });
    await expect.poll(() => server.requests.length).toBe(1);
    abort();
    await expect(pending.then((response) => response.text())).rejects.toThrow();
    await expect.poll(() => server.abandoned()).toBe(1);
  });
});
