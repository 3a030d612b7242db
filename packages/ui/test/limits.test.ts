import { once } from "node:events";
import { connect } from "node:net";
import { type Run, type RunOptions, run, type Tool } from "@fullstop/loop";
import { mock, type Script } from "@fullstop/provider-mock";
import {
  chatHandler,
  createRunStreams,
  memoryLog,
  resumeSse,
  type StreamFrame,
  type StreamLog,
  sseResponse,
  uiResponse,
} from "@fullstop/ui";
import { expect, onTestFinished, test } from "vitest";
import { collect, eventsOf, parsed } from "./events.ts";
import { gate, gatedTool, look } from "./gate.ts";
import { listen } from "./server.ts";

const say = (script: Script, more: Partial<RunOptions> = {}): Run =>
  run({ adapter: mock(script), prompt: "Speak.", ...more });
const waitCall = { calls: [{ name: "wait", input: {} }] };
const get = (id?: string): Request =>
  new Request("http://ui.invalid/", { headers: id === undefined ? {} : { "last-event-id": id } });
const errorOf = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { error: { kind: string } }).error.kind;

test("a run whose client does not come back within the grace time is aborted", async () => {
  const streams = createRunStreams({ graceMs: 20 });
  const waiting = gatedTool();
  const response = await sseResponse(say([waitCall], { tools: [waiting.tool] }), {
    streams,
    streamId: "one",
  });
  await waiting.started;
  await response.body?.cancel();
  await waiting.aborted;
  expect(await streams.stop("one")).toBe(true);
  expect(streams.isRunning("one")).toBe(false);
});

test.for([2 ** 31, Number.POSITIVE_INFINITY])(
  "a grace time that is longer than a timer of the runtime does not end at once: %d ms",
  async (graceMs) => {
    const streams = createRunStreams({ graceMs });
    const waiting = gatedTool();
    const options = { streams, streamId: "one" };
    const first = await sseResponse(say([waitCall, "Done."], { tools: [waiting.tool] }), options);
    await waiting.started;
    await first.body?.cancel();
    // The runtime ends a timer that is too long after 1 ms.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(streams.isRunning("one")).toBe(true);
    waiting.open();
    const events = await collect(eventsOf(await resumeSse(streams, "one", get())));
    expect(parsed(events).at(-1)).toMatchObject({ type: "end", outcome: { status: "done" } });
  },
);

test("a run goes on for a client that comes back within the grace time", async () => {
  const streams = createRunStreams();
  const waiting = gatedTool();
  const options = { streams, streamId: "one" };
  const first = await sseResponse(say([waitCall, "Done."], { tools: [waiting.tool] }), options);
  await waiting.started;
  await first.body?.cancel();
  const second = await resumeSse(streams, "one", get());
  waiting.open();
  const events = await collect(eventsOf(second));
  expect(parsed(events).at(-1)).toMatchObject({ type: "end", outcome: { status: "done" } });
  // The stream is kept after its end: a client that has seen all is told so, another gets all.
  expect((await resumeSse(streams, "one", get(events.at(-1)?.id))).status).toBe(204);
  const again = await collect(eventsOf(await resumeSse(streams, "one", get())));
  expect(again).toEqual(events);
});

test("`stop` ends the run, and each of its clients sees how", async () => {
  const streams = createRunStreams();
  const waiting = gatedTool();
  const options = { streams, streamId: "one" };
  const first = await sseResponse(say([waitCall], { tools: [waiting.tool] }), options);
  const second = await resumeSse(streams, "one", get());
  const read = Promise.all([first, second].map((response) => collect(eventsOf(response))));
  await waiting.started;
  expect(await streams.stop("one")).toBe(true);
  for (const events of await read)
    expect(parsed(events).at(-1)).toMatchObject({ type: "end", outcome: { status: "aborted" } });
  expect(await streams.stop("one")).toBe(false);
});

test("a new run takes the place of one with the same id, which is aborted", async () => {
  const streams = createRunStreams();
  const waiting = gatedTool();
  const options = { streams, streamId: "one" };
  const first = await sseResponse(say([waitCall], { tools: [waiting.tool] }), options);
  const old = collect(eventsOf(first));
  await waiting.started;
  const [second, third] = await Promise.all([
    sseResponse(say(["Two."]), options),
    sseResponse(say(["Three."]), options),
  ]);
  await waiting.aborted;
  expect(parsed(await old).at(-1)).toMatchObject({ outcome: { status: "aborted" } });
  expect(parsed(await collect(eventsOf(third))).at(-1)).toMatchObject({
    outcome: { text: "Three." },
  });
  await second.body?.cancel();
  await streams.close();
});

