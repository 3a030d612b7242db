import { execFile } from "node:child_process";
import { getEventListeners } from "node:events";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { EventBatches, TurnEvent } from "../src/adapter/index.ts";
import { type Adapter, type Preview, readTurn, type TurnRequest } from "../src/index.ts";
import { type AdapterOptions, acme } from "./acme.ts";
import { delta, type Native, read, start, stop, text, verdict } from "./reply.ts";
import { begin, deadURL, frame, serve } from "./server.ts";
import { respond } from "./stream.ts";

const request: TurnRequest = { messages: [{ role: "user", content: "Go." }] };
const runs = "tool-use, runs read";
const interrupted = "interrupted, withholds read: no-terminal";
const whole: readonly Native[] = [text("I look."), read, stop("tool", false)];

/** An adapter whose replies are these batches, without a network. */
const scripted = (
  batches: (signal: AbortSignal) => AsyncIterable<readonly Native[]>,
  rest: Partial<Adapter> = {},
): Adapter =>
  acme({ open: async (_, signal) => batches(signal) as EventBatches<TurnEvent>, ...rest });
/** A promise that only an abort settles, as `fetch` behaves. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
  );
const answering = (
  chunks: readonly (string | Uint8Array)[],
  init: Parameters<typeof respond>[1] = {},
): AdapterOptions => ({
  fetch: async () => respond(chunks, init),
});

describe("one reply over a real socket", () => {
  test("gives a turn with the request id of the response", async () => {
    const { baseURL } = await serve((response) => {
      begin(response, ...whole);
      response.end();
    });
    const turn = await readTurn(acme({ baseURL }), request);
    expect(verdict(turn)).toBe(runs);
    expect(turn).toMatchObject({ requestId: "req_1", text: "I look." });
  });

  test("that the server resets is interrupted, and its text is kept", async () => {
    const { baseURL } = await serve((response, socket) => {
      begin(response, text("I look."), read, stop("tool", true));
      setImmediate(() => socket.resetAndDestroy());
    });
    const turn = await readTurn(acme({ baseURL }), request);
    expect(turn).toMatchObject({
      stopReason: "interrupted",
      calls: [],
      error: { kind: "network" },
    });
  });

  test("that the server closes without a stop reason is interrupted", async () => {
    const { baseURL } = await serve((response) => {
      begin(response, read);
      response.end();
    });
    expect(await readTurn(acme({ baseURL }), request)).toMatchObject({
      stopReason: "interrupted",
      error: { kind: "cut" },
    });
  });

  test("that the server keeps open after the protocol's own end gives a turn, and its socket is closed", async () => {
    const { baseURL, closed } = await serve((response) => begin(response, ...whole));
    expect(verdict(await readTurn(acme({ baseURL }), request))).toBe(runs);
    await closed;
  });

  test("that continues after a revoked end has its full time limit again", async () => {
    const { baseURL } = await serve((response) => {
      begin(response, stop("done", false));
      setTimeout(() => response.write(frame(text("I look."))), 100);
      setTimeout(() => response.end([read, stop("tool", false)].map(frame).join("")), 2500);
    });
    expect(verdict(await readTurn(acme({ baseURL }), request))).toBe(runs);
  });

  test("that is reset after the protocol's own end is complete", async () => {
    const arrived = Promise.withResolvers<void>();
    const { baseURL } = await serve((response, socket) => {
      begin(response, ...whole);
      void arrived.promise.then(() => socket.resetAndDestroy());
    });
    const onPreview = ({ type }: Preview): void =>
      type === "tool-input-end" ? arrived.resolve() : undefined;
    expect(verdict(await readTurn(acme({ baseURL }), request, { onPreview }))).toBe(runs);
  });

  test("that can no longer issue calls is not read to its end, and its socket is closed", async () => {
    const { baseURL, closed } = await serve((response) =>
      begin(response, read, delta("nobody", "x")),
    );
    expect((await readTurn(acme({ baseURL }), request)).withheld[0]?.reason).toBe(
      "malformed-frame",
    );
    await closed;
  });

  test("that the caller aborts is aborted, its socket is closed and its text is kept", async () => {
    const { baseURL, closed } = await serve((response) => begin(response, text("I look."), read));
    const controller = new AbortController();
    const turn = await readTurn(acme({ baseURL }), request, {
      signal: controller.signal,
      onPreview: ({ type }) => type === "tool-input-end" && controller.abort(),
    });
    expect(verdict(turn)).toBe("aborted, withholds read: aborted");
    expect(turn.message?.content).toEqual([{ type: "text", text: "I look." }]);
    await closed;
  });

  test("from a closed port is interrupted", async () => {
    const turn = await readTurn(acme({ baseURL: await deadURL() }), request);
    expect(turn).toMatchObject({ stopReason: "interrupted", error: { kind: "network" } });
  });
});

describe("silence", () => {
  test("before the response is a timeout", async () => {
    const { baseURL } = await serve(() => undefined);
    expect(await readTurn(acme({ baseURL }), request, { idleMs: 50 })).toMatchObject({
      stopReason: "interrupted",
      error: { kind: "timeout" },
    });
  });

  test("in the middle of the body is a timeout", async () => {
    const { baseURL } = await serve((response) => begin(response, read, stop("tool", true)));
    expect(await readTurn(acme({ baseURL }), request, { idleMs: 200 })).toMatchObject({
      stopReason: "interrupted",
      error: { kind: "timeout" },
    });
  });

  test("of an adapter that ignores its signal ends the turn, and the request is aborted", async () => {
    const own = Promise.withResolvers<AbortSignal>();
    const deaf = scripted(async function* (signal) {
      own.resolve(signal);
      yield [text("I look."), read, stop("tool")];
      await new Promise(() => undefined);
    });
    const turn = await readTurn(deaf, request, { idleMs: 20 });
    expect(verdict(turn)).toBe(interrupted);
    expect(turn).toMatchObject({ text: "I look.", error: { kind: "timeout" } });
    expect((await own.promise).aborted).toBe(true);
  });

  test("leaves no timer after the turn: the process ends", async () => {
    const urlOf = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
    const program = `
      import { readTurn } from ${urlOf("../src/index.ts")};
      import { defineAdapter } from ${urlOf("../src/adapter/index.ts")};
      const adapter = defineAdapter({ provider: "p", protocol: "p", model: "m", stops: { done: "stop" }, toolInputEnd: "explicit",
        open: async () => (async function* () { yield ["done"]; })(), decoder: (emit) => (native) => emit({ type: "stop", native }) });
      const fails = defineAdapter({ ...adapter, open() { throw new Error("at once"); } });
      const turns = await Promise.all([adapter, fails].map((one) => readTurn(one, { messages: [] }, { signal: new AbortController().signal })));
      console.log(turns.map(({ stopReason }) => stopReason).join());`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "-e", program],
      { timeout: 30_000 },
    );
    expect(stdout.trim()).toBe("stop,error");
  });
});

describe("the caller's signal", () => {
  test("that is already aborted sends no request", async () => {
    let opened = 0;
    const adapter = acme({
      open: async () => {
        opened++;
        throw new Error("never");
      },
    });
    expect(await readTurn(adapter, request, { signal: AbortSignal.abort() })).toMatchObject({
      stopReason: "aborted",
      calls: [],
    });
    expect(opened).toBe(0);
  });

  test("ends a request that has no response yet", async () => {
    const controller = new AbortController();
    const adapter = acme({
      open: (_, signal) => {
        queueMicrotask(() => controller.abort(new Error("mine")));
        return untilAborted(signal);
      },
    });
    expect((await readTurn(adapter, request, { signal: controller.signal })).stopReason).toBe(
      "aborted",
    );
  });

  test("counts also if an SDK ends silently or with its own error", async () => {
    for (const thrown of [
      undefined,
      Object.assign(new Error("Request was aborted."), { name: "APIUserAbortError" }),
      new SyntaxError("cut"),
    ]) {
      const controller = new AbortController();
      const adapter = scripted(async function* () {
        yield whole;
        controller.abort();
        if (thrown !== undefined) throw thrown;
      });
      expect(verdict(await readTurn(adapter, request, { signal: controller.signal }))).toBe(
        "aborted, withholds read: aborted",
      );
    }
  });

  test("changes nothing after the turn, and has no listener left", async () => {
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const adapters = [
      scripted(async function* () {
        yield whole;
      }),
      scripted(async function* () {
        yield [];
        throw new Error("no");
      }),
      acme({ open: async () => Promise.reject(new Error("no")) }),
      scripted(async function* () {
        yield [delta("nobody", "x")];
      }),
    ];
    const [turn] = await Promise.all(
      adapters.map((adapter) => readTurn(adapter, request, options)),
    );
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    controller.abort();
    expect(turn?.stopReason).toBe("tool-use");
  });

  test("is not passed to the adapter, which gets its own signal", async () => {
    const { signal } = new AbortController();
    const own = Promise.withResolvers<AbortSignal>();
    const adapter = scripted(async function* (given) {
      own.resolve(given);
      yield whole;
    });
    await readTurn(adapter, request, { signal });
    const given = await own.promise;
    expect(given).not.toBe(signal);
    expect(signal.aborted).toBe(false);
  });
});

describe("the iterator", () => {
  type Step = IteratorResult<readonly Native[]> | Promise<never>;
  const counting = (steps: readonly Step[]) => {
    const counted = { asked: 0, returned: 0 };
    const adapter = scripted(() => ({
      [Symbol.asyncIterator]: () => ({
        next: async () => steps[counted.asked++] ?? { done: true, value: undefined },
        return: async () => {
          counted.returned++;
          throw new Error("already gone");
        },
      }),
    }));
    return { adapter, counted };
  };
  const never = new Promise<never>(() => undefined);

  test("is returned when the reply is void, and its error is ignored", async () => {
    const { adapter, counted } = counting([{ value: [delta("nobody", "x")] }, never]);
    expect((await readTurn(adapter, request)).stopReason).toBe("interrupted");
    expect(counted).toEqual({ asked: 1, returned: 1 });
  });

  test("is returned when the listener throws, and the read rejects with that", async () => {
    const { adapter, counted } = counting([{ value: whole }, never]);
    const mine = new RangeError("mine");
    const onPreview = (): never => {
      throw mine;
    };
    await expect(readTurn(adapter, request, { onPreview })).rejects.toBe(mine);
    expect(counted).toEqual({ asked: 1, returned: 1 });
  });

  test("is not called again after it ended", async () => {
    const { adapter, counted } = counting([{ value: whole }]);
    expect(verdict(await readTurn(adapter, request))).toBe(runs);
    expect(counted.asked).toBe(2);
  });
});

describe("previews", () => {
  test("arrive while the reply does", async () => {
    const seen: Preview[] = [];
    const early = Promise.withResolvers<void>();
    const { baseURL } = await serve((response) => {
      begin(response, text("I look."));
      void early.promise.then(() => response.end(frame(stop("done", false))));
    });
    const turn = await readTurn(acme({ baseURL }), request, {
      onPreview: (preview) => {
        seen.push(preview);
        early.resolve();
      },
    });
    expect(turn.stopReason).toBe("stop");
    expect(seen).toEqual([{ type: "text", text: "I look." }]);
  });

  test("that throw close the socket", async () => {
    const { baseURL, closed } = await serve((response) => begin(response, text("I look.")));
    await expect(
      readTurn(acme({ baseURL }), request, {
        onPreview: () => {
          throw new RangeError("mine");
        },
      }),
    ).rejects.toThrow(RangeError);
    await closed;
  });
});

describe("bodies", () => {
  const json = { headers: { "content-type": "application/json" } };
  test.each([
    ["a whole JSON reply", answering([JSON.stringify(whole.flat())], json), "tool-use"],
    [
      "a JSON reply that was cut",
      answering([JSON.stringify(whole.flat()).slice(0, -9)], json),
      "cut",
    ],
    ["an empty body", answering([]), "cut"],
    [
      "a page",
      answering(["<html>"], { headers: { "content-type": "text/html" } }),
      "malformed-reply",
    ],
    [
      "a frame that is no JSON",
      answering([frame(read), "data: {oops\n\n", frame(stop("tool", false))]),
      "malformed-reply",
    ],
    [
      "bytes that are no UTF-8",
      answering([frame(read), new Uint8Array([0xff])]),
      "malformed-reply",
    ],
    [
      "a page after the protocol's own end",
      answering([...whole.map(frame), "data: <html>\n\n"]),
      "malformed-reply",
    ],
    [
      "a cut after the protocol's own end",
      answering([...whole.map(frame), 'data: {"usage']),
      "tool-use",
    ],
    [
      "a reset after the protocol's own end",
      answering(whole.map(frame), { thrown: new TypeError("terminated") }),
      "tool-use",
    ],
    [
      "the last two line ends missing",
      answering([whole.map(frame).join("").slice(0, -2)]),
      "tool-use",
    ],
    ["the last byte but those missing", answering([whole.map(frame).join("").slice(0, -3)]), "cut"],
  ] as const)("%s", async (_, options, expected) => {
    const turn = await readTurn(acme(options), request);
    expect("error" in turn ? turn.error.kind : turn.stopReason).toBe(expected);
    expect(turn.stopReason).toBe(expected === "tool-use" ? expected : "interrupted");
    expect(turn.calls.length > 0).toBe(expected === "tool-use");
  });

  test("twenty million characters of input are refused, and the body is cancelled", async () => {
    let cancelled = 0;
    const mebi = frame(delta("write", "x".repeat(1024 * 1024)));
    const chunks = [
      frame(start("write", "write", "a")),
      ...Array.from({ length: 20 }, () => mebi),
      frame(stop("tool", false)),
    ];
    const turn = await readTurn(acme(answering(chunks, { onCancel: () => cancelled++ })), request);
    expect(turn).toMatchObject({
      stopReason: "interrupted",
      calls: [],
      error: { kind: "too-large" },
    });
    expect(cancelled).toBe(1);
  });
});
