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
