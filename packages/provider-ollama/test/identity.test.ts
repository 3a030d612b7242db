import { readTurn, type Turn } from "@fullstop/core";
import { describe, expect, test } from "vitest";
import { call, calls, type Fields, last, line, text } from "./chunks.ts";
import { serveOllama } from "./server.ts";

const request = { messages: [{ role: "user", content: "Go." }], maxTokens: 20 } as const;
const ask = (...lines: readonly Fields[]): Promise<Turn> =>
  readTurn(serveOllama(lines).adapter(), request);
const numbered = (index: number): Fields =>
  calls({ function: { index, name: "read", arguments: { path: `${index}` } } });
const outline = ({ stopReason, calls: given }: Turn): unknown => [stopReason, given.length];
const withheld = ["interrupted", 0];

describe("the indices of calls", () => {
  test.for<[readonly number[], readonly [string, number]]>([
    [
      [0, 1, 2],
      ["tool-use", 3],
    ],
    [
      [1, 0],
      ["tool-use", 2],
    ],
    [
      [1, 2],
      ["tool-use", 2],
    ],
    [
      [0, 0],
      ["tool-use", 2],
    ],
    [
      [0, 2],
      ["interrupted", 0],
    ],
  ])("%j", async ([indices, expected]) => {
    expect(outline(await ask(...indices.map(numbered), last("stop")))).toEqual(expected);
  });

  test("a gap names both indices", async () => {
    const turn = await ask(numbered(0), numbered(2), last("stop"));
    expect("error" in turn && turn.error.message).toContain("indices 0 and 2");
  });
});

describe("what follows the last line", () => {
  const reply = [calls(call("read", { path: "a" })), last("stop")];
  test("a second reply withholds the calls of both", async () => {
    expect(outline(await ask(...reply, ...reply))).toEqual(withheld);
    expect(outline(await ask(...reply, text("Hi."), last("stop")))).toEqual(withheld);
    expect(outline(await ask(text("Hi."), last("stop"), ...reply))).toEqual(withheld);
    const inLast = last("stop", 12, { tool_calls: [call("read", { path: "a" })] });
    expect(outline(await ask(inLast, inLast))).toEqual(withheld);
  });

  test("a line that is done without a reason is not the last one", async () => {
    const early = { ...text("Hm."), done: true };
    expect(outline(await ask(early, ...reply))).toEqual(["tool-use", 1]);
  });

  test("the same line again changes nothing", async () => {
    expect(outline(await ask(...reply, last("stop")))).toEqual(["tool-use", 1]);
  });
});

describe("a call or an input under another name is an error", () => {
  const called = call("list", { path: "a" });
  test.each<[string, Fields]>([
    ["`toolCalls`", line({ toolCalls: [called] })],
    ["`function_call`", line({ function_call: called["function"] })],
    ["`tool_calls`", { ...text("Hi."), tool_calls: [called] }],
    ["a list", { ...text("Hi."), message: [{ tool_calls: [called] }] }],
    ["`parameters`", calls({ function: { name: "list", parameters: { path: "a" } } })],
    ["`arguments`", calls({ function: { name: "list" }, arguments: { path: "a" } })],
  ])("%s", async (name, event) => {
    expect(await ask(event, last("stop"))).toMatchObject({
      stopReason: "interrupted",
      calls: [],
      error: { message: expect.stringContaining(`in ${name}`.replace("in a", "a")) },
    });
  });

  test("but not if it is blank", async () => {
    const blank = { function_call: null, toolCalls: [], tool_call: "" };
    const turn = await ask(line({ ...blank, tool_calls: [call("list", {})] }), last("stop"));
    expect(outline(turn)).toEqual(["tool-use", 1]);
  });
});
