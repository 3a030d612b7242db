import { explain, readTurn, type Turn, type TurnRequest } from "@fullstop/core";
import { jsonResponse } from "@tooling/test/fake-server";
import { describe, expect, test } from "vitest";
import {
  argumentsDelta,
  callChunk,
  callsChunk,
  chunk,
  completion,
  done,
  type Event,
  type Fields,
  finishChunk,
  serve,
  textChunk,
  usageChunk,
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

describe("an empty object beside the input of the same call", () => {
  test("before it is a placeholder", async () => {
    const turn = await read(
      callChunk(0, ["X", "read"], "{}"),
      argumentsDelta(0, '{"pa'),
      argumentsDelta(0, 'th":"a"}'),
      ...end,
    );
    expect(outline(turn)).toEqual(["tool-use", { path: "a" }]);
  });

  test("after it is one, too", async () => {
    const turn = await read(
      callChunk(0, ["X", "read"], '{"path":'),
      argumentsDelta(0, '"a"}'),
      argumentsDelta(0, "{}"),
      ...end,
    );
    expect(outline(turn)).toEqual(["tool-use", { path: "a" }]);
  });

  test.each([
    ["an input that was cut", ["{}", '{"path":"a']],
    ["another object", ['{"path":"b"}', a]],
    ["a value of the input", ['{"path":', "{}"]],
  ])("does not make a call of %s", async (_, pieces) => {
    const [first = "", ...rest] = pieces;
    const turn = await read(
      callChunk(0, ["X", "read"], first),
      ...rest.map((piece) => argumentsDelta(0, piece)),
      ...end,
    );
    expect(turn.calls).toEqual([]);
    expect(turn.withheld).toHaveLength(1);
  });
});

describe("one call under two indices, with other white space", () => {
  const twice = (second: string): Promise<Turn> =>
    read(callChunk(0, ["X", "read"], a), callChunk(1, ["X", "read"], second), ...end);

  test("runs once", async () => {
    expect(outline(await twice('{ "path": "a" }'))).toEqual(["tool-use", { path: "a" }]);
  });

  test("runs once if its keys come in another order, too", async () => {
    const turn = await read(
      callChunk(0, ["X", "read"], '{"path":"a","of":1}'),
      callChunk(1, ["X", "read"], '{ "of": 1, "path": "a" }'),
      ...end,
    );
    expect(outline(turn)).toEqual(["tool-use", { path: "a", of: 1 }]);
  });

  test("runs once if white space of the second one comes after the stop reason", async () => {
    const turn = await read(
      callChunk(0, ["X", "read"], ` ${a} `),
      callChunk(1, ["X", "read"], ` ${a}`),
      finishChunk("tool_calls"),
      argumentsDelta(1, " "),
      done,
    );
    expect(outline(turn)).toEqual(["tool-use", { path: "a" }]);
  });

  test("is two calls if the white space is inside of a text", async () => {
    expect(outline(await twice('{"path":" a"}'))).toEqual([
      "tool-use",
      { path: "a" },
      { path: " a" },
    ]);
  });

  test("is withheld if the second one was cut", async () => {
    expect((await twice('{ "path": "a"')).calls).toEqual([]);
  });
});

describe("a piece under the id of a call belongs to this call, whatever its index says", () => {
  const piece = (index: number, id: string, json: string, name?: string): Fields =>
    callsChunk({ index, id, function: { ...(name !== undefined && { name }), arguments: json } });
  const b = '{"path":"b"}';

  // agno-agi/agno#8880: the second call starts under the index of the first one.
  test.each<[string, ...Fields[]]>([
    ["under an index that no call has", piece(1, "Y", b)],
    [
      "the rest of it has only this index",
      piece(1, "Y", b.slice(0, 5)),
      argumentsDelta(1, b.slice(5)),
    ],
    ["with a blank name", piece(1, "Y", b, "")],
  ])("%s", async (_, ...pieces) => {
    const turn = await read(
      callChunk(0, ["X", "read"], a),
      callChunk(0, ["Y", "read"], ""),
      ...pieces,
      ...end,
    );
    expect(outline(turn)).toEqual(["tool-use", { path: "a" }, { path: "b" }]);
  });

  test("all calls have one index, and their pieces take turns", async () => {
    const names = [undefined, "list"];
    for (const name of names) {
      const turn = await read(
        callChunk(0, ["X", "list"], ""),
        callChunk(0, ["Y", "list"], ""),
        piece(0, "X", a, name),
        piece(0, "Y", "", name),
        usageChunk(9),
        ...end,
      );
      expect(turn.calls.map(({ id, input }) => [id, input])).toEqual([
        ["X", { path: "a" }],
        ["Y", {}],
      ]);
    }
  });

  test("a name under another index begins a call of its own, also with this id", async () => {
    const turn = await read(callChunk(0, ["X", "read"], a), callChunk(1, ["X", "read"], b), ...end);
    expect(outline(turn)).toEqual(["tool-use", { path: "a" }, { path: "b" }]);
  });
});

test("a call of which only the id comes behind the stop reason withholds all calls", async () => {
  const late = callsChunk({ index: 1, id: "Y", type: "function" });
  const reply = [callChunk(0, ["X", "read"], '{"path":"a"}'), finishChunk("tool_calls"), late];
  expect(outline(await read(...reply))).toEqual(["interrupted"]);
});

test("a content that is a number is its text", async () => {
  const turn = await read(
    textChunk("The answer is "),
    chunk({ content: 42 }),
    finishChunk("stop"),
    done,
  );
  expect(turn).toMatchObject({ stopReason: "stop", text: "The answer is 42" });
  const whole = await readTurn(
    serve(() => jsonResponse(completion({ content: 7 }, "stop"))).adapter({ stream: false }),
    request,
  );
  expect(whole).toMatchObject({ stopReason: "stop", text: "7" });
});

describe("a call in another choice", () => {
  const inChoice = (index: unknown, event: Fields): Fields => ({
    ...event,
    choices: (event["choices"] as readonly Fields[]).map((choice) => ({ ...choice, index })),
  });

  test.each([1, "1", " ", []])("%j is not lost silently if the first has none", async (index) => {
    const turn = await read(
      textChunk("I look."),
      inChoice(index, callChunk(0, ["X", "read"], a)),
      ...end,
    );
    expect(turn).toMatchObject({ stopReason: "interrupted", calls: [] });
    expect(explain(turn).person).toContain("one of read in another choice");
  });

  test("of a whole body is not lost, either", async () => {
    const { choices, ...body } = completion({ content: "I look." }, "tool_calls");
    const second = {
      index: 1,
      message: {
        role: "assistant",
        tool_calls: [{ id: "X", type: "function", function: { name: "read", arguments: a } }],
      },
      finish_reason: "tool_calls",
    };
    const all = { ...body, choices: [...(choices as readonly Fields[]), second] };
    const turn = await readTurn(serve(() => jsonResponse(all)).adapter({ stream: false }), request);
    expect(turn).toMatchObject({ stopReason: "interrupted", calls: [] });
  });

  test("is another answer beside a call of the first choice", async () => {
    const turn = await read(
      callChunk(0, ["X", "read"], a),
      inChoice(1, callChunk(0, ["Y", "read"], '{"path":"b"}')),
      ...end,
    );
    expect(outline(turn)).toEqual(["tool-use", { path: "a" }]);
  });

  test("a text in another choice changes nothing", async () => {
    const turn = await read(
      callChunk(0, ["X", "read"], a),
      inChoice(1, textChunk("Other.")),
      inChoice(1, finishChunk("stop")),
      finishChunk("tool_calls"),
      done,
    );
    expect(outline(turn)).toEqual(["tool-use", { path: "a" }]);
  });
});

test("special tokens in a name make the call unusable, and the model does not see them", async () => {
  const turn = await read(
    callChunk(0, ["X", "read<|channel|>commentary"], a),
    usageChunk(5),
    ...end,
  );
  expect(turn).toMatchObject({
    stopReason: "malformed-tool-call",
    withheld: [{ name: "read<|channel|>commentary", reason: "name-damaged" }],
  });
  expect(JSON.stringify(turn.message ?? null)).not.toContain("channel");
  expect(explain(turn).model).toBe(
    "Your tool call could not be used. The name of a tool call holds special tokens of the model. None of your tool calls (read) ran.",
  );
});

test("a stop reason for calls without a call says that none came", async () => {
  const turn = await read(textChunk("I look."), ...end);
  expect(turn.stopReason).toBe("malformed-tool-call");
  expect(explain(turn).person).toContain("The provider reported a tool call, but none came.");
  expect(explain(turn).person).not.toContain("input is empty");
});

test.each<[string, Event]>([
  ["a choice that is null", { choices: [null] }],
  ["choices that are a number", { choices: 7 }],
  ["a content part that is null", { choices: [{ index: 0, delta: { content: [null] } }] }],
])("the error about %s does not quote the JavaScript engine", async (_, event) => {
  const whole = readTurn(serve(() => jsonResponse(event)).adapter(), request);
  for (const turn of [await read(event, done), await whole])
    expect(turn).toMatchObject({
      stopReason: "interrupted",
      error: {
        kind: "malformed-reply",
        message:
          "The reply holds an event that cannot be read: a member does not have the form that the protocol gives it.",
      },
    });
});

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
