import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileJournal } from "@fullstop/journal-file";
import { agentTool, jsonSchema, needsInput, type RunOptions, run, type Tool } from "@fullstop/loop";
import { mock, type Script } from "@fullstop/provider-mock";
import { context, SpanStatusCode } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { describe, expect, onTestFinished, test } from "vitest";
import { traceRuns } from "../src/index.ts";
import { call, received, toolNamed, traced } from "./agents.ts";
import { collector, type ReceivedSpan } from "./collector.ts";

const agent = (name: string, script: Script, tools: readonly Tool[] = []): Tool<unknown> =>
  agentTool({
    name,
    description: name,
    inputSchema: jsonSchema({ type: "object" }),
    run: () => ({ adapter: mock(script), prompt: "Sub.", tools }),
  });

/** A file that the test removes. */
function journal(): NonNullable<RunOptions["journal"]> {
  const runId = `run-${crypto.randomUUID()}`;
  const file = join(tmpdir(), `${runId}.jsonl`);
  onTestFinished(() => rm(file, { force: true }));
  return { store: fileJournal(file), runId };
}

const eventsNamed = (span: ReceivedSpan, name: string) =>
  span.events.filter((event) => event.name === name).map(({ attributes }) => attributes);

test("sub-agents are nested in the tools that start them, also side by side and two deep", async () => {
  const deep = agent("deep", ["Deep."]);
  const tools = [
    agent("left", [call("deep"), "Left."], [deep]),
    agent("right", [call("look"), "Right."], [toolNamed("look")]),
  ];
  const both = ["left", "right"].map((name) => ({ name, id: name, input: {} }));
  const { spans, spanNamed } = await traced({
    adapter: mock([{ calls: both }, "Done."]),
    tools,
  });
  const nameOf = (id: string | undefined) => spans.find((span) => span.id === id)?.name;
  for (const name of ["left", "right", "deep"])
    expect(nameOf(spanNamed(`invoke_agent ${name}`).parentId)).toBe(`execute_tool ${name}`);
  expect(nameOf(spanNamed("execute_tool deep").parentId)).toBe("invoke_agent left");
  expect(nameOf(spanNamed("execute_tool look").parentId)).toBe("invoke_agent right");
  expect(spanNamed("invoke_agent left").attributes["gen_ai.agent.name"]).toBe("left");
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(new Set(spans.map(({ attributes }) => attributes["gen_ai.conversation.id"])).size).toBe(1);
});

describe("a run", () => {
  const manager = new AsyncLocalStorageContextManager();

  test("is a child of the span that is active when it starts", async () => {
    context.setGlobalContextManager(manager.enable());
    onTestFinished(() => context.disable());
    const sink = await collector();
    const tracer = sink.tracerProvider.getTracer("caller");
    const agents = ["a", "b"].map((name) => ({
      name,
      agent: run({ adapter: mock(["Done."]), prompt: "Go.", onEvent: sink.onEvent }),
    }));
    await Promise.all(
      agents.map(({ name, agent: one }) =>
        tracer.startActiveSpan(name, async (span) => {
          await one.outcome();
          span.end();
        }),
      ),
    );
    const { spans, spansNamed, spanNamed } = await received(sink);
    expect(spans).toHaveLength(6);
    expect(new Set(spansNamed("invoke_agent").map(({ parentId }) => parentId))).toEqual(
      new Set([spanNamed("a").id, spanNamed("b").id]),
    );
  });

  test("that is left ends its spans", async () => {
    const sink = await collector();
    const started = Promise.withResolvers<void>();
    const look = toolNamed("look", () => {
      started.resolve();
      return new Promise(() => {});
    });
    const events = run({
      adapter: mock([call("look")]),
      tools: [look],
      prompt: "Go.",
      onEvent: sink.onEvent,
    });
    for await (const event of events) {
      if (event.type !== "tool-call") continue;
      await started.promise;
      break;
    }
    const { spanNamed } = await received(sink);
    expect(spanNamed("invoke_agent").attributes["fullstop.status"]).toBe("aborted");
    expect(spanNamed("execute_tool look").attributes["error.type"]).toBe("in_doubt");
    expect(spanNamed("chat mock")).toBeDefined();
  });

  test("that rejects ends its spans with `end`, and leaves those of other runs", async () => {
    const sink = await collector();
    const { store, runId } = journal();
    const failing: typeof store = {
      open: async (...args) => ({
        ...(await store.open(...args)),
        end: async (step) => {
          if (step.kind === "tool") throw new RangeError("The disk is full.");
        },
      }),
    };
    const outcome = run({
      adapter: mock([call("look"), "Done."]),
      tools: [toolNamed("look")],
      prompt: "Go.",
      journal: { store: failing, runId },
      onEvent: sink.onEvent,
    }).outcome();
    const error: unknown = await outcome.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect((await sink.received()).spans.map(({ name }) => name)).toEqual(["chat mock"]);
    sink.onEvent.end({ runId: "another", error });
    expect((await sink.received()).spans).toHaveLength(1);
    sink.onEvent.end({ runId, error });
    sink.onEvent.end();
    const { spans, spanNamed } = await received(sink);
    expect(spans).toHaveLength(3);
    const { name } = error as Error;
    for (const span of [spanNamed("invoke_agent"), spanNamed("execute_tool look")]) {
      expect(span.attributes["error.type"]).toBe(name);
      expect(span.status.code).toBe(SpanStatusCode.ERROR);
    }
  });

  test("that rejected and starts again is a new span, also if `end` was not called", async () => {
    const sink = await collector();
    const { store, runId } = journal();
    let isFull = true;
    const filling: typeof store = {
      open: async (...args) => {
        const lease = await store.open(...args);
        const end: typeof lease.end = async (step, json) => {
          if (isFull && step.key === `${runId}/2/model`) throw new RangeError("The disk is full.");
          await lease.end(step, json);
        };
        return { ...lease, end };
      },
    };
    const options = {
      tools: [toolNamed("look")],
      prompt: "Go.",
      journal: { store: filling, runId },
    };
    const start = (script: Script) =>
      run({ ...options, adapter: mock(script), onEvent: sink.onEvent }).outcome();
    await expect(start([call("look"), "Lost."])).rejects.toThrow();
    isFull = false;
    await start(["Done."]);
    const { spansNamed } = await received(sink);
    const roots = spansNamed("invoke_agent");
    expect(roots.map(({ attributes }) => attributes["error.type"])).toEqual(["_OTHER", undefined]);
    expect(roots.map(({ attributes }) => attributes["fullstop.status"])).toEqual([
      undefined,
      "done",
    ]);
    expect(spansNamed("chat mock").map(({ parentId }) => parentId)).toEqual([
      roots[0]?.id,
      roots[0]?.id,
      roots[1]?.id,
    ]);
  });

  test("works without an SDK: nothing is recorded, and nothing throws", async () => {
    const outcome = await run({
      adapter: mock([call("look"), "Done."]),
      tools: [toolNamed("look")],
      prompt: "Go.",
      onEvent: traceRuns(),
    }).outcome();
    expect(outcome.status).toBe("done");
    expect(outcome).not.toHaveProperty("observerError");
  });
});

