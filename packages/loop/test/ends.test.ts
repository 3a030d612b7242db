import { validateHistory } from "@fullstop/core";
import { run, type Tool, type ToolOutput, tool } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { z } from "zod";
import { runJournaled } from "./journaled-run.ts";
import { memoryJournal } from "./memory.ts";
import { call, repeat, runScript } from "./script-run.ts";
import { recorder, recoveries } from "./tools.ts";

const answer = { score: 7 };
/** A tool whose call ends the run, and that notes what it ran with. */
const ending = (answerCall: () => ToolOutput = () => "ok"): ReturnType<typeof recorder> =>
  Object.assign(recorder("submit", answerCall), {
    inputSchema: z.object({ score: z.number() }),
    ends: true,
  });

test("a call of a tool with ends ends the run with its validated input, and no further request is sent", async () => {
  const submit = ending(() => "Saved.");
  const { outcome, model, results } = await runScript([call("submit", answer)], [submit]);
  expect(outcome).toMatchObject({ status: "done", output: answer, turns: 1 });
  expect(outcome).toHaveProperty("output", submit.ran[0]);
  expect(results).toEqual(["Saved."]);
  expect(model.requests).toHaveLength(1);
});

test("output() gives the input", async () => {
  const adapter = mock([call("submit", answer)]);
  const agent = run({ adapter, tools: [ending()], prompt: "Go." });
  expect(await agent.output()).toEqual(answer);
});

test("all calls of the turn run before it ends the run", async () => {
  const spy = recorder("lookup");
  const calls = [
    { name: "submit", input: answer },
    { name: "lookup", input: {} },
    { name: "submit", input: { score: 8 } },
  ];
  const submit = ending();
  const { outcome, results } = await runScript([{ calls }], [submit, spy]);
  expect(outcome).toMatchObject({ status: "done", output: answer });
  expect(submit.ran).toEqual([answer, { score: 8 }]);
  expect(spy.ran).toHaveLength(1);
  expect(results).toHaveLength(3);
});

test.each([
  ["throws", call("submit", answer), 1],
  ["is not valid", call("submit", { score: "seven" }), 0],
] as const)("a call that %s does not end the run", async (_, first, ran) => {
  let count = 0;
  const submit = ending(() => {
    if (++count === 1 && ran === 1) throw new Error("Not now.");
    return "Saved.";
  });
  const { outcome, model } = await runScript([first, call("submit", { score: 8 })], [submit]);
  expect(outcome).toMatchObject({ status: "done", output: { score: 8 }, turns: 2 });
  expect(model.requests).toHaveLength(2);
});

test("if the first call fails, the second one is the output", async () => {
  const calls = [
    { name: "submit", input: { score: "seven" } },
    { name: "submit", input: answer },
  ];
  const { outcome } = await runScript([{ calls }], [ending()]);
  expect(outcome).toMatchObject({ status: "done", output: answer, turns: 1 });
});

test("a denied call does not end the run", async () => {
  const script = [call("submit", answer), "Then not."];
  const { outcome } = await runScript(script, [ending()], { approve: () => false });
  expect(outcome).toMatchObject({ status: "done", text: "Then not." });
  expect(outcome).toHaveProperty("output", undefined);
});

test("a call that waits for a decision ends the run when it has run", async () => {
  const submit = ending();
  const waiting = await runScript([call("submit", answer)], [submit], { approve: () => "later" });
  if (waiting.outcome.status !== "waiting") throw new Error(waiting.outcome.summary);
  const { messages, turn, calls } = waiting.outcome;
  const decisions = Object.fromEntries(calls.map(({ id }) => [id, true]));
  const stored = JSON.parse(JSON.stringify({ turn, decisions }));
  const agent = run({ adapter: mock([]), tools: [submit], messages, waiting: stored });
  expect(await agent.outcome()).toMatchObject({ status: "done", output: answer });
  expect(submit.ran).toEqual([answer]);
});

test("a call that its tool completed after a cut does not end the run", async () => {
  const submit: Tool = {
    ...ending(),
    salvage: { continueWith: ["submit"], first: true, input: () => answer },
  };
  const cut = { calls: [{ name: "submit", inputText: '{"score":' }], stop: "length" } as const;
  const { outcome, events } = await runScript([cut, call("submit", { score: 8 })], [submit]);
  expect(recoveries(events)).toEqual(["salvage: length"]);
  expect(outcome).toMatchObject({ status: "done", output: { score: 8 }, turns: 2 });
});

