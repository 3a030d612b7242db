import {
  type InputSchema,
  type Message,
  readObject,
  readTurn,
  type TurnRequest,
} from "@fullstop/core";
import { expect, test } from "vitest";
import { mock } from "../src/index.ts";

const messages: readonly Message[] = [{ role: "user", content: "Hello." }];
const ask = (model: ReturnType<typeof mock>, request: Partial<TurnRequest> = {}) =>
  readTurn(model, { messages, ...request });

test("a string is a complete reply", async () => {
  const model = mock(["Good day."]);
  const turn = await ask(model);
  expect(turn).toMatchObject({
    stopReason: "stop",
    text: "Good day.",
    native: { stop: "stop" },
    usage: { input: 100, output: 20 },
  });
  model.assertDone();
});

test("the default usage reaches the cap only if the reply was cut", async () => {
  const cut = { text: "Good", stop: "length" as const };
  const outputs = [];
  for (const [step, maxTokens] of [
    [cut, 4000],
    [cut, undefined],
    ["Good day.", 4000],
    ["Good day.", 12],
  ] as const) {
    outputs.push((await ask(mock([step]), { maxTokens })).usage.output);
  }
  expect(outputs).toEqual([4000, 20, 20, 11]);
});

test("a step with calls ends with `tool-use`, and its calls pass the gate", async () => {
  const turn = await ask(
    mock([
      {
        text: "Let me see.",
        calls: [
          { name: "read", input: { path: "a" } },
          { name: "list", input: {} },
        ],
      },
    ]),
  );
  expect(turn.stopReason).toBe("tool-use");
  expect(turn.calls.map(({ name, input }) => [name, input])).toEqual([
    ["read", { path: "a" }],
    ["list", {}],
  ]);
});

test("an input that is not complete JSON is not closed", async () => {
  const turn = await ask(mock([{ calls: [{ name: "write", inputText: '{"path":"a","con' }] }]));
  expect(turn.calls).toEqual([]);
  expect(turn).toMatchObject({
    stopReason: "malformed-tool-call",
    withheld: [{ name: "write", inputText: '{"path":"a","con', reason: "not-closed" }],
  });
});

test("a cut reply keeps its text and gives no call", async () => {
  const turn = await ask(
    mock([{ text: "I write.", calls: [{ name: "write", inputText: '{"pa' }], stop: "length" }]),
  );
  expect(turn).toMatchObject({
    stopReason: "length",
    text: "I write.",
    calls: [],
    withheld: [{ name: "write" }],
  });
});

test("`stop: null` is a dropped connection, even after a complete call", async () => {
  const turn = await ask(mock([{ calls: [{ name: "read", input: {} }], stop: null }]));
  expect(turn).toMatchObject({ stopReason: "interrupted", calls: [] });
});

test("usage at the cap is a cut reply, with any stop", async () => {
  const step = { calls: [{ name: "read", input: {} }], usage: { output: 50 } };
  expect(await ask(mock([step]), { maxTokens: 50 })).toMatchObject({
    stopReason: "length",
    calls: [],
  });
  expect(await ask(mock([step], { maxTokens: { default: 50 } }))).toMatchObject({
    stopReason: "length",
    calls: [],
  });
  expect(await ask(mock([step]), { maxTokens: 51 })).toMatchObject({ stopReason: "tool-use" });
});

test("thinking keeps its provider data", async () => {
  const turn = await ask(mock([{ thinking: "Hm.", text: "Yes." }]));
  expect(turn.message?.content).toMatchObject([
    { type: "thinking", text: "Hm." },
    { type: "text", text: "Yes." },
  ]);
});

test("a function sees the request as it was sent, and so does the test", async () => {
  const model = mock([({ system, maxTokens }) => `${system} ${maxTokens}`], {
    maxTokens: { default: 77 },
  });
  expect((await ask(model, { system: "Be brief." })).text).toBe("Be brief. 77");
  expect(model.requests).toMatchObject([{ system: "Be brief.", maxTokens: 77, messages }]);
});

test("a request beyond the script fails, and is remembered", async () => {
  const model = mock(["One."]);
  await ask(model);
  const turn = await ask(model);
  expect(turn).toMatchObject({ stopReason: "error", error: { kind: "invalid-request" } });
  expect("error" in turn && turn.error.message).toContain(
    "request 2 came, but the script has 1 step.",
  );
  expect(() => model.assertDone()).toThrow("request 2 came");
});

test("steps that were never used are reported by number", async () => {
  const model = mock(["One.", "Two.", "Three."]);
  await ask(model);
  expect(() => model.assertDone()).toThrow(
    "- step 2 was never requested.\n- step 3 was never requested.",
  );
});

test("a step that throws, or whose input is not JSON, fails the request and the test", async () => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  const model = mock([
    () => {
      throw new Error("no such file in the request");
    },
    { calls: [{ name: "read", input: cycle }] },
  ]);
  expect(await ask(model)).toMatchObject({ stopReason: "error" });
  expect(await ask(model)).toMatchObject({ stopReason: "error" });
  expect(() => model.assertDone()).toThrow(
    /step 1 threw: no such file in the request[\s\S]*step 2 threw:/,
  );
});

test("an abort ends the reply", async () => {
  const controller = new AbortController();
  const model = mock([{ text: "Never ", calls: [{ name: "read", input: {} }] }]);
  const turn = await readTurn(
    model,
    { messages },
    { signal: controller.signal, onPreview: () => controller.abort() },
  );
  expect(turn).toMatchObject({ stopReason: "aborted", calls: [] });
});

test("a script that is not a list is an error at once", () => {
  expect(() => mock("Hello." as never)).toThrow(/needs a list of steps, such as `mock\(\["Hello/);
});

test("an option that it does not know is an error at once", () => {
  expect(() => mock([], { maxToken: {} } as never)).toThrow(
    "Unknown option `maxToken` of `mock`. Did you mean `maxTokens`?",
  );
});

test("an object is the text of a step, or the input of a call", async () => {
  const schema: InputSchema<object> = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => ({ type: "object" }) },
    },
  };
  const formatted = mock(['{"city":"Bern"}'], { outputFormat: "always" });
  expect(await readObject(formatted, { messages }, schema)).toMatchObject({
    status: "done",
    value: { city: "Bern" },
  });
  expect(formatted.requests[0]?.output).toEqual({ name: undefined, schema: { type: "object" } });
  const called = mock([{ calls: [{ name: "final_output", input: { city: "Bern" } }] }]);
  expect(await readObject(called, { messages }, schema)).toMatchObject({ status: "done" });
  expect(called.requests[0]?.toolChoice).toEqual({ name: "final_output" });
});
