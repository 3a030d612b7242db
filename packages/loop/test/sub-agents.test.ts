import { validateHistory } from "@fullstop/core";
import {
  type AgentOptions,
  jsonSchema,
  type RunEvent,
  type RunOptions,
  run,
  type Tool,
} from "@fullstop/loop";
import { mock, type Say, type Script } from "@fullstop/provider-mock";
import { describe, expect, test } from "vitest";
import { agent, scripted } from "./agents.ts";
import { memoryJournal } from "./memory.ts";
import { call, calls, resultsIn, runScript } from "./script-run.ts";
import { eventsOfType, recorder, runWatched } from "./tools.ts";

describe("the result of the call", () => {
  test("is the text of a sub-agent that is done", async () => {
    const look = recorder("look", () => "It rains.");
    const asked = mock([call("look"), "Rain."]);
    const research = agent("research", ({ task }) => ({
      adapter: asked,
      prompt: task ?? "",
      tools: [look],
    }));
    const { outcome, results, model } = await runScript(
      [call("research", { task: "Oslo?" }), "Take a coat."],
      [research],
    );
    expect(outcome).toMatchObject({ status: "done", text: "Take a coat.", turns: 2 });
    expect(results).toEqual(["Rain."]);
    expect(asked.requests[0]?.messages).toEqual([{ role: "user", content: "Oslo?" }]);
    expect(look.ran).toHaveLength(1);
    model.assertDone();
  });

  test("is the output as JSON, also if it has the shape of a block", async () => {
    const answer = '{"type":"text","text":"Rain."}';
    const typed = agent("research", () => ({
      adapter: { ...mock([answer]), outputFormat: "always" },
      prompt: "Oslo?",
      output: jsonSchema({ type: "object" }),
    }));
    const { results } = await runScript([call("research"), "Done."], [typed]);
    expect(results).toEqual([answer]);
  });

  test.each<[string, Script, Partial<AgentOptions>, string]>([
    ["refused", [{ text: "No.", stop: "refusal" }], {}, "research did not finish."],
    ["cut", [{ text: "It ra", stop: "length" }], { recovery: { notes: 0 } }, "It ra"],
    ["limited", [call("look")], { limits: { turns: 1 } }, "reached its limit of one turn"],
    ["failed", [{ stop: "error" }], { recovery: { requests: 1 } }, "research did not finish."],
  ])("is an error result if the sub-agent is %s", async (_, script, options, text) => {
    const research = scripted("research", script, { tools: [recorder("look")], ...options });
    const { outcome, events } = await runScript([call("research"), "Sorry."], [research]);
    expect(outcome).toMatchObject({ status: "done", text: "Sorry." });
    const [result] = eventsOfType(events, "tool-result").filter(({ path }) => path.length === 0);
    expect(result?.result).toMatchObject({ isError: true, content: expect.stringContaining(text) });
  });

  test.each<[string, () => AgentOptions, string]>([
    ["options that cannot work", () => ({ adapter: mock([]), prompt: "" }), "`prompt` is empty."],
    [
      "an option of the run around it",
      () => ({ adapter: mock([]), prompt: "Go.", signal: AbortSignal.abort() }) as AgentOptions,
      "`signal` cannot be set for a sub-agent.",
    ],
    [
      "an error of the tool's own code",
      () => {
        throw new Error("No agent today.");
      },
      "No agent today.",
    ],
  ])("is an error result for %s", async (_, options, text) => {
    const { outcome, results } = await runScript(
      [call("research"), "Sorry."],
      [agent("research", options)],
    );
    expect(outcome.status).toBe("done");
    expect(results[0]).toContain(text);
  });
});

test("agents that start each other without end are stopped", async () => {
  let deepest = 0;
  const again = (depth: number): Tool =>
    agent("again", () => {
      deepest = Math.max(deepest, depth);
      return { adapter: mock([call("again"), "Up."]), prompt: "Go.", tools: [again(depth + 1)] };
    });
  const { events } = await runScript([call("again"), "Done."], [again(1)]);
  expect(deepest).toBe(9);
  const errors = eventsOfType(events, "tool-result").filter(({ result }) => result.isError);
  expect(errors).toHaveLength(1);
  expect(errors[0]?.result.content).toContain("sub-agents may be nested 8 deep");
  expect(errors[0]?.path).toHaveLength(8);
});