describe("a journaled run", () => {
  test("that is replayed has events instead of spans for what it did before", async () => {
    const shared = journal();
    const options = { tools: [toolNamed("look")], approve: () => true, journal: shared };
    const script = [call("look"), "Done."];
    const first = await traced({ ...options, adapter: mock(script) });
    expect(first.spans).toHaveLength(4);
    const again = await traced({ ...options, adapter: mock([]) });
    expect(again.outcome.status).toBe("done");
    expect(again.spans.map(({ name }) => name)).toEqual(["invoke_agent"]);
    const root = again.spanNamed("invoke_agent");
    expect(root.events.map(({ name }) => name)).toEqual([
      "fullstop.replayed_turn",
      "fullstop.approval",
      "fullstop.replayed_call",
      "fullstop.replayed_turn",
    ]);
    expect(eventsNamed(root, "fullstop.approval")[0]?.["fullstop.replayed"]).toBe(true);
    expect(eventsNamed(root, "fullstop.replayed_turn")[0]).toMatchObject({
      "fullstop.replayed": true,
      "gen_ai.response.finish_reasons": ["tool-use"],
    });
    expect(root.attributes).not.toHaveProperty("gen_ai.usage.input_tokens");
    expect(again.points.map(({ name }) => name)).toEqual(["gen_ai.invoke_agent.duration"]);
  });

  test("that waits for a person ends its spans, and is no error", async () => {
    const shared = journal();
    const ask = toolNamed("ask", (_, { given }) =>
      given === undefined ? needsInput("Which?", {}) : "ok",
    );
    const options = { tools: [ask], journal: shared };
    const waits = await traced({ ...options, adapter: mock([call("ask")]) });
    expect(waits.outcome.status).toBe("waiting");
    const tool = waits.spanNamed("execute_tool ask");
    expect(tool.attributes["fullstop.waiting"]).toBe(true);
    expect(tool.status.code).toBe(SpanStatusCode.UNSET);
    expect(waits.spanNamed("invoke_agent").status.code).toBe(SpanStatusCode.UNSET);
    const goesOn = await traced({
      ...options,
      adapter: mock(["Done."]),
      waiting: { inputs: { ask: "the left one" } },
    } as Partial<RunOptions>);
    const root = goesOn.spanNamed("invoke_agent");
    expect(eventsNamed(root, "fullstop.input")).toMatchObject([{ "fullstop.input": "given" }]);
    expect(goesOn.text).not.toContain("the left one");
  });

  test("whose call is in doubt after a kill has a span without a length", async () => {
    const shared = journal();
    const stopped = new AbortController();
    const pay = toolNamed("pay", () => {
      stopped.abort();
      return new Promise(() => {});
    });
    const options = { tools: [pay], journal: { ...shared, settle: () => "unknown" as const } };
    await traced({ ...options, adapter: mock([call("pay")]), signal: stopped.signal });
    const { spanNamed } = await traced({ ...options, adapter: mock(["Done."]) });
    expect(spanNamed("execute_tool pay")).toMatchObject({
      ms: 0,
      attributes: { "error.type": "in_doubt", "fullstop.untimed": true, "fullstop.in_doubt": true },
    });
    expect(eventsNamed(spanNamed("invoke_agent"), "fullstop.settlement")).toMatchObject([
      { "fullstop.settlement": "unknown", "gen_ai.tool.name": "pay" },
    ]);
  });
});

test("options that cannot work are refused with their names", () => {
  expect(() => traceRuns({ contents: true } as object)).toThrow("Unknown option `contents`");
  expect(() => traceRuns({ content: "yes" } as object)).toThrow("`content` of `traceRuns`");
  expect(() => traceRuns({ tracer: "mine" } as object)).toThrow("`tracer`");
});