test("a stream that nobody began, and one of which too much is gone, have errors of their own", async () => {
  const streams = createRunStreams({ maxBytes: 2_000 });
  const unknown = await resumeSse(streams, "none", get());
  expect([unknown.status, await errorOf(unknown)]).toEqual([404, "unknown"]);
  const speaking = say(["x".repeat(4_000)]);
  const long = await sseResponse(speaking, { streams, streamId: "long" });
  await speaking.outcome();
  const events = await collect(eventsOf(long));
  expect(parsed(events).at(-1)).toMatchObject({ type: "failure" });
  const dropped = await resumeSse(streams, "long", get());
  expect([dropped.status, await errorOf(dropped)]).toEqual([410, "dropped"]);
  const foreign = await resumeSse(streams, "long", get("an id of another stream"));
  expect(foreign.status).toBe(410);
});

test("no more streams run than are allowed; one that has ended makes place", async () => {
  const streams = createRunStreams({ maxStreams: 1 });
  const waiting = gatedTool();
  const busy = await sseResponse(say([waitCall, "Done."], { tools: [waiting.tool] }), {
    streams,
    streamId: "one",
  });
  const refused = await sseResponse(say(["No."]), { streams, streamId: "two" });
  expect([refused.status, await errorOf(refused)]).toEqual([503, "full"]);
  waiting.open();
  await collect(eventsOf(busy));
  const next = await sseResponse(say(["Yes."]), { streams, streamId: "two" });
  expect(next.status).toBe(200);
  await collect(eventsOf(next));
  expect((await resumeSse(streams, "one", get())).status).toBe(404);
});

test("200 clients that do not read cost no memory of their own, and learn what they missed", async () => {
  const handedOut = { bytes: 0 };
  const log = countingLog(handedOut);
  const streams = createRunStreams({ log });
  const begin = gate();
  const size = 16 * 1024 * 1024;
  const piece = "x".repeat(64 * 1024);
  const script = Array.from({ length: size / piece.length }, (_, index) => ({
    text: piece,
    calls: [{ name: "go", input: { index } }],
  }));
  const go: Tool = { ...look, name: "go", execute: ({ index }) => `went ${index}` };
  const speak = (): Run =>
    say([{ calls: [{ name: "wait", input: {} }] }, ...script, "Done."], {
      tools: [go, { ...gatedTool().tool, execute: () => begin.passed.then(() => "go") }],
      limits: { turns: 1_000, toolCalls: 1_000 },
    });
  const ended = Promise.withResolvers<void>();
  const url = await listen((request) =>
    streams.isRunning("one")
      ? resumeSse(streams, "one", request)
      : sseResponse(speak(), { streams, streamId: "one", onEnd: () => ended.resolve() }),
  );
  const sockets = [];
  for (let count = 0; count < 200; count++) {
    const socket = connect(Number(new URL(url).port), "127.0.0.1").pause();
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    socket.write("GET / HTTP/1.1\r\nhost: ui\r\n\r\n");
    if (count === 0) while (!streams.isRunning("one")) await new Promise(setImmediate);
    sockets.push(socket);
  }
  begin.open();
  await ended.promise;
  // Each socket holds what the system and Node buffer, and the log holds 4 MiB for all.
  expect(handedOut.bytes).toBeLessThan((200 * size) / 4);
  const [slow] = sockets;
  let text = "";
  for await (const bytes of slow ?? []) {
    text += String(bytes);
    if (text.includes('"failure"')) break;
  }
  expect(text.includes("are no longer kept")).toBe(true);
});

test("an event that is larger than `maxBytes` reaches a client that reads", async () => {
  const waiting = gatedTool();
  const data = "A".repeat(20_000);
  const execute: typeof waiting.tool.execute = async (input, context) => {
    await waiting.tool.execute?.(input, context);
    return [{ type: "image", mediaType: "image/png", data }];
  };
  const streams = createRunStreams({ maxBytes: 10_000 });
  const tools = [{ ...waiting.tool, execute }];
  const response = await sseResponse(say([waitCall, "Done."], { tools }), {
    streams,
    streamId: "one",
  });
  const types: string[] = [];
  for await (const event of eventsOf(response)) {
    types.push(JSON.parse(event.data).type);
    if (types.at(-1) === "tool-call") waiting.open();
  }
  expect(types).toEqual(expect.arrayContaining(["tool-call", "tool-result", "end"]));
  expect(types).not.toContain("failure");
});

/** The log in memory, which counts what clients take from it. */
function countingLog(handedOut: { bytes: number }): StreamLog {
  const log = memoryLog({});
  return {
    ...log,
    async *read(...from): AsyncGenerator<readonly StreamFrame[], void> {
      for await (const frames of log.read(...from)) {
        handedOut.bytes += frames.reduce((sum, { bytes }) => sum + bytes.length, 0);
        yield frames;
      }
    },
  };
}

test("an idle connection gets comments, which are no events", async () => {
  const waiting = gatedTool();
  const response = await sseResponse(say([waitCall, "Done."], { tools: [waiting.tool] }), {
    heartbeatMs: 5,
  });
  let text = "";
  for await (const bytes of response.body ?? []) {
    text += new TextDecoder().decode(bytes);
    if (text.split(": heartbeat\n\n").length > 3) waiting.open();
  }
  expect(text).toMatch(/"type":"end"[^\n]*\n\n$/);
});

