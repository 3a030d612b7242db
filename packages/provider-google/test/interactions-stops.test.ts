import { interactionsErrors, interactionsStops } from "@fullstop/provider-google/reply";
import { describe, expect, test } from "vitest";
import {
  called,
  completed,
  created,
  json,
  reply,
  said,
  serveInteractions,
  stepEvents,
  thought,
  usage,
} from "./interactions-server.ts";

/** The replies below use 20 tokens: below the cap, but more than half of it. */
const request = { maxTokens: 30 };

describe("statuses", () => {
  test.each([
    ["completed", "stop", "tool-use"],
    ["requires_action", "malformed-tool-call", "tool-use"],
    ["incomplete", "length", "length"],
    ["budget_exceeded", "length", "length"],
    ["requires_continuation", "pause", "pause"],
    ["failed", "error", "error"],
    ["cancelled", "error", "error"],
    ["in_progress", "interrupted", "interrupted"],
    ["queued", "interrupted", "interrupted"],
    ["a_new_status", "unknown", "unknown"],
    ["", "interrupted", "interrupted"],
  ])("%s is %s, and with a complete call %s", async (status, alone, withCall) => {
    const server = await serveInteractions(
      reply(status, said("Hi.")),
      reply(status, said("Hi."), called("read")),
    );
    const plain = await server.ask(request);
    expect([plain.stopReason, plain.text]).toEqual([alone, "Hi."]);
    const turn = await server.ask(request);
    expect(turn.stopReason).toBe(withCall);
    expect(turn.calls.length).toBe(withCall === "tool-use" ? 1 : 0);
  });

  test("the worst word counts, also under the name of another protocol", async () => {
    const { step, deltas } = called("read");
    const whole = { ...step, arguments: JSON.parse(String(deltas?.[0]?.["arguments"])) };
    const ask = async (members: object, rest: object = {}) => {
      const end = { ...completed("completed", members), ...rest };
      const body = { id: "", status: "completed", steps: [whole], usage, ...members };
      const server = await serveInteractions(
        [created, ...stepEvents([called("read")]), end],
        json(body),
      );
      const turns = [await server.ask(request), await server.ask(request, { stream: false })];
      return turns.map(({ stopReason, calls }) => `${stopReason} ${calls.length}`);
    };
    expect(await ask({ stop_reason: "length" })).toEqual(["length 0", "length 0"]);
    expect(await ask({ finishReason: "SAFETY" })).toEqual(["content-filter 0", "content-filter 0"]);
    expect(await ask({ finish_reason: "failed" })).toEqual(["error 0", "error 0"]);
    expect(await ask({ incomplete_details: { reason: "max_output_tokens" } })).toEqual([
      "length 0",
      "length 0",
    ]);
    expect((await ask({}, { finish_reason: "length" }))[0]).toBe("length 0");
    expect(await ask({ stop_reason: null, finish_reason: "stop" })).toEqual([
      "tool-use 1",
      "tool-use 1",
    ]);
  });

  test("a status before the end is not the end", async () => {
    const update = {
      event_type: "interaction.status_update",
      interaction_id: "",
      status: "requires_action",
    };
    const steps = stepEvents([thought(), called("read")]);
    const server = await serveInteractions(
      [created, ...steps, update],
      [created, update, ...steps, completed("requires_action")],
      [created, ...steps, { ...update, status: "incomplete" }, completed("requires_action")],
    );
    expect((await server.ask()).stopReason).toBe("interrupted");
    expect((await server.ask()).stopReason).toBe("tool-use");
    expect((await server.ask(request)).stopReason).toBe("length");
  });

  test("a status `failed` before the end is an error, also if the end says nothing of it", async () => {
    const failed = {
      event_type: "interaction.status_update",
      interaction_id: "",
      status: "failed",
    };
    const steps = stepEvents([called("read")]);
    const blocked = { code: "safety", message: "Safety violations blocked the request." };
    const server = await serveInteractions(
      [created, ...steps, failed],
      [created, ...steps, failed, completed("requires_action")],
      [created, ...steps, failed, { event_type: "error", error: blocked }],
      [created, ...steps, failed, completed("failed", { errors: [blocked] })],
    );
    const unexplained = {
      stopReason: "error",
      calls: [],
      error: { kind: "server", code: "failed" },
    };
    expect(await server.ask(request)).toMatchObject(unexplained);
    expect(await server.ask(request)).toMatchObject(unexplained);
    const explained = {
      stopReason: "content-filter",
      calls: [],
      rules: expect.arrayContaining([
        expect.objectContaining({ rule: "noProviderError", passed: false }),
      ]),
    };
    expect(await server.ask(request)).toMatchObject(explained);
    expect(await server.ask(request)).toMatchObject(explained);
  });

  test("the table lists what the SDK's type lists", () => {
    expect(Object.keys(interactionsStops)).toEqual([
      "completed",
      "requires_action",
      "incomplete",
      "budget_exceeded",
      "requires_continuation",
      "failed",
      "cancelled",
      "in_progress",
      "queued",
    ]);
  });
});

