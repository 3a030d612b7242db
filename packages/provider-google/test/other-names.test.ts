import { readTurn, type Turn } from "@fullstop/core";
import { describe, expect, test } from "vitest";
import { type Chunk, chunk, end, type Part, reply } from "./chunks.ts";
import { completed, created, serveInteractions } from "./interactions-server.ts";
import { serve } from "./server.ts";

const request = { messages: [{ role: "user", content: "Go." }] } as const;
const called = { name: "list", args: { path: "a" } };
const isError = (turn: Turn, name: string): void =>
  expect(turn).toMatchObject({
    stopReason: "interrupted",
    calls: [],
    error: { message: expect.stringContaining(name) },
  });

describe("a call under another name is an error, also under `STOP`", () => {
  const ask = (chunks: readonly Chunk[]): Promise<Turn> =>
    readTurn(serve(chunks).adapter(), request);
  test.each<[string, Part]>([
    ["`function_call`", { function_call: called }],
    ["`functionCalls`", { functionCalls: [called] }],
    ["`tool_call`", { tool_call: called }],
    ["a list", { functionCall: [called] }],
    ["`parameters`", { functionCall: { name: "list", parameters: { path: "a" } } }],
    ["`arguments`", { functionCall: { name: "list", args: {}, arguments: { path: "a" } } }],
    ["`partial_args`", { functionCall: { name: "list", partial_args: [{ json_path: "$.a" }] } }],
    ["`will_continue`", { functionCall: { name: "list", will_continue: true } }],
  ])("%s in a part", async (name, part) => {
    isError(await ask(reply("STOP", part)), name);
  });

  test.each<[string, object]>([
    ["`functionCall`", { functionCall: called }],
    ["`functionCall`", { content: { parts: [], functionCall: called } }],
    ["a list", { content: [{ parts: [{ functionCall: called }] }] }],
  ])("%s in the candidate", async (name, candidate) => {
    isError(await ask([end("STOP", candidate)]), name);
  });

  test("but not if it is blank, and not beside the input", async () => {
    const turn = await ask([
      chunk({ text: "Hm.", function_call: null, toolUse: {} }),
      chunk({ functionCall: { ...called, parameters: { path: "b" }, will_continue: false } }),
      end("STOP"),
    ]);
    expect(turn).toMatchObject({ text: "Hm.", calls: [{ input: { path: "a" } }] });
  });
});

test.each<[string, object]>([
  ["`tool_call`", { type: "tool_call", id: "x", ...called }],
  ["`function_call`", { type: "model_output", content: [{ type: "function_call", ...called }] }],
  ["`args`", { type: "function_call", id: "x", ...called }],
])("Interactions: %s is an error", async (name, step) => {
  const events = [
    created,
    { event_type: "step.start", index: 0, step },
    { event_type: "step.stop", index: 0 },
    completed("completed"),
  ];
  isError(await (await serveInteractions(events)).ask(), name);
});
