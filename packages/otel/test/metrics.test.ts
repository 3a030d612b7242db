import { run, withDetails } from "@fullstop/loop";
import { mock, type Say } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { traceRuns } from "../src/index.ts";
import { call, received, toolNamed, traced } from "./agents.ts";
import { collector } from "./collector.ts";

const cutCalls: Say = {
  calls: [
    { name: "pay", id: "p", inputText: '{"to":"Zo' },
    { name: "pay", id: "q", inputText: '{"to":' },
  ],
  stop: "length",
};
const chat = {
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "mock",
  "gen_ai.request.model": "mock",
};

test("withheld calls are counted by reason and provider", async () => {
  const { points, spansNamed } = await traced({ adapter: mock([cutCalls, "Too long."]) });
  const reason = spansNamed("chat mock")[0]?.attributes["fullstop.withheld.reason"];
  expect(reason).toEqual(expect.any(String));
  expect(points.filter(({ name }) => name === "fullstop.withheld")).toEqual([
    {
      name: "fullstop.withheld",
      unit: "{call}",
      attributes: { ...chat, "fullstop.withheld.reason": reason },
      count: 1,
      sum: 2,
      bounds: undefined,
    },
  ]);
});

test("the metrics of the conventions have their units, attributes and boundaries", async () => {
  const { points, spans } = await traced({
    adapter: mock([call("look"), "It rains."]),
    tools: [toolNamed("look")],
  });
  const seen = points.map(({ name, unit, attributes, count }) => ({
    name,
    unit,
    attributes,
    count,
  }));
  const tokens = { name: "gen_ai.client.token.usage", unit: "{token}", count: 2 };
  expect(seen).toHaveLength(6);
  expect(seen).toEqual(
    expect.arrayContaining([
      { name: "gen_ai.client.operation.duration", unit: "s", attributes: chat, count: 2 },
      {
        name: "gen_ai.client.operation.time_to_first_chunk",
        unit: "s",
        attributes: chat,
        count: 2,
      },
      { ...tokens, attributes: { ...chat, "gen_ai.token.type": "input" } },
      { ...tokens, attributes: { ...chat, "gen_ai.token.type": "output" } },
      {
        name: "gen_ai.invoke_agent.duration",
        unit: "s",
        attributes: { ...chat, "gen_ai.operation.name": "invoke_agent" },
        count: 1,
      },
      {
        name: "gen_ai.execute_tool.duration",
        unit: "s",
        attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look" },
        count: 1,
      },
    ]),
  );
  const boundsOf = (name: string) => points.find((point) => point.name === name)?.bounds;
  expect(boundsOf("gen_ai.client.operation.duration")).toEqual([
    0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
  ]);
  expect(boundsOf("gen_ai.client.token.usage")).toEqual([
    1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864,
  ]);
  const sumOf = (name: string): number =>
    points.filter((point) => point.name === name).reduce((total, { sum }) => total + sum, 0);
  expect(sumOf("gen_ai.client.token.usage")).toBe(240);
  const root = spans.find(({ name }) => name === "invoke_agent");
  expect(sumOf("gen_ai.invoke_agent.duration") * 1000).toBeCloseTo(root?.ms ?? -1);
});

test("a failed request and a failed tool have their error types", async () => {
  const { points } = await traced({
    adapter: mock([call("look"), { stop: "error" }]),
    tools: [
      toolNamed("look", () => {
        throw new Error("No.");
      }),
    ],
    recovery: { requests: 1 },
  });
  const errorsOf = (name: string): readonly unknown[] =>
    points.filter((point) => point.name === name).map(({ attributes }) => attributes["error.type"]);
  expect(errorsOf("gen_ai.client.operation.duration")).toEqual([undefined, "server"]);
  expect(errorsOf("gen_ai.execute_tool.duration")).toEqual(["tool_error"]);
  expect(errorsOf("gen_ai.invoke_agent.duration")).toEqual(["server"]);
});

test("with `chunkTimes` the time between the chunks of each reply is measured, without it not", async () => {
  const name = "gen_ai.client.operation.time_per_output_chunk";
  for (const chunkTimes of [true, false]) {
    const sink = await collector({ chunkTimes });
    const arrivals: number[][] = [];
    const onEvent = withDetails((event) => {
      if (event.type === "request") arrivals.push([]);
      if (event.type === "chunk") arrivals.at(-1)?.push(event.at);
      sink.onEvent(event);
    });
    const adapter = mock([call("look"), "It rains all day."]);
    await run({ adapter, tools: [toolNamed("look")], prompt: "Go.", onEvent }).outcome();
    const points = (await received(sink)).points.filter((point) => point.name === name);
    expect(arrivals.map(({ length }) => length > 2)).toEqual([true, true]);
    const gaps = arrivals.reduce((total, { length }) => total + length - 1, 0);
    const seconds = arrivals.map((times) => ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000);
    expect(points).toMatchObject(
      chunkTimes ? [{ unit: "s", attributes: chat, count: gaps, bounds: expect.any(Array) }] : [],
    );
    if (chunkTimes) expect(points[0]?.sum).toBeCloseTo(seconds.reduce((one, other) => one + other));
  }
});

test("the loop reports chunks to an observer with `chunkTimes`, and otherwise not", async () => {
  const countOf = async (chunkTimes: boolean): Promise<number> => {
    const adapter = mock(["It rains all day."]);
    const { points } = await traced({ adapter }, false, { chunkTimes });
    return points.filter(({ name }) => name.endsWith("time_per_output_chunk")).length;
  };
  expect([await countOf(true), await countOf(false)]).toEqual([1, 0]);
});

test("an option that does not exist is refused, with the option that was probably meant", () => {
  const trace = (options: object) => () => traceRuns(options);
  expect(trace({ contents: true })).toThrow(
    "Unknown option `contents` of `traceRuns`. Did you mean `content`?",
  );
  expect(trace({ agentname: "writer" })).toThrow("Did you mean `agentName`?");
  expect(trace({ content: "yes" })).toThrow("`content` of `traceRuns`");
});
