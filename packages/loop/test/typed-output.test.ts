import { validateHistory } from "@fullstop/core";
import { jsonSchema, run, type Tool, tool, UnfinishedRun } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { z } from "zod";
import { call } from "./script-run.ts";
import { recorder, recoveries, runWatched } from "./tools.ts";
import {
  forecast,
  modelOf,
  modes,
  objectReply,
  oslo,
  osloText,
  runForOutput,
} from "./typed-output.ts";

test.each(modes)("the answer is an object that the schema accepted, frozen (%s)", async (mode) => {
  const adapter = modelOf(mode, [objectReply(mode, osloText)]);
  const agent = run({ adapter, output: forecast, prompt: "Go." });
  const outcome = await agent.outcome();
  expect(outcome).toMatchObject({ status: "done", output: oslo, turns: 1 });
  expect(outcome.summary).toBe("The model finished in one turn.");
  expect(validateHistory(outcome.messages)).toEqual([]);
  const output = await agent.output();
  expect(output).toEqual(oslo);
  expect(Object.isFrozen(output)).toBe(true);
});

test("the text stays the text of the reply", async () => {
  const { outcome } = await runForOutput("format", [` ${osloText}\n`]);
  expect(outcome).toMatchObject({ status: "done", text: ` ${osloText}\n`, output: oslo });
});

test.each(modes)("the output is what the schema makes of the object (%s)", async (mode) => {
  const adapter = modelOf(mode, [objectReply(mode, '{"size":"12"}')]);
  const output = z.object({ size: z.string().transform(Number) });
  expect(await run({ adapter, output, prompt: "Go." }).output()).toEqual({ size: 12 });
});

test.each(modes)("a plain JSON Schema is checked too (%s)", async (mode) => {
  const script = [objectReply(mode, '{"size":"12"}'), objectReply(mode, '{"size":12}')];
  const adapter = modelOf(mode, script);
  const output = jsonSchema({ type: "object", properties: { size: { type: "number" } } });
  expect(await run({ adapter, output, prompt: "Go." }).output()).toEqual({ size: 12 });
  expect(adapter.requests).toHaveLength(2);
});

test("output() rejects with the outcome if there is no object", async () => {
  const adapter = modelOf("format", [{ text: "{", stop: "refusal" }]);
  const agent = run({ adapter, output: forecast, prompt: "Go." });
  await expect(agent.output()).rejects.toThrow(UnfinishedRun);
  await expect(agent.output()).rejects.toMatchObject({ status: "refused" });
});

const json = { type: "object", required: ["city", "celsius"] };
test("if the provider has a format, the request has the schema and no tool", async () => {
  const { model } = await runForOutput("format", [osloText]);
  expect(model.requests[0]).toMatchObject({ output: { schema: json } });
  expect(model.requests[0]?.tools).toBeUndefined();
});

test("otherwise the request has a tool that takes the object", async () => {
  const { model } = await runForOutput("tool", [objectReply("tool", osloText)]);
  expect(model.requests[0]).not.toHaveProperty("output");
  expect(model.requests[0]?.tools).toMatchObject([{ name: "final_output", inputSchema: json }]);
});

const lookup = recorder("lookup");
const forced = { name: "final_output" };
test.each([
  ["without other tools", [], undefined, [forced]],
  ["without other tools, and with none", [], "none", [forced]],
  ["with tools", [lookup], undefined, ["required", "required"]],
  ["with tools, and auto", [lookup], "auto", ["required", "required"]],
  ["with tools that must not be called", [lookup], "none", [forced]],
  [
    "with a tool that is forced first",
    [lookup],
    { name: "lookup" },
    [{ name: "lookup" }, "required"],
  ],
] as const)("%s, a reply of text cannot come", async (_, tools, toolChoice, choices) => {
  const object = objectReply("tool", osloText);
  const script = choices.length === 1 ? [object] : [call("lookup"), object];
  const { model, outcome } = await runForOutput("tool", script, { tools, request: { toolChoice } });
  expect(outcome).toMatchObject({ status: "done", output: oslo });
  expect(model.requests.map((request) => request.toolChoice)).toEqual(choices);
});

test("a format that excludes tools is used only in requests without tools", async () => {
  const withoutTools = (script: Parameters<typeof mock>[0]) => ({
    ...mock(script),
    outputFormat: "without-tools" as const,
  });
  const alone = withoutTools([osloText]);
  expect(await run({ adapter: alone, output: forecast, prompt: "Go." }).output()).toEqual(oslo);
  const beside = withoutTools([call("lookup"), objectReply("tool", osloText)]);
  const agent = run({ adapter: beside, output: forecast, tools: [lookup], prompt: "Go." });
  expect(await agent.output()).toEqual(oslo);
  expect(beside.requests[0]).not.toHaveProperty("output");
});

test.each([
  ["format", "tool"],
  ["tool", "format"],
] as const)(
  "the mode belongs to the request: %s, then a fallback with %s",
  async (first, second) => {
    const fallback = modelOf(second, [objectReply(second, osloText)]);
    const { outcome, model } = await runForOutput(first, [{ text: "No.", stop: "refusal" }], {
      recovery: { fallback: [{ adapter: fallback }] },
    });
    expect(outcome).toMatchObject({ status: "done", output: oslo });
    const asksForFormat = (requests: readonly object[]) => requests.map((one) => "output" in one);
    expect(asksForFormat([...model.requests, ...fallback.requests])).toEqual([
      first === "format",
      second === "format",
    ]);
  },
);

