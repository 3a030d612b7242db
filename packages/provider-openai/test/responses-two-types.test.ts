import { createGate, type Turn } from "@fullstop/core";
import { openai } from "@fullstop/provider-openai";
import {
  added,
  call,
  callEvents,
  created,
  done,
  type Event,
  ended,
  type Item,
  message,
  response,
} from "@tooling/test/openai-responses";
import { describe, expect, test } from "vitest";

const adapter = openai("gpt-5.5");
const readEvents = (...events: readonly object[]): Turn => {
  const gate = createGate(adapter, { maxTokens: 1000 });
  for (const event of events) gate.push(event);
  return gate.end();
};
const read = (...events: readonly Event[]): Turn => readEvents(created, ...events);
const final = (...output: readonly Item[]): Event => ended("completed", { output });
const outline = ({ stopReason, calls }: Turn): unknown => [
  stopReason,
  ...calls.map(({ id, name, input }) => [id, name, input]),
];

const custom: Item = {
  id: "ct_1",
  type: "custom_tool_call",
  status: "completed",
  call_id: "call_1",
  name: "exec",
  input: "ls",
};
const asFunction = call("exec", '{"input":"ls"}', { id: "ct_1", call_id: "call_1" });
const piece = (type: string, delta: string, rest: object = {}): Event => ({
  type: `response.${type}.delta`,
  output_index: 0,
  item_id: "ct_1",
  delta,
  ...rest,
});
const ranText = ["tool-use", ["call_1", "exec", { text: "ls" }]];
const ranJson = ["tool-use", ["call_1", "exec", { input: "ls" }]];

describe("a call under two item types runs once, as it came first", () => {
  test.for<[string, readonly Event[], unknown]>([
    [
      "a custom call that the end lists as a function",
      [done(0, custom), final(asFunction)],
      ranText,
    ],
    [
      "a function that the end lists as a custom call",
      [done(0, asFunction), final(custom)],
      ranJson,
    ],
    ["both in the list", [final(custom, asFunction)], ranText],
    ["both in the events", [done(0, custom), done(1, asFunction), final()], ranText],
    ["both at one index", [done(0, custom), done(0, asFunction), final(custom)], ranText],
    [
      "begun as a custom call, and done as a function",
      [added(0, { ...custom, input: "", status: "in_progress" }), done(0, asFunction), final()],
      ranText,
    ],
    [
      "without a `call_id` in the list",
      [done(0, custom), final({ ...asFunction, call_id: "" })],
      ranText,
    ],
    [
      "a text that is JSON, as the arguments of a function",
      [
        done(0, { ...custom, input: '{"a":1}' }),
        final(call("exec", '{"a":1}', { id: "ct_1", call_id: "call_1" })),
      ],
      ["tool-use", ["call_1", "exec", { text: '{"a":1}' }]],
    ],
    [
      "pieces under the name of the other type",
      [
        added(0, { ...asFunction, arguments: "", status: "in_progress" }),
        piece("custom_tool_call_input", '{"input":'),
        piece("custom_tool_call_input", '"ls"}'),
        done(0, asFunction),
        final(asFunction),
      ],
      ranJson,
    ],
    [
      "pieces under the name of the other type, without indices",
      [
        {
          ...added(0, { ...asFunction, arguments: "", status: "in_progress" }),
          output_index: null,
        },
        piece("custom_tool_call_input", '{"input":"ls"}', { output_index: null }),
        { ...done(0, asFunction), output_index: null },
        final(asFunction),
      ],
      ranJson,
    ],
  ])("%s", ([, events, expected]) => {
    expect(outline(read(...events))).toEqual(expected);
  });

  test("in one piece", () => {
    expect(outline(readEvents(response("completed", { output: [custom, asFunction] })))).toEqual(
      ranText,
    );
  });
});

describe("two types that contradict each other run nothing", () => {
  const click: Item = { type: "computer_call", id: "ct_1", call_id: "call_1", status: "completed" };
  test.for<[string, readonly Event[]]>([
    ["another name", [done(0, custom), final({ ...asFunction, name: "read" })]],
    ["another input", [done(0, custom), final({ ...asFunction, arguments: '{"input":"rm"}' })]],
    [
      "another input under another name",
      [done(0, custom), final({ ...asFunction, arguments: '{"cmd":"ls"}' })],
    ],
    ["no input", [done(0, { ...custom, input: "" }), final(asFunction)]],
    [
      "a status that takes it back",
      [done(0, custom), final({ ...asFunction, status: "incomplete" })],
    ],
    [
      "a type that cannot be compared",
      [done(0, asFunction), final({ ...click, action: { type: "screenshot" } })],
    ],
  ])("%s", ([, events]) => {
    const turn = read(...events);
    expect(turn.calls).toEqual([]);
    expect(turn).toMatchObject({ stopReason: "interrupted", error: { kind: "malformed-reply" } });
  });

  test("a cut reply withholds the call once", () => {
    const cut = { incomplete_details: { reason: "max_output_tokens" }, output: [asFunction] };
    const turn = read(done(0, custom), ended("incomplete", cut));
    expect(turn.withheld.map(({ id, name }) => [id, name])).toEqual([["call_1", "exec"]]);
  });
});

test("two calls of two types stay two", () => {
  const other = { ...asFunction, id: "fc_2", call_id: "call_2" };
  expect(outline(read(done(0, custom), done(1, other), final(custom, other)))).toEqual([
    ...ranText,
    ["call_2", "exec", { input: "ls" }],
  ]);
});