describe("errors", () => {
  const blocked = { code: "safety", message: "Safety violations blocked the request." };
  test("a failed interaction says why in `errors`", async () => {
    const server = await serveInteractions(
      json({ id: "", status: "failed", errors: [blocked], steps: [] }),
      json({ id: "", status: "failed", steps: [] }),
    );
    const first = await server.ask({}, { stream: false });
    expect(first).toMatchObject({ stopReason: "content-filter", native: { stop: "failed" } });
    const second = await server.ask({}, { stream: false });
    expect(second).toMatchObject({
      stopReason: "error",
      error: { kind: "server", code: "failed" },
    });
  });

  test("an error of a step or of the stream counts, and no call runs", async () => {
    const server = await serveInteractions(
      reply("completed", called("read"), {
        step: { type: "model_output", error: { code: 13, message: "Broken." } },
      }),
      [created, ...stepEvents([called("read")]), { event_type: "error", error: blocked }],
      [created, ...stepEvents([called("read")]), { error: { message: "No shape." } }],
      [created, ...stepEvents([called("read")]), { event_type: "error" }, completed("completed")],
    );
    const outline = async () => {
      const { stopReason, calls } = await server.ask();
      return [stopReason, calls.length];
    };
    expect(await outline()).toEqual(["error", 0]);
    expect(await outline()).toEqual(["content-filter", 0]);
    expect(await outline()).toEqual(["error", 0]);
    expect(await outline()).toEqual(["error", 0]);
  });

  test.each(Object.entries(interactionsErrors).filter(([code]) => /^[a-z_]+$/.test(code)))(
    "%s is %s",
    async (code, kind) => {
      const server = await serveInteractions([
        created,
        { event_type: "error", error: { code, message: "No." } },
      ]);
      const turn = await server.ask();
      if (kind === "filtered") expect(turn.stopReason).toBe("content-filter");
      else expect(turn).toMatchObject({ error: { kind, code } });
    },
  );
});

describe("usage against the cap", () => {
  test("a call at the cap is withheld; thoughts count", async () => {
    const server = await serveInteractions(reply("requires_action", thought(), called("read")));
    expect((await server.ask({ maxTokens: 21 })).stopReason).toBe("tool-use");
    expect((await server.ask({ maxTokens: 20 })).stopReason).toBe("length");
  });

  test("counts of the service's own tools are sums, and are not compared with the cap", async () => {
    const search = { step: { type: "google_search_call", id: "s", arguments: { queries: ["a"] } } };
    const found = { step: { type: "google_search_result", call_id: "s", result: [] } };
    const server = await serveInteractions(reply("requires_action", search, found, called("read")));
    expect((await server.ask({ maxTokens: 20 })).stopReason).toBe("tool-use");
  });
});