test("an object beside calls is not the answer: the calls run first", async () => {
  const spy = recorder("lookup");
  const beside = { text: '{"city":"Rome","celsius":9}', ...call("lookup") };
  const { outcome } = await runForOutput("format", [beside, osloText], { tools: [spy] });
  expect(outcome).toMatchObject({ status: "done", output: oslo, turns: 2 });
  expect(spy.ran).toHaveLength(1);
});

test("the tool of the object beside other calls is not the answer: they run, and it is told", async () => {
  const spy = recorder("lookup");
  const early = { name: "final_output", input: { city: "Rome", celsius: 9 } };
  const script = [{ calls: [early, { name: "lookup", input: {} }] }, objectReply("tool", osloText)];
  const { outcome } = await runForOutput("tool", script, { tools: [spy] });
  expect(outcome).toMatchObject({ status: "done", output: oslo, turns: 2 });
  expect(spy.ran).toHaveLength(1);
  expect(outcome.messages[2]?.content).toMatchObject([
    { isError: true, content: expect.stringContaining("Call it alone") },
    { content: "ok" },
  ]);
});

test("two objects in one reply are not an answer", async () => {
  const twice = [oslo, { city: "Rome", celsius: 9 }];
  const calls = twice.map((input) => ({ name: "final_output", input }));
  const inTool = await runForOutput("tool", [{ calls }, objectReply("tool", osloText)]);
  expect(inTool.outcome).toMatchObject({ output: oslo, turns: 2 });
  expect(recoveries(inTool.events)).toEqual(["tell-model: tool-use"]);
  const texts = twice.map((one) => JSON.stringify(one)).join("\n");
  const inFormat = await runForOutput("format", [texts, osloText]);
  expect(inFormat.outcome).toMatchObject({ output: oslo, turns: 2 });
});

test.each(modes)(
  "the answer does not count against the limits of turns and calls (%s)",
  async (mode) => {
    const script = [call("lookup"), objectReply(mode, osloText)];
    const { outcome } = await runForOutput(mode, script, {
      tools: [recorder("lookup")],
      limits: { turns: 2, toolCalls: 1, outputTokens: 40 },
    });
    expect(outcome).toMatchObject({ status: "done", output: oslo, turns: 2 });
  },
);

test("without `output` nothing is asked for, and a user's tool may have the name", async () => {
  const spy = recorder("final_output");
  const adapter = { ...mock([call("final_output"), "Done."]), outputFormat: "always" as const };
  const { outcome } = await runWatched({ adapter, tools: [spy], prompt: "Go." });
  expect(outcome).toMatchObject({ status: "done", text: "Done." });
  expect(outcome).toHaveProperty("output", undefined);
  expect(adapter.requests[0]).not.toHaveProperty("output");
});

const ending: Tool = tool({
  name: "submit",
  description: "Submits.",
  inputSchema: forecast,
  execute: () => "ok",
  ends: true,
});
const withoutJson = { "~standard": { version: 1, vendor: "own", validate: () => ({ value: 1 }) } };
test.each([
  ["a tool named final_output", { tools: [recorder("final_output")] }, "Rename your tool."],
  ["a tool with ends", { tools: [ending] }, 'the tool "submit" has `ends`, and `output` is set'],
  ["a schema without JSON Schema", { output: withoutJson }, "has no JSON Schema"],
  ["a list", { output: z.array(z.string()) }, "The schema of `output` must describe an object"],
  [
    "a plain object",
    { output: { type: "object" } },
    "For a plain JSON Schema, use `jsonSchema(…)`",
  ],
])("%s cannot be combined with output, and run says so at once", (_, options, sentence) => {
  const start = () =>
    run({ adapter: mock([]), output: forecast, prompt: "Go.", ...(options as object) });
  expect(start).toThrow(sentence);
});

test("nobody is asked about the tool of the object", async () => {
  const asked: string[] = [];
  const approve = ({ name }: { readonly name: string }): boolean => {
    asked.push(name);
    return true;
  };
  const script = [call("lookup"), objectReply("tool", osloText)];
  const options = { tools: [recorder("lookup")], approve };
  const { outcome } = await runForOutput("tool", script, options);
  expect(outcome).toMatchObject({ status: "done", output: oslo });
  expect(asked).toEqual(["lookup"]);
});

test("the tools and the adapter of one turn decide how it is asked for", async () => {
  const other = modelOf("format", [osloText]);
  const { outcome, model } = await runForOutput("tool", [call("lookup")], {
    tools: [recorder("lookup")],
    beforeTurn: ({ turn }) => (turn === 2 ? { adapter: other, tools: [] } : undefined),
  });
  expect(outcome).toMatchObject({ status: "done", output: oslo, turns: 2 });
  expect(model.requests[0]?.toolChoice).toBe("required");
  expect(other.requests[0]).toMatchObject({ output: { schema: json } });
});

test("beforeTurn cannot bring a tool that gives another output", async () => {
  const options = { beforeTurn: () => ({ tools: [ending] }) };
  await expect(runForOutput("format", [], options)).rejects.toThrow(
    'the tool "submit" has `ends`, and `output` is set',
  );
});
