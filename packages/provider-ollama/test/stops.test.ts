import { readTurn } from "@fullstop/core";
import type { StopTable } from "@fullstop/core/adapter";
import { type OllamaStop, stops } from "@fullstop/provider-ollama/reply";
import { describe, expect, test } from "vitest";
import { call, calls, last, text } from "./chunks.ts";
import { serveOllama } from "./server.ts";

/** The replies below use 12 tokens: below the cap, but more than half of it. */
const request = { messages: [{ role: "user", content: "Go." }], maxTokens: 20 } as const;

describe("done_reason", () => {
  test.each([
    ["stop", "stop", "tool-use"],
    ["length", "length", "length"],
    ["tool_calls", "malformed-tool-call", "tool-use"],
    ["load", "error", "error"],
    ["unload", "error", "error"],
    ["a_new_word", "unknown", "unknown"],
    ["", "interrupted", "interrupted"],
    [undefined, "interrupted", "interrupted"],
  ])("%s is %s, and with a call %s", async (native, alone, withCall) => {
    const server = serveOllama(
      [text("Hi."), last(native)],
      [text("Hi."), calls(call("read", {})), last(native)],
    );
    const plain = await readTurn(server.adapter(), request);
    expect([plain.stopReason, plain.text]).toEqual([alone, "Hi."]);
    const called = await readTurn(server.adapter(), request);
    expect([called.stopReason, called.calls.length]).toEqual([
      withCall,
      withCall === "tool-use" ? 1 : 0,
    ]);
  });

  test.each<[word: object, stop: string]>([
    [{ finish_reason: "length" }, "length"],
    [{ stop_reason: "max_tokens" }, "length"],
    [{ message: { role: "assistant", content: "", finish_reason: "length" } }, "length"],
    [{ finish_reason: "tool_calls", status: "completed" }, "tool-use"],
    [{ finish_reason: null, stop_reason: "</end>" }, "tool-use"],
  ])("of all words the worst counts: %j beside it", async (word, stop) => {
    const events = [calls(call("read", {})), { ...(last("stop") as object), ...word }];
    const server = serveOllama(events as never);
    const turn = await readTurn(server.adapter(), request);
    expect([turn.stopReason, turn.calls.length]).toEqual([stop, stop === "tool-use" ? 1 : 0]);
  });

  test("`load` says that the same request gets the same answer", async () => {
    const turn = await readTurn(serveOllama([last("load", 0)]).adapter(), request);
    expect(turn).toMatchObject({
      stopReason: "error",
      native: { stop: "load" },
      error: {
        kind: "invalid-request",
        message: expect.stringContaining("The request had no message for the model to answer"),
      },
    });
  });

  test("`length` far below the cap is a full window, because `shift` is off", async () => {
    const turn = await readTurn(serveOllama([text("Hi."), last("length")]).adapter(), {
      ...request,
      maxTokens: 1000,
    });
    expect(turn.stopReason).toBe("context-window");
  });

  test("a reason without `done: true` does not end a reply", async () => {
    const early = { ...last("stop"), done: false };
    expect((await readTurn(serveOllama([text("Hi."), early]).adapter(), request)).stopReason).toBe(
      "interrupted",
    );
  });

  test("an option adds the reasons of another server", async () => {
    const options = { stops: { repeat: "error" } } as const;
    const server = serveOllama([text("Hi."), last("repeat")]);
    expect((await readTurn(server.adapter(options), request)).stopReason).toBe("error");
  });

  test("a table without one of the reasons does not compile", () => {
    const { load: _, ...rest } = stops as Record<OllamaStop, "stop">;
    // @ts-expect-error load is missing
    const table: StopTable<OllamaStop> = rest;
    expect(Object.keys(table)).not.toContain("load");
  });
});

describe("a reply in one piece", () => {
  const whole = (reply: object) => serveOllama(() => Response.json(reply));
  const read = (reply: object) => readTurn(whole(reply).adapter({ stream: false }), { ...request });

  test("is finished with `done: true`", async () => {
    const turn = await read(last("stop", 12, { tool_calls: [call("read", { path: "a" })] }));
    expect([turn.stopReason, turn.calls[0]?.input]).toEqual(["tool-use", { path: "a" }]);
  });

  /** ollama/ollama#18374: what the server sent when the model repeated a token. */
  test("is interrupted with `done: false`, although the status is 200", async () => {
    const turn = await read({ ...last("stop"), done: false, done_reason: undefined });
    expect([turn.stopReason, turn.calls]).toEqual(["interrupted", []]);
  });
});

describe("a stream that ends without `done: true`", () => {
  /** ollama/ollama#18359: the same, from a model that repeated a token. */
  test("is interrupted, and its calls do not run", async () => {
    const server = serveOllama([text("Hi."), calls(call("read", {}))]);
    const turn = await readTurn(server.adapter(), request);
    expect(turn).toMatchObject({ stopReason: "interrupted", calls: [], error: { kind: "cut" } });
  });

  test("is interrupted if its last line is cut", async () => {
    const server = serveOllama(
      `${JSON.stringify(calls(call("read", {})))}\n${JSON.stringify(last("stop")).slice(0, -1)}`,
    );
    expect((await readTurn(server.adapter(), request)).stopReason).toBe("interrupted");
  });

  test("is finished if only the line end after `done: true` is missing", async () => {
    const server = serveOllama(
      `${JSON.stringify(calls(call("read", {})))}\n${JSON.stringify(last("stop"))}`,
    );
    expect((await readTurn(server.adapter(), request)).stopReason).toBe("tool-use");
  });
});