test.each([
  ["turns", { turns: 1 }],
  ["outputTokens", { outputTokens: 5 }],
] as const)(
  "calls that end the run are its answer, so `%s` does not hold them back",
  async (limit, limits) => {
    const submit = ending();
    const { outcome } = await runScript([call("submit", answer)], [submit], { limits });
    expect(outcome).toMatchObject({ status: "done", output: answer });
    const failing = ending(() => {
      throw new Error("No.");
    });
    const failed = await runScript([call("submit", answer)], [failing], { limits });
    expect(failed.outcome).toMatchObject({ status: "limit", limit });
    expect(failing.ran).toHaveLength(1);
  },
);

test("calls of a tool with ends count for limits.toolCalls, and beside others they are held back", async () => {
  const spy = recorder("lookup");
  const submit = ending();
  const one = [call("lookup"), call("submit", answer)];
  const counted = await runScript(one, [submit, spy], { limits: { toolCalls: 1 } });
  expect(counted.outcome).toMatchObject({ status: "limit", limit: "toolCalls" });
  const both = {
    calls: [
      { name: "submit", input: answer },
      { name: "lookup", input: {} },
    ],
  };
  const beside = await runScript([both], [submit, spy], { limits: { turns: 1 } });
  expect(beside.outcome).toMatchObject({ status: "limit", limit: "turns" });
  expect(submit.ran).toEqual([]);
});

test("an abort while the tool runs ends the run as aborted", async () => {
  const controller = new AbortController();
  const submit = ending(() => controller.abort());
  const options = { signal: controller.signal };
  const { outcome } = await runScript([call("submit", answer)], [submit], options);
  expect(outcome.status).toBe("aborted");
});

test("a resumed run ends in the same way, and repeats nothing", async () => {
  const journal = memoryJournal();
  const script = [call("lookup"), call("submit", answer)];
  const first = await runJournaled(journal, script, { tools: [ending(), recorder("lookup")] });
  expect(first.outcome).toMatchObject({ status: "done", output: answer });
  for (let kept = 1; kept <= journal.lines.length; kept++) {
    const submit = ending();
    const lines = memoryJournal(journal.lines.slice(0, kept));
    const replies = lines.lines.filter(({ kind }) => kind === "model").length;
    const wasInDoubt = lines.lines.at(-1)?.begun === true && replies === 2;
    const tools = [submit, recorder("lookup")];
    const again = await runJournaled(lines, [...script.slice(replies), "In doubt."], { tools });
    expect(again.outcome).toMatchObject(
      wasInDoubt ? { status: "done", text: "In doubt." } : { status: "done", output: answer },
    );
    expect(submit.ran.length).toBeLessThanOrEqual(1);
  }
});

test("a model that calls it again and again in vain is stuck", async () => {
  const submit = ending(() => {
    throw new Error("No.");
  });
  const script = [...repeat(5, call("submit", answer)), "I give up."];
  const { outcome } = await runScript(script, [submit]);
  expect(outcome).toMatchObject({ status: "stuck" });
  expect(validateHistory(outcome.messages)).toEqual([]);
});

/** Its input is all that matters, so it has nothing to run. */
const verdict = tool({
  name: "verdict",
  description: "Gives the verdict.",
  inputSchema: z.object({ score: z.number() }),
  ends: true,
});
test("a tool with ends needs no execute: its call simply succeeds", async () => {
  const { outcome, results } = await runScript([call("verdict", answer)], [verdict]);
  expect(outcome).toMatchObject({ status: "done", output: answer, turns: 1 });
  expect(results).toEqual(["verdict finished. It has no output."]);
  const journal = memoryJournal();
  await runJournaled(journal, [call("verdict", answer)], { tools: [verdict] });
  expect(journal.lines.filter(({ begun }) => begun)).toEqual([]);
});

test("beside a call that gets its result from outside, it ends the run when the result is there", async () => {
  const outside = { ...recorder("ask"), execute: undefined } as unknown as Tool;
  const calls = [
    { name: "verdict", input: answer },
    { name: "ask", input: {} },
  ];
  const first = await runScript([{ calls }], [verdict, outside]);
  if (first.outcome.status !== "waiting") throw new Error(first.outcome.summary);
  expect(first.outcome.calls.map(({ name }) => name)).toEqual(["ask"]);
  const { messages, turn, calls: open } = first.outcome;
  const results = Object.fromEntries(open.map(({ id }) => [id, "Yes."]));
  const waiting = JSON.parse(JSON.stringify({ turn, results }));
  const agent = run({ adapter: mock([]), tools: [verdict, outside], messages, waiting });
  expect(await agent.outcome()).toMatchObject({ status: "done", output: answer });
});

test("stopWhen is not asked about a turn that ended the run", async () => {
  let asked = 0;
  const stopWhen = (): boolean => {
    asked++;
    return true;
  };
  const { outcome } = await runScript([call("submit", answer)], [ending()], { stopWhen });
  expect(outcome).toMatchObject({ status: "done", output: answer });
  expect(asked).toBe(0);
});
