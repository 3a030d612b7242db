import { validateHistory } from "@fullstop/core";
import { hasToolCall, type RunOptions, run, type StopWhen } from "@fullstop/loop";
import { mock, type Script } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { call, repeat } from "./script-run.ts";
import { recorder, runWatched } from "./tools.ts";

type TurnEnd = Parameters<StopWhen>[0];

async function runUntil(
  stopWhen: (end: TurnEnd) => unknown,
  script: Script,
  options: Partial<RunOptions> = {},
) {
  const ends: TurnEnd[] = [];
  const read = recorder("read");
  const model = mock(script);
  const { outcome } = await runWatched({
    adapter: model,
    tools: [read],
    prompt: "Go.",
    stopWhen: ((end) => {
      ends.push(end);
      return stopWhen(end);
    }) as StopWhen,
    ...options,
  });
  expect(validateHistory(outcome.messages)).toEqual([]);
  return { outcome, ends, read, model };
}

test("the run stops after the calls of the turn, before the next request", async () => {
  const { outcome, ends, read, model } = await runUntil(
    ({ turns }) => turns === 2,
    [call("read"), call("read", { page: 2 })],
  );
  expect(outcome).toMatchObject({
    status: "stopped",
    turns: 2,
    summary: "The run was stopped by `stopWhen` in 2 turns.",
  });
  expect(outcome.messages.at(-1)?.role).toBe("tool");
  expect(read.ran).toEqual([{}, { page: 2 }]);
  expect(model.requests).toHaveLength(2);
  expect(ends).toHaveLength(2);
});

test("it sees the turn, the conversation with the results, the usage and the cost", async () => {
  const { ends } = await runUntil(async () => true, [call("read")], {
    limits: { price: ({ input }) => input },
  });
  expect(ends).toMatchObject([
    { turn: { stopReason: "tool-use" }, turns: 1, usage: { input: 100, output: 20 }, cost: 100 },
  ]);
  expect(ends[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
});

test("one condition of a list is enough, and `hasToolCall` is a condition", async () => {
  const model = mock([call("read"), call("look"), "Done."]);
  const tools = [recorder("read"), recorder("look"), recorder("write")];
  const stopWhen = [({ turns }: TurnEnd) => turns === 9, hasToolCall("write", "look")];
  const outcome = await run({ adapter: model, tools, prompt: "Go.", stopWhen }).outcome();
  expect(outcome).toMatchObject({ status: "stopped", turns: 2 });
});

test("a stopped run can continue from its messages", async () => {
  const { outcome } = await runUntil(() => true, [call("read")]);
  const next = run({ adapter: mock(["Done."]), messages: outcome.messages });
  expect(await next.text()).toBe("Done.");
});

test("text() rejects for a stopped run", async () => {
  const stopped = run({
    adapter: mock([call("read")]),
    tools: [recorder("read")],
    prompt: "Go.",
    stopWhen: () => true,
  });
  await expect(stopped.text()).rejects.toMatchObject({ status: "stopped" });
});

test.each<[string, Script, Partial<RunOptions>]>([
  ["the model is done", ["Done."], {}],
  ["a limit is reached", [call("read")], { limits: { turns: 1 } }],
  ["a call waits", [call("read")], { approve: () => "later" }],
  ["the run is aborted", [], { signal: AbortSignal.abort() }],
])("it is not asked if %s", async (_, script, options) => {
  const { ends } = await runUntil(() => true, script, options);
  expect(ends).toEqual([]);
});

test("it is asked after a turn whose calls did not run, while the run goes on", async () => {
  const { ends, outcome } = await runUntil(
    ({ turns }) => turns === 4,
    [...repeat(4, call("read"))],
  );
  expect(outcome.status).toBe("stopped");
  expect(ends).toHaveLength(4);
});

test("if it throws, the outcome rejects with the thrown value", async () => {
  const broken = () => {
    throw new Error("The counter is gone.");
  };
  await expect(runUntil(broken, [call("read")])).rejects.toThrow("The counter is gone.");
});

test("an answer that is not a boolean is an error: a missing return would never stop", async () => {
  await expect(runUntil(() => {}, [call("read")])).rejects.toThrow(
    "`stopWhen` must return true or false, not undefined.",
  );
});

test("an abort while it hangs ends the run", async () => {
  const controller = new AbortController();
  const hang = () => {
    queueMicrotask(() => controller.abort());
    return new Promise(() => {});
  };
  const { outcome } = await runUntil(hang, [call("read")], { signal: controller.signal });
  expect(outcome).toMatchObject({ status: "aborted", turns: 1 });
});
