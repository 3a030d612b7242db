import { type RunOptions, UnknownOutcome } from "@fullstop/loop";
import { mock, type Say } from "@fullstop/provider-mock";
import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { describe, expect, test } from "vitest";
import { call, toolNamed, traced } from "./agents.ts";

/** OTLP counts kinds from 1. */
const otlpKind = (kind: SpanKind): number => kind + 1;
const cutCall: Say = { calls: [{ name: "pay", id: "p", inputText: '{"to":"Zo' }], stop: "length" };

describe("a run with a tool", () => {
  const ask = () =>
    traced({
      adapter: mock([call("look"), "It rains."]),
      tools: [toolNamed("look", () => "rain")],
      request: { maxTokens: 500 },
    });

  test("is a span with its requests and its tools", async () => {
    const { spans, spanNamed, spansNamed } = await ask();
    const root = spanNamed("invoke_agent");
    expect(spans).toHaveLength(4);
    expect(spans.filter(({ parentId }) => parentId === root.id)).toHaveLength(3);
    expect(root.parentId ?? "").toBe("");
    expect(root.kind).toBe(otlpKind(SpanKind.INTERNAL));
    expect(spanNamed("execute_tool look").kind).toBe(otlpKind(SpanKind.INTERNAL));
    expect(spansNamed("chat mock").map(({ kind }) => kind)).toEqual(
      Array.from({ length: 2 }, () => otlpKind(SpanKind.CLIENT)),
    );
  });

  test("has the attributes of the conventions", async () => {
    const { spanNamed, spansNamed } = await ask();
    const { attributes: root } = spanNamed("invoke_agent");
    const id = root["gen_ai.conversation.id"];
    expect(root).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "mock",
      "gen_ai.request.model": "mock",
      "gen_ai.conversation.id": expect.any(String),
      "gen_ai.usage.input_tokens": 200,
      "gen_ai.usage.output_tokens": 40,
      "fullstop.status": "done",
      "fullstop.turns": 2,
    });
    expect(spansNamed("chat mock")[0]?.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.conversation.id": id,
      "gen_ai.request.max_tokens": 500,
      "gen_ai.response.finish_reasons": ["tool-use"],
      "gen_ai.response.time_to_first_chunk": expect.any(Number),
      "gen_ai.usage.input_tokens": 100,
      "gen_ai.usage.output_tokens": 20,
      "fullstop.stop_reason": "tool-use",
      "fullstop.turn": 1,
      "fullstop.attempt": 1,
      "fullstop.kept": true,
    });
    expect(spanNamed("execute_tool look").attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.conversation.id": id,
      "gen_ai.tool.name": "look",
      "gen_ai.tool.call.id": "look",
      "gen_ai.tool.type": "function",
    });
  });
});

test("a cut call is an event of its request, and the next request says why it was sent", async () => {
  const { spanNamed, spansNamed } = await traced({
    adapter: mock([cutCall, "Too long."], { maxTokens: { default: 100, ceiling: 1000 } }),
    tools: [toolNamed("pay")],
  });
  const [cut, again] = spansNamed("chat mock");
  expect(cut?.attributes).toMatchObject({
    "fullstop.stop_reason": "length",
    "gen_ai.request.max_tokens": 100,
    "gen_ai.response.finish_reasons": ["length"],
    "fullstop.withheld.reason": expect.any(String),
    "fullstop.rule": expect.any(String),
    "fullstop.kept": false,
  });
  expect(cut?.events).toEqual([
    {
      name: "fullstop.withheld_call",
      attributes: {
        "fullstop.withheld.reason": cut?.attributes["fullstop.withheld.reason"],
        "gen_ai.tool.name": "pay",
        "gen_ai.tool.call.id": "p",
        "fullstop.withheld.input_bytes": 9,
      },
    },
  ]);
  expect(again?.attributes).toMatchObject({
    "fullstop.attempt": 2,
    "fullstop.recovery": "raise-cap",
    "gen_ai.request.max_tokens": 200,
  });
  expect(spanNamed("invoke_agent").events).toEqual([
    {
      name: "fullstop.recovery",
      attributes: {
        "fullstop.recovery": "raise-cap",
        "fullstop.stop_reason": "length",
        "fullstop.turn": 1,
      },
    },
  ]);
});