test("options that cannot work are refused with their names", async () => {
  expect(() => createRunStreams({ graceMs: -1 })).toThrow("`graceMs`");
  expect(() => createRunStreams({ keepEndedMs: 2 ** 31 })).toThrow(
    "milliseconds, from 0 to 2147483647",
  );
  expect(() => createRunStreams({ keepMs: 1 } as object)).toThrow("keepEndedMs");
  await expect(sseResponse(say(["x"]), { heartbeatMs: 0 })).rejects.toThrow("`heartbeatMs`");
  const streams = createRunStreams();
  await expect(sseResponse(say(["x"]), { streams })).rejects.toThrow("`streamId`");
  const outcome = (await say(["x"]).outcome()) as never;
  await expect(sseResponse(outcome)).rejects.toThrow("`sseResponse` needs a run: `run({ … })`.");
  await expect(uiResponse(outcome)).rejects.toThrow("`uiResponse` needs a run: `run({ … })`.");
});

test("a log of another process decides whether a client still reads", async () => {
  let isRead = true;
  const asked = gate();
  const log: StreamLog = {
    ...memoryLog({}),
    isReadElsewhere: () => {
      asked.open();
      return isRead;
    },
  };
  const streams = createRunStreams({ log, graceMs: 5 });
  const waiting = gatedTool();
  const response = await sseResponse(say([waitCall], { tools: [waiting.tool] }), {
    streams,
    streamId: "one",
  });
  await waiting.started;
  await response.body?.cancel();
  await asked.passed;
  expect(streams.isRunning("one")).toBe(true);
  isRead = false;
  await waiting.aborted;
});

test("a log that takes its time gets every event, in order", async () => {
  const inMemory = memoryLog({});
  const log: StreamLog = {
    ...inMemory,
    append: async (...frames) => {
      await new Promise(setImmediate);
      await inMemory.append(...frames);
    },
  };
  const options = { streams: createRunStreams({ log }), streamId: "one" };
  const sent = parsed(await collect(eventsOf(await sseResponse(say(["One. Two."]), options))));
  expect(sent.map(({ type }) => type)).toEqual(["request", "first-byte", "text", "turn", "end"]);
});

test.each([
  ["throws", () => Promise.reject(new Error("The log is gone."))],
  ["is too slow", () => new Promise<void>((resolve) => setTimeout(resolve, 50))],
])(
  "if a log %s, the stream ends, the server learns why, and the run goes on",
  async (_, append) => {
    const log: StreamLog = { ...memoryLog({}), append };
    const seen: unknown[] = [];
    const options = {
      streams: createRunStreams({ log, maxBytes: 200 }),
      streamId: "one",
      onError: (thrown: unknown) => void seen.push(thrown),
    };
    const speaking = say(["One."]);
    const response = await sseResponse(speaking, options);
    expect(await collect(eventsOf(response))).toEqual([]);
    expect(await speaking.outcome()).toMatchObject({ status: "done" });
    expect(seen).toHaveLength(1);
    expect(String(seen[0])).toMatch(/The log (is gone|of the stream one is more than 200 bytes)/);
  },
);

test("an `onError` that throws does not leave clients waiting", async () => {
  const onError = (): never => {
    throw new Error("The logger is gone.");
  };
  const select = (): never => {
    throw new Error("Not this one.");
  };
  const streams = createRunStreams();
  const response = await sseResponse(say(["One."]), {
    onError,
    select,
    streams,
    streamId: "one",
  });
  const sent = parsed(await collect(eventsOf(response)));
  expect(sent).toMatchObject([{ type: "failure" }]);
});

test("a request without an end is refused, and not read on", async () => {
  const handler = chatHandler({ adapter: mock([]), maxRequestBytes: 100_000 });
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      controller.enqueue(new TextEncoder().encode(" ".repeat(10_000)));
      sent += 1;
    },
  });
  const init = { method: "POST", body: endless, duplex: "half" as const };
  const headers = { "content-type": "application/json" };
  const answer = await handler(new Request("http://a.example/api/chat", { ...init, headers }));
  expect(answer.status).toBe(413);
  expect(sent).toBeLessThan(15);
});

test("a request whose page went away while it was sent is refused", async () => {
  const page = new TransformStream<Uint8Array, Uint8Array>();
  const init = { method: "POST", body: page.readable, duplex: "half" as const };
  const headers = { "content-type": "application/json" };
  const request = new Request("http://a.example/api/chat", { ...init, headers });
  const response = chatHandler({ adapter: mock([]) })(request);
  const writer = page.writable.getWriter();
  await writer.write(new TextEncoder().encode('{"id":"a",'));
  await writer.abort(new Error("ECONNRESET"));
  expect((await response).status).toBe(400);
});