test("the events have the keys of the calls that they happen in, and the id of the whole run", async () => {
  const inner = scripted("inner", ["Deep."]);
  const outer = scripted("outer", [call("look"), call("inner"), "Middle."], {
    tools: [inner, recorder("look")],
  });
  const { events, outcome } = await runScript(
    [calls("look", "outer"), "Done."],
    [outer, recorder("look")],
    { journal: { store: memoryJournal(), runId: "r" } },
  );
  const seen = (type: RunEvent["type"]) =>
    events
      .filter((event) => event.type === type)
      .map(({ path, turnNumber }) => [...path, turnNumber].join(" "));
  expect(new Set(events.map(({ runId }) => runId))).toEqual(new Set(["r"]));
  expect(seen("turn")).toEqual(["1", "r/1/2 1", "r/1/2 2", "r/1/2 r/1/2/2/1 1", "r/1/2 3", "2"]);
  expect(seen("end")).toEqual(["r/1/2 r/1/2/2/1 1", "r/1/2 3", "2"]);
  expect(events.at(-1)).toMatchObject({ type: "end", path: [], outcome });
  const looks = eventsOfType(events, "tool-call").filter(({ call: { name } }) => name === "look");
  expect(looks.map(({ path, key }) => ({ path, key }))).toEqual([
    { path: [], key: "r/1/1" },
    { path: ["r/1/2"], key: "r/1/2/1/1" },
  ]);
});

const spends = (output: number, say: Say): Say => ({ ...say, usage: { input: 1, output } });
const price: NonNullable<RunOptions["limits"]>["price"] = ({ output }) => output;
describe("usage and cost", () => {
  test("count in every run around the one that sent the request", async () => {
    const inner = scripted("inner", [spends(5, { text: "Deep." })]);
    const outer = scripted("outer", [spends(3, call("inner")), spends(4, { text: "Middle." })], {
      tools: [inner],
      limits: { price: ({ output }) => output * 100 },
    });
    const { outcome, events } = await runScript(
      [spends(1, call("outer")), spends(2, { text: "Done." })],
      [outer],
      { limits: { price } },
    );
    expect(outcome).toMatchObject({ usage: { input: 5, output: 15 }, cost: 15, turns: 2 });
    const ends = eventsOfType(events, "end").map(({ outcome: { usage, cost } }) => [
      usage.output,
      cost,
    ]);
    expect(ends).toEqual([
      [5, undefined],
      [12, 1200],
      [15, 15],
    ]);
  });

  test.each<[string, RunOptions["limits"], string]>([
    ["cost", { price, cost: 10 }, "cost limit of 10"],
    ["outputTokens", { outputTokens: 10 }, "limit of 10 output tokens"],
  ])(
    "a limit that is reached inside ends the sub-agent and the run: %s",
    async (limit, limits, text) => {
      const look = recorder("look");
      const outer = scripted("outer", [spends(4, call("look")), spends(4, call("look"))], {
        tools: [look],
      });
      const { outcome, events, results, model } = await runScript(
        [spends(3, call("outer"))],
        [outer],
        { limits },
      );
      expect(outcome).toMatchObject({ status: "limit", limit, usage: { output: 11 } });
      expect(outcome.summary).toContain(text);
      expect(results).toEqual([expect.stringContaining(text)]);
      expect(look.ran).toHaveLength(1);
      const inside = eventsOfType(events, "tool-result").filter(({ path }) => path.length === 1);
      expect(inside.map(({ ran }) => ran)).toEqual([true, false]);
      expect(inside[1]?.result.content).toContain(text);
      model.assertDone();
    },
  );

  test("limits of the sub-agent are its own: they do not end the run", async () => {
    const outer = scripted("outer", [spends(9, call("look"))], {
      tools: [recorder("look")],
      limits: { outputTokens: 5 },
    });
    const { outcome, results } = await runScript([spends(1, call("outer")), "Done."], [outer], {
      limits: { outputTokens: 1000, toolCalls: 1, turns: 2 },
    });
    expect(outcome.status).toBe("done");
    expect(results[0]).toContain("limit of 5 output tokens");
  });

  test("two sub-agents side by side share what is left", async () => {
    const worker = (name: string) =>
      scripted(name, Array(9).fill(spends(2, call("look"))), {
        tools: [recorder("look", () => Math.random())],
      });
    const { outcome } = await runScript(
      [spends(1, calls("one", "two"))],
      [worker("one"), worker("two")],
      { limits: { outputTokens: 10 } },
    );
    expect(outcome).toMatchObject({ status: "limit", limit: "outputTokens" });
    expect(outcome.usage.output).toBeGreaterThanOrEqual(10);
    expect(outcome.usage.output).toBeLessThanOrEqual(13);
  });
});