test.each<[string, Partial<RunOptions>, Record<string, unknown>]>([
  ["refused", { adapter: mock([{ stop: "refusal" }]) }, { "error.type": "refused" }],
  [
    "truncated",
    { adapter: mock([cutCall]), recovery: { requests: 1, notes: 0 } },
    { "error.type": "truncated" },
  ],
  [
    "limit",
    { adapter: mock([call("look")]), limits: { turns: 1 } },
    { "error.type": "limit", "fullstop.limit": "turns" },
  ],
  [
    "failed",
    { adapter: mock([{ stop: "error" }]), recovery: { requests: 1 } },
    { "error.type": "server" },
  ],
])("a run that is %s is an error with a type", async (status, options, expected) => {
  const { spanNamed } = await traced({ tools: [toolNamed("pay"), toolNamed("look")], ...options });
  const root = spanNamed("invoke_agent");
  expect(root.attributes).toMatchObject({ "fullstop.status": status, ...expected });
  expect(root.status.code).toBe(SpanStatusCode.ERROR);
});

test("a request that failed has the kind of its error", async () => {
  const { spansNamed } = await traced({
    adapter: mock([{ stop: "error" }, "Done."]),
  });
  const [failed, again] = spansNamed("chat mock");
  expect(failed?.attributes).toMatchObject({ "error.type": "server" });
  expect(failed?.status.code).toBe(SpanStatusCode.ERROR);
  expect(again?.attributes).toMatchObject({ "fullstop.recovery": "retry" });
  expect(again?.status.code).toBe(SpanStatusCode.UNSET);
});

test("a fallback is a request to another model", async () => {
  const other = { ...mock(["Done."]), model: "other", provider: "google" };
  const { spanNamed } = await traced({
    adapter: mock([{ stop: "refusal" }]),
    recovery: { fallback: [{ adapter: other }] },
  });
  expect(spanNamed("chat mock").attributes["fullstop.stop_reason"]).toBe("refusal");
  expect(spanNamed("chat other").attributes).toMatchObject({
    "fullstop.recovery": "fallback",
    "gen_ai.provider.name": "gcp.gen_ai",
  });
});

describe("a tool", () => {
  const payWith = (tool: ReturnType<typeof toolNamed>, options: Partial<RunOptions> = {}) =>
    traced({ adapter: mock([call("pay"), "Done."]), tools: [tool], ...options });

  test.each<[string, string, ReturnType<typeof toolNamed>]>([
    [
      "that fails",
      "tool_error",
      toolNamed("pay", () => {
        throw new Error("No.");
      }),
    ],
    [
      "that does not end",
      "timeout",
      toolNamed("pay", () => new Promise(() => {}), { timeoutMs: 5 }),
    ],
    [
      "that does not know its outcome",
      "in_doubt",
      toolNamed("pay", () => {
        throw new UnknownOutcome("The answer was lost.");
      }),
    ],
  ])("%s has the error type %s", async (_, type, tool) => {
    const { spanNamed } = await payWith(tool);
    const { attributes, status } = spanNamed("execute_tool pay");
    expect(attributes["error.type"]).toBe(type);
    expect(attributes["fullstop.in_doubt"]).toBe(type === "tool_error" ? undefined : true);
    expect(status.code).toBe(SpanStatusCode.ERROR);
  });

  test("that is denied did not run", async () => {
    const { spanNamed, points } = await payWith(toolNamed("pay"), {
      approve: () => ({ deny: "secret reason" }),
    });
    expect(spanNamed("execute_tool pay")).toMatchObject({
      ms: 0,
      attributes: { "error.type": "refused", "fullstop.not_run": true },
    });
    expect(spanNamed("invoke_agent").events).toEqual([
      {
        name: "fullstop.approval",
        attributes: {
          "gen_ai.tool.name": "pay",
          "gen_ai.tool.call.id": "pay",
          "fullstop.decision": "denied",
        },
      },
    ]);
    expect(points.filter(({ name }) => name === "gen_ai.execute_tool.duration")).toEqual([]);
  });
});

test("a call that the model wrote as text is named by its request", async () => {
  const { spansNamed } = await traced({
    adapter: mock(['I look. <tool_call>{"name":"look","arguments":{}}</tool_call>', "Done."]),
    tools: [toolNamed("look")],
  });
  const [first, second] = spansNamed("chat mock");
  expect(first?.attributes).toMatchObject({
    "fullstop.leaked_call.tool": "look",
    "fullstop.leaked_call.form": "tool-call-json",
    "fullstop.stop_reason": "stop",
  });
  expect(second?.attributes).toMatchObject({ "fullstop.recovery": "tell-model" });
  expect(second?.attributes).not.toHaveProperty("fullstop.leaked_call.tool");
});
