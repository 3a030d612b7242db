import { readTurn, type Turn, type TurnRequest } from "@fullstop/core";
import { describe, expect, test } from "vitest";
import {
  callsChunk,
  chunk,
  completion,
  done,
  type Event,
  type Fields,
  finishChunk,
  serve,
  textChunk,
} from "./chat-server.ts";

const request: TurnRequest = {
  messages: [{ role: "user", content: "Go." }],
  tools: [
    {
      name: "read",
      description: "",
      inputSchema: { type: "object", properties: { path: {} }, required: ["path"] },
    },
  ],
  maxTokens: 1024,
};
const read = (...events: readonly Event[]): Promise<Turn> =>
  readTurn(serve(events).adapter(), request);
const outline = ({ stopReason, calls }: Turn): unknown => [
  stopReason,
  ...calls.map(({ input }) => input),
];
const end: readonly Event[] = [finishChunk("tool_calls"), done];
const a = '{"path":"a"}';

describe("a call that stands where no call is read is an error under `stop`, too", () => {
  const call = { index: 0, id: "X", type: "function", function: { name: "read", arguments: a } };
  const message = { role: "assistant", content: "Hi.", tool_calls: [call] };
  const stop: Fields = { finish_reason: "stop" };

  test.each<[string, RegExp, ...Fields[]]>([
    ["a message beside an empty delta", /only in a `message`/, chunk({}, { message, ...stop })],
    [
      "a message behind the deltas of the text",
      /only in a `message`/,
      textChunk("Hi."),
      chunk({}, { message, ...stop }),
    ],
    [
      "a `function_call` in such a message",
      /only in a `message`/,
      chunk({}, { message: { function_call: call.function }, ...stop }),
    ],
    ["an object instead of a list", /not in a list/, chunk({ tool_calls: call }, stop)],
    [
      "such an object in a whole message",
      /not in a list/,
      completion({ tool_calls: call }, "stop"),
    ],
    [
      "a name that is not in `function`",
      /without its `function`/,
      chunk({ tool_calls: [{ index: 0, name: "read", arguments: a }] }, stop),
    ],
    [
      "a part of the content",
      /`tool_use`/,
      chunk({ content: [{ type: "tool_use", name: "read", input: {} }] }, stop),
    ],
    [
      "a part of `content_list` in a whole message",
      /`tool_use`/,
      completion(
        {
          content: "Hi.",
          content_list: [{ type: "tool_use", tool_use: { name: "read", input: {} } }],
        },
        "stop",
      ),
    ],
    [
      "a part of `content_list`",
      /`tool_use`/,
      chunk({ content_list: [{ type: "tool_use", name: "read", input: {} }] }, stop),
    ],
    ["`toolCalls`", /`toolCalls`/, chunk({ toolCalls: [call] }, stop)],
    ["`toolCalls` in a whole message", /`toolCalls`/, completion({ toolCalls: [call] }, "stop")],
    ["`functionCall`", /`functionCall`/, chunk({ functionCall: call.function }, stop)],
    ["`tool_calls` beside the delta", /`tool_calls`/, chunk({}, { tool_calls: [call], ...stop })],
    [
      "`tool_calls` beside no delta",
      /`tool_calls`/,
      chunk({}, { delta: null, tool_calls: [call], ...stop }),
    ],
    [
      "a delta in a list",
      /a list or a text/,
      chunk({}, { delta: [{ tool_calls: [call] }], ...stop }),
    ],
  ])("%s", async (_, message, ...events) => {
    expect(await read(...events, done)).toMatchObject({
      stopReason: "interrupted",
      error: { message: expect.stringMatching(message) },
    });
  });

  test("a message beside an empty delta may repeat the calls of the deltas", async () => {
    const turn = await read(callsChunk(call), chunk({}, { message, ...stop }), done);
    expect(outline(turn)).toEqual(["tool-use", { path: "a" }]);
  });

  test("other names beside the calls may repeat them, and blank ones have no call", async () => {
    const repeated = await read(callsChunk(call), chunk({}, { tool_calls: [call], ...stop }), done);
    expect(outline(repeated)).toEqual(["tool-use", { path: "a" }]);
    const blank = { toolCalls: [], functionCall: null, function_calls: "", tool_use: {} };
    const turn = await read(chunk({ content: "Hi.", ...blank }, { ...blank, ...stop }), done);
    expect(outline(turn)).toEqual(["stop"]);
    expect(outline(await read(chunk({}, { delta: [], ...stop }), done))).toEqual(["stop"]);
  });

  test("an empty object in place of the list has no call", async () => {
    const turn = await read(chunk({ content: "Hi.", tool_calls: {} }, stop), done);
    expect(outline(turn)).toEqual(["stop"]);
  });
});

describe("an input that is not in `arguments` is an error, and no empty input", () => {
  const list = { name: "list", description: "", inputSchema: { type: "object" } };
  const ask = (...deltas: readonly Fields[]): Promise<Turn> =>
    readTurn(serve([...deltas.map((delta) => callsChunk(delta)), ...end]).adapter(), {
      ...request,
      tools: [list],
    });
  const call = (called: Fields, more: Fields = {}): Fields => ({
    index: 0,
    id: "X",
    function: { name: "list", ...called },
    ...more,
  });

  test.each<[string, ...Fields[]]>([
    ["parameters", call({ parameters: { path: "a" } })],
    ["input", call({ arguments: null, input: a })],
    ["args", call({ arguments: "", args: { path: "a" } })],
    ["arguments", call({}, { arguments: a })],
    ["arguments", call({ arguments: "" }), { index: 0, arguments: a }],
  ])("%s", async (name, ...deltas) => {
    expect(await ask(...deltas)).toMatchObject({
      stopReason: "interrupted",
      error: { message: expect.stringContaining(`a tool input in \`${name}\``) },
    });
  });

  test("but blank ones, and what stands beside the input, change nothing", async () => {
    expect(outline(await ask(call({ parameters: {}, input: "{}", args: null })))).toEqual([
      "tool-use",
      {},
    ]);
    expect(outline(await ask(call({ arguments: a, parameters: { path: "b" } })))).toEqual([
      "tool-use",
      { path: "a" },
    ]);
  });
});