describe("two sub-agents in one turn", () => {
  test("run at the same time, and their results are in the order of the calls", async () => {
    let arrived = 0;
    let open = (): void => {};
    const both = new Promise<void>((resolve) => (open = resolve));
    const meet = recorder("meet", async () => {
      if (++arrived === 2) open();
      await both;
      return "met";
    });
    const worker = (name: string) =>
      scripted(name, [call("meet"), `${name} met.`], { tools: [meet] });
    const { results } = await runScript(
      [calls("one", "two"), "Done."],
      [worker("one"), worker("two")],
    );
    expect(results).toEqual(["one met.", "two met."]);
  });

  test("of the same tool have separate conversations", async () => {
    const echo = agent("echo", ({ task }) => ({
      adapter: mock([({ messages }) => JSON.stringify(messages)]),
      prompt: task ?? "",
    }));
    const say: Say = { calls: ["a", "b"].map((task) => ({ name: "echo", input: { task } })) };
    const { results } = await runScript([say, "Done."], [echo]);
    expect(results).toEqual(
      ["a", "b"].map((task) => JSON.stringify([{ role: "user", content: task }])),
    );
  });
});

describe("approve", () => {
  const asks = (options: Partial<AgentOptions>, outer: RunOptions["approve"]) => {
    const pay = recorder("pay");
    const inner = scripted("inner", [call("pay"), "Paid."], { tools: [pay], ...options });
    return runScript([call("inner"), "Done."], [inner], { approve: outer }).then((all) => ({
      ...all,
      ran: pay.ran.length,
    }));
  };
  const notPay: RunOptions["approve"] = ({ name }) => name !== "pay";
  test("of the run decides in a sub-agent that has none of its own", async () => {
    expect((await asks({}, undefined)).ran).toBe(1);
    expect((await asks({}, notPay)).ran).toBe(0);
    expect((await asks({ approve: () => true }, notPay)).ran).toBe(1);
  });

  test("without a journal cannot postpone a call of a sub-agent: its call is an error result", async () => {
    const { outcome, results, ran } = await asks({ approve: () => "later" }, undefined);
    expect(outcome.status).toBe("done");
    expect(ran).toBe(0);
    expect(results[0]).toContain("A sub-agent can wait only if the run has a `journal`.");
  });
});

test("an error of the loop of a sub-agent rejects the run, and is not told to the model", async () => {
  const inner = scripted("inner", ["Never."], {
    beforeTurn: () => {
      throw new Error("Out of paper.");
    },
  });
  const model = mock([call("inner"), "Done."]);
  const outcome = run({ adapter: model, tools: [inner], prompt: "Go." }).outcome();
  await expect(outcome).rejects.toThrow("Out of paper.");
  expect(model.requests).toHaveLength(1);
});

test("a tool may not start two sub-agents in one call, and none without a run", async () => {
  const one = scripted("one", ["Done."]);
  const twice: Tool = {
    ...one,
    execute: async (input, context) => {
      await one.execute?.(input, context);
      return one.execute?.(input, context) as Promise<string>;
    },
  };
  const { results } = await runScript([call("one"), "Done."], [twice]);
  expect(results[0]).toContain("a call may start one sub-agent");
  const alone = one.execute?.({} as never, { signal: new AbortController().signal } as never);
  await expect(alone).rejects.toThrow("A sub-agent runs only inside `run`");
});

test("the conversation of a sub-agent is whole, and a wrapped agent tool still is one", async () => {
  const research = scripted("research", [call("look"), "Rain."], { tools: [recorder("look")] });
  const wrapped: Tool = {
    ...research,
    execute: async (input, context) => `Found: ${await research.execute?.(input, { ...context })}`,
  };
  const { outcome, events } = await runWatched({
    adapter: mock([call("research"), "Done."]),
    tools: [wrapped],
    prompt: "Go.",
  });
  expect(resultsIn(outcome.messages)).toEqual(["Found: Rain."]);
  for (const { outcome: one } of eventsOfType(events, "end"))
    expect(validateHistory(one.messages)).toEqual([]);
});
