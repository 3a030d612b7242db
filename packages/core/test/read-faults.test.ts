import { describe, expect, test } from "vitest";
import { type Message, readTurn, type Turn } from "../src/index.ts";
import { acme } from "./acme.ts";
import { delta, read, start, stop, verdict } from "./reply.ts";
import { frame } from "./server.ts";
import { raw, readAll, respond } from "./stream.ts";

const runs = "tool-use, runs read";
const ask = { messages: [{ role: "user", content: "Go." }] } satisfies { messages: Message[] };
const errorOf = (turn: Turn) => ("error" in turn ? turn.error : undefined);

describe("a reply with a fault", () => {
  test("a stop reason on every chunk, cut inside the second parallel call, issues no call", async () => {
    const body =
      frame([start(0, "read", "a"), delta(0, "{}"), stop("done")]) +
      frame([start(1, "write", "b"), delta(1, "{}"), stop("done")]).slice(0, 60);
    expect(
      (await readTurn(acme({ toolInputEnd: "implicit", fetch: async () => respond([body]) }), ask))
        .calls,
    ).toEqual([]);
  });
  test("nothing that an adapter throws makes readTurn reject", async () => {
    for (const thrown of [
      Object.create(null),
      Object.assign(Object.create(null), { message: "m" }),
      {
        toString: () => {
          throw new Error("no");
        },
      },
    ]) {
      await expect(
        readTurn(
          acme({
            open: async () => {
              throw thrown;
            },
          }),
          ask,
        ),
      ).resolves.toMatchObject({ stopReason: "error" });
    }
  });
  test("an unknown error on the first read of an opened reply is a transport error", async () => {
    const adapter = acme({
      open: async () =>
        (async function* () {
          await null;
          if (adapter) throw new Error("Incomplete JSON segment at the end");
          yield [];
        })() as never,
    });
    expect((await readTurn(adapter, ask)).stopReason).toBe("interrupted");
  });
  test("pings after the protocol's own end do not delay the turn", async () => {
    const controller = new AbortController();
    const guard = setTimeout(() => controller.abort(), 8000);
    const adapter = acme({
      open: async (_, signal) =>
        (async function* () {
          yield [read, stop("tool", false)];
          while (!signal.aborted) {
            await new Promise((resolve) => setTimeout(resolve, 300));
            yield [[]];
          }
        })() as never,
    });
    expect(verdict(await readTurn(adapter, ask, { signal: controller.signal }))).toBe(runs);
    clearTimeout(guard);
  });
  test("keep-alive comments prevent the timeout", async () => {
    const body = new ReadableStream({
      async start(controller) {
        for (let at = 0; at < 15; at++) {
          await new Promise((resolve) => setTimeout(resolve, 100));
          controller.enqueue(new TextEncoder().encode(": keep-alive\n\n"));
        }
        controller.enqueue(new TextEncoder().encode(frame(stop("done"))));
        controller.close();
      },
    });
    const fetch = async () =>
      new Response(body, { headers: { "content-type": "text/event-stream" } });
    expect((await readTurn(acme({ fetch }), ask, { idleMs: 1000 })).stopReason).toBe("stop");
  });
  test("a status whose body breaks keeps its kind and its wait", async () => {
    const fetch = async () =>
      respond(['{"error"'], {
        status: 429,
        headers: { "retry-after": "7" },
        thrown: new TypeError("terminated"),
      });
    expect(errorOf(await readTurn(acme({ fetch }), ask))).toMatchObject({
      kind: "rate-limit",
      status: 429,
      retryAfterMs: 7000,
    });
  });
  test("the JSON in the message of a genai error is read for its code and message", async () => {
    const message = JSON.stringify({
      error: { code: 429, message: "Quota.", status: "RESOURCE_EXHAUSTED" },
    });
    const adapter = acme({
      errors: { RESOURCE_EXHAUSTED: "billing" },
      open: async () => {
        throw Object.assign(new Error(message), { name: "ApiError", status: 429 });
      },
    });
    expect(errorOf(await readTurn(adapter, ask))).toMatchObject({
      kind: "billing",
      code: "RESOURCE_EXHAUSTED",
      message: "429: Quota.",
    });
  });
  test("headers are read from any class and in any case", async () => {
    const get = (name: string) => (name === "retry-after" ? "3" : null);
    for (const headers of [{ get }, { "Retry-After": "3" }]) {
      expect(
        errorOf(
          await readTurn(
            acme({
              open: async () => {
                throw Object.assign(new Error("x"), { status: 429, headers });
              },
            }),
            ask,
          ),
        )?.retryAfterMs,
      ).toBe(3000);
    }
  });
  test("one event over the limit is refused, also in one chunk", async () => {
    expect(
      (await readAll(respond([`data: ${"x".repeat(1000)}\n\n`]), { ...raw, maxBytes: 100 })).thrown,
    ).toMatchObject({
      kind: "too-large",
    });
  });
  test("events before invalid UTF-8 arrive, also in the same chunk", async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode("data: 1\n\n"), 0xff]);
    expect((await readAll(respond([bytes]))).natives).toEqual([1]);
  });
  test("a body that is labelled JSON but is not JSON is not reported as cut", async () => {
    expect(
      (
        await readAll(
          respond(["<html>502</html>"], { headers: { "content-type": "application/json" } }),
        )
      ).thrown,
    ).toMatchObject({
      kind: "malformed-reply",
    });
  });
  test("ids that are sent fit a rule of an exact length", async () => {
    const asked = Promise.withResolvers<readonly Message[]>();
    const adapter = acme({
      callIds: { maxLength: 9, allowed: /^[a-zA-Z0-9]{9}$/ },
      open: async ({ messages }) => {
        asked.resolve(messages);
        throw new Error("enough");
      },
    });
    await readTurn(adapter, {
      messages: [
        {
          role: "assistant",
          content: [{ type: "tool-call", id: "toolu_0123456789", name: "x", inputText: "{}" }],
        },
        {
          role: "tool",
          content: [{ type: "tool-result", id: "toolu_0123456789", name: "x", content: "" }],
        },
      ],
    });
    expect(JSON.stringify(await asked.promise)).toMatch(/"id":"[a-zA-Z0-9]{9}"/);
  });
  test("a rule with the flag g fits every id in the same way", async () => {
    const asked = Promise.withResolvers<readonly Message[]>();
    const call = (id: string) => ({ type: "tool-call" as const, id, name: "x", inputText: "{}" });
    const adapter = acme({
      callIds: { maxLength: 64, allowed: /^[a-z]+$/g },
      open: async ({ messages }) => {
        asked.resolve(messages);
        throw new Error("enough");
      },
    });
    await readTurn(adapter, {
      messages: [{ role: "assistant", content: [call("a"), call("b"), call("c")] }],
    });
    expect((await asked.promise)[0]?.content).toMatchObject([
      { id: "a" },
      { id: "b" },
      { id: "c" },
    ]);
  });
});