describe("the pieces are only the beginning of a text", () => {
  const said = (text: string): Item => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text, annotations: [] }],
  });
  const begun = added(0, { ...said(""), content: [] });
  const delta = (place: object): Event => ({
    type: "response.output_text.delta",
    item_id: "msg_1",
    delta: "To be, ",
    ...place,
  });
  test.for<[string, object]>([
    ["numbered", { output_index: 0, content_index: 0 }],
    ["not numbered", {}],
  ])("%s: its rest comes with the item", ([, place]) => {
    const text = "To be, or not to be.";
    expect(read(begun, delta(place), done(0, said(text)), final(said(text))).text).toBe(text);
    const other = said("Words.");
    expect(read(begun, delta(place), done(0, other), final(other)).text).toBe("To be, ");
  });
});

describe("the pieces are only the beginning of the input", () => {
  const item = call("read", '{"path":"/srv/a"}', { id: "fc_1", call_id: "call_1" });
  const begun = added(0, { ...item, arguments: "", status: "in_progress" });
  const first = piece("function_call_arguments", '{"path":"/s', { item_id: "fc_1" });
  const argumentsDone: Event = {
    type: "response.function_call_arguments.done",
    output_index: 0,
    arguments: String(item["arguments"]),
  };
  test.for<[string, readonly Event[]]>([
    ["of `arguments.done`", [begun, first, argumentsDone, final()]],
    ["of the item", [begun, first, done(0, item), final()]],
    ["of the item in the response", [begun, first, final(item)]],
    ["of all three", [begun, first, argumentsDone, done(0, item), final(item)]],
  ])("%s: the complete text counts", ([, events]) => {
    expect(outline(read(...events))).toEqual(["tool-use", ["call_1", "read", { path: "/srv/a" }]]);
  });

  test("of a custom tool, too", () => {
    const events = [
      added(0, { ...custom, input: "", status: "in_progress" }),
      piece("custom_tool_call_input", "l"),
      done(0, custom),
      final(custom),
    ];
    expect(outline(read(...events))).toEqual(ranText);
  });

  test.for<[string, readonly Event[]]>([
    ["another text", [begun, first, done(0, { ...item, arguments: '{"path":"/tmp"}' }), final()]],
    [
      "two complete texts, of which one is the beginning of the other",
      [begun, first, { ...argumentsDone, arguments: '{"path":"/sr' }, done(0, item), final(item)],
    ],
    [
      "a complete text that is cut",
      [begun, first, done(0, { ...item, arguments: '{"path":"/sr' }), final()],
    ],
    ["a piece behind the complete text", [begun, argumentsDone, first, done(0, item), final(item)]],
    ["no complete text", [begun, first, final()]],
  ])("%s: nothing runs", ([, events]) => {
    expect(read(...events).calls).toEqual([]);
  });
});

describe("`null` in place of a text is ignored", () => {
  const item = call("read", "{}", { id: "fc_1", call_id: "call_1" });
  const textPiece = (delta: string | null): Event => ({
    type: "response.output_text.delta",
    output_index: 0,
    content_index: 0,
    delta,
  });
  test("in pieces and in items", () => {
    const events = [
      added(0, message("", { content: null })),
      textPiece(null),
      textPiece("Hi."),
      done(0, message("Hi.", { content: null })),
      ...callEvents(1, item),
      { ...piece("function_call_arguments", ""), output_index: 1, delta: null },
      final(message("", { content: null }), item),
    ];
    const turn = read(...events);
    expect([turn.text, ...(outline(turn) as unknown[])]).toEqual([
      "Hi.",
      "tool-use",
      ["call_1", "read", {}],
    ]);
  });

  test("in one piece", () => {
    const parts = [
      { type: "output_text", text: null },
      { type: "output_text", text: "Hi." },
    ];
    const body = response("completed", {
      output: [message("", { content: parts }), message("", { content: null, id: "msg_2" }), item],
    });
    const turn = readEvents(body);
    expect([turn.text, turn.stopReason]).toEqual(["Hi.", "tool-use"]);
  });

  test("but a piece without a text is one that is missing", () => {
    const events = [...callEvents(0, item), { ...textPiece(""), delta: undefined }, final(item)];
    expect(read(...events).calls).toEqual([]);
  });
});

test("a message and a call at one index: the text comes once", () => {
  const item = call("read", "{}", { id: "fc_1", call_id: "call_1" });
  const text = { type: "response.output_text.delta", output_index: 0, content_index: 0 };
  for (const ids of [{ item_id: "msg_1" }, {}]) {
    const events = [
      added(0, message("", { content: [] })),
      { ...text, ...ids, delta: "Hi" },
      added(0, { ...item, arguments: "", status: "in_progress" }),
      { ...text, ...ids, delta: "." },
      piece("function_call_arguments", "{}", { item_id: "fc_1" }),
      done(0, message("Hi.")),
      done(0, item),
    ];
    for (const end of [final(), final(message("Hi."), item)]) {
      const turn = read(...events, end);
      expect([turn.text, ...(outline(turn) as unknown[])]).toEqual([
        "Hi.",
        "tool-use",
        ["call_1", "read", {}],
      ]);
    }
  }
});

test("two messages around a call, all at one index, are two texts", () => {
  const item = call("read", "{}", { id: "fc_1", call_id: "call_1" });
  for (const id of ["msg_1", "msg_2"]) {
    const turn = read(done(0, message("Hi.")), done(0, item), done(0, message(" Bye.", { id })));
    expect(turn.text).toBe("Hi. Bye.");
  }
});
