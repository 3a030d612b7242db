import { describe, expect, test } from "vitest";
import { createGate, explain, type ToolSpec } from "../src/index.ts";
import { acme } from "./acme.ts";
import {
  delta,
  echo,
  end,
  implicitEnds,
  input,
  type Native,
  read,
  type Setting,
  settle,
  start,
  stop,
  text,
  unclosed,
  usage,
  verdict,
} from "./reply.ts";

const runs = "tool-use, runs read";
const given = (written: string, setting?: Setting) =>
  settle([input("read", written), usage(5), stop("tool")], setting);
const why = (written: string): string | undefined => given(written).withheld[0]?.reason;

describe("the end of inputs", () => {
  test("one input without an end withholds all calls", () => {
    const turn = settle([read, unclosed("list", "{}"), stop("tool")]);
    expect(verdict(turn)).toBe("malformed-tool-call, withholds read, list: not-closed");
  });

  test("an end without a start ends no input", () => {
    expect(verdict(settle([unclosed("read", "{}"), end("elsewhere"), stop("tool")]))).toBe(
      "malformed-tool-call, withholds read: not-closed",
    );
  });

  test("the stop reason ends all inputs if the protocol does not mark their ends", () => {
    expect(
      verdict(
        settle([unclosed("read", "{}"), unclosed("list", "{}"), stop("tool")], {
          adapter: implicitEnds,
        }),
      ),
    ).toBe("tool-use, runs read, list");
  });

  test("the text of an end counts instead of its deltas", () => {
    const turn = settle([
      [start(0, "read", "a"), delta(0, '{"path":"half'), end(0, '{"path":"whole"}')],
      stop("tool"),
    ]);
    expect(turn.calls[0]?.input).toEqual({ path: "whole" });
    expect(turn.message?.content).toMatchObject([
      { type: "tool-call", inputText: '{"path":"whole"}' },
    ]);
  });
});

describe("names and identities of calls", () => {
  test.each([undefined, "", " \n", null, 5])(
    "an input with the name %j withholds the whole reply",
    (name) => {
      const second = start(1, name as string | undefined, "b");
      const turn = settle([read, [second, delta(1, "{}"), end(1)], stop("tool")]);
      expect(turn).toMatchObject({ stopReason: "malformed-tool-call", calls: [] });
      expect(turn.withheld.map(({ reason }) => reason)).toEqual(["no-name", "no-name"]);
    },
  );

  test.each([undefined, "", " \n", null, 5])("an input with the id %j gets an id", (id) => {
    const first = start(1, "read", id as string | undefined);
    const turn = settle([[first, delta(1, '{"path":"a"}'), end(1)], stop("tool")]);
    expect(turn.calls).toMatchObject([{ id: "call_0_0", name: "read" }]);
  });

  test("an input without id, name and text is ignored", () => {
    expect(verdict(settle([[start(7, "", ""), end(7)], read, stop("tool")]))).toBe(runs);
    expect(verdict(settle([[start(7)], read, stop("tool")]))).toBe(runs);
    expect(settle([[start(7, "", "x"), end(7)], read, stop("tool")]).calls).toEqual([]);
  });

  test("an echo counts only if there is no other input", () => {
    const legacy: Native[] = [[echo("legacy", "read"), delta("legacy", '{"path":"a"}')]];
    expect(
      verdict(
        settle([unclosed("read", '{"path":"a"}', 0), ...legacy, stop("tool")], {
          adapter: implicitEnds,
        }),
      ),
    ).toBe(runs);
    expect(
      verdict(
        settle([...legacy, unclosed("read", '{"path":"a"}', 0), stop("tool")], {
          adapter: implicitEnds,
        }),
      ),
    ).toBe(runs);
    expect(verdict(settle([...legacy, stop("tool")], { adapter: implicitEnds }))).toBe(runs);
  });

  test("equal inputs without ids are not merged", () => {
    const twin = (key: number): Native => [start(key, "read"), delta(key, "{}"), end(key)];
    const turn = settle([twin(0), twin(1), stop("tool")], {
      messages: [{ role: "user", content: "Go." }],
    });
    expect(turn.calls.map(({ id }) => id)).toEqual(["call_1_0", "call_1_1"]);
  });
});

describe("the strict parse of an input", () => {
  const tools = [
    { name: "read", description: "", inputSchema: { type: "object", required: ["path"] } },
  ];
  test.each(["{}", "", " { } "])(
    "an empty input (%j) is withheld if its tool requires a property",
    (written) => {
      const turn = given(written, { tools });
      expect(verdict(turn)).toBe("malformed-tool-call, withholds read: input-missing");
      expect(turn.withheld[0]?.detail).toContain("path");
      expect(explain(turn).person).toContain("path");
      expect(
        given(written, {
          tools: [{ ...tools[0], inputSchema: { type: "object" } }] as typeof tools,
        }).stopReason,
      ).toBe("tool-use");
    },
  );

  test("a free-form input becomes its text, JSON or not", () => {
    const free = (written: string): Native => [
      { type: "tool-input-start", key: 0, id: "a", name: "patch", kind: "text" },
      delta(0, written),
      end(0),
    ];
    for (const written of ["*** Begin", "", '{"a":', "__proto__"]) {
      const turn = settle([free(written), stop("tool")]);
      expect(turn.calls).toEqual([{ id: "a", name: "patch", input: { text: written } }]);
      expect(Object.isFrozen(turn.calls[0]?.input)).toBe(true);
      expect(turn.message?.content).toMatchObject([{ kind: "text", inputText: written }]);
    }
  });

  test("the input text stays as the model wrote it, byte for byte", () => {
    const written = ' {"a" : 1.50, "a":2e0,\n"b":"\\u0041"} ';
    const turn = given(written);
    expect(turn.calls[0]?.input).toEqual({ a: 2, b: "A" });
    expect(turn.message?.content).toMatchObject([{ inputText: written }]);
  });

  test.each(["[]", '"text"', "1", "true", "null"])("%s is no object", (written) => {
    expect(verdict(given(written))).toBe("malformed-tool-call, withholds read: not-an-object");
  });

  test.each([
    "{'a':1}",
    '{"a":1}}',
    "{a:1}",
    '{"a":01}',
    '{"a":1,}',
    '{"a":NaN}',
    '{"a":"\n"}',
    "undefined",
    '{"a":1}{"b":2}',
    '{"a":+1}',
    "\ufeff{}",
  ])("%j is no JSON, and is never repaired", (written) => {
    expect(verdict(given(written))).toBe("malformed-tool-call, withholds read: invalid-json");
    const unknown = settle([input("read", written), stop("tool")]);
    expect(unknown.stopReason).toBe("malformed-tool-call");
  });

  test.each([
    "{",
    '{"a',
    '{"a":',
    '{"a":1',
    '{"a":"x\\',
    '{"a":"x\\u12',
    '{"a":tru',
    '{"a":-',
    '{"a":1.',
    '{"a":1e',
    "[",
    '{"a":[1,',
    " ",
  ])("%j is JSON that did not arrive whole", (written) => {
    expect(verdict(given(written))).toBe("malformed-tool-call, withholds read: input-cut");
    expect(verdict(settle([input("read", written), stop("tool")]))).toBe(
      "length, withholds read: input-cut",
    );
    expect(verdict(settle([input("read", written), usage(9, null), stop("tool")]))).toBe(
      "length, withholds read: input-cut",
    );
  });

  test.each([
    "9007199254740993",
    "-9007199254740993",
    "12345678901234567890",
    "1e999",
    "-1E+400",
    "99999999999999999999e300",
    `1${"0".repeat(400)}`,
  ])("the number %s does not survive as a double", (number) => {
    expect(why(`{"n":${number}}`)).toBe("number-too-large");
    expect(why(`{"s":"\\"","a":[{"n":${number}}]}`)).toBe("number-too-large");
    expect(given(`{"s":"${number}","t":"\\\\\\"${number}"}`).stopReason).toBe("tool-use");
  });

  test.each([
    "9007199254740991",
    "9007199254740992",
    "-0",
    "1e308",
    "0.1234567890123456789",
    "1e-999",
    "10000000000000000000",
    "1E2",
  ])("the number %s does", (number) => {
    expect(given(`{"n":${number}}`).calls[0]?.input).toEqual({ n: Number(number) });
  });

  test.each([
    '{"__proto__":{"admin":true}}',
    '{"a":{"__proto__":1}}',
    '{"a":[[{"__proto__":[]}]]}',
    '{"\\u005f_proto__":{}}',
    '{"a":{"__pr\\u006fto__":null}}',
  ])("a __proto__ key is refused at any depth and in any spelling: %s", (written) => {
    expect(verdict(given(written))).toBe("malformed-tool-call, withholds read: unsupported");
  });

  test("keys that only look dangerous are data", () => {
    const turn = given('{"constructor":{"prototype":1},"proto":"__proto__","toString":null}');
    expect(turn.calls[0]?.input).toEqual({
      constructor: { prototype: 1 },
      proto: "__proto__",
      toString: null,
    });
  });

  test("a call and its input are frozen at every depth", () => {
    const [call] = given('{"a":{"b":[{"c":[]}]},"d":"x"}').calls;
    const deep = (value: unknown): unknown[] => [
      value,
      ...(typeof value === "object" && value !== null ? Object.values(value).flatMap(deep) : []),
    ];
    expect(deep(call)).toHaveLength(9);
    expect(deep(call).every(Object.isFrozen)).toBe(true);
  });

  test("a hundred thousand levels are read or refused without an overflow", () => {
    const deep = (levels: number): string => "[".repeat(levels);
    expect(given(`{"a":${deep(100_000)}${"]".repeat(100_000)}}`).stopReason).toBe("tool-use");
    expect(why(`{"a":${deep(100_000)}1}`)).toBe("input-cut");
    expect(given(`{"a":${deep(100_000)}`).calls).toEqual([]);
    expect(given('{"a":'.repeat(100_000)).calls).toEqual([]);
    expect(why(`{"a":${deep(500)}`)).toBe("input-cut");
  });

  test("an input over the size limit is `too-large`, and the longest allowed one is not", () => {
    const mebi = "x".repeat(1024 * 1024);
    const long = (pieces: number) =>
      settle([
        [
          start(0, "read", "a"),
          delta(0, '{"a":"'),
          ...Array.from({ length: pieces }, () => delta(0, mebi)),
          delta(0, '"}'),
          end(0),
        ],
        stop("tool"),
      ]);
    expect(long(15).stopReason).toBe("tool-use");
    expect(long(16)).toMatchObject({
      stopReason: "interrupted",
      error: { kind: "too-large" },
      calls: [],
    });
    const twice = settle([[start(0, "read", "a"), end(0, mebi.repeat(17))], stop("tool")]);
    expect(twice).toMatchObject({ stopReason: "interrupted", error: { kind: "too-large" } });
  });

  test("a text over the size limit is refused, also in one event", () => {
    const turn = settle([text("x".repeat(16 * 1024 * 1024 + 1)), stop("done")]);
    expect(turn).toMatchObject({ stopReason: "interrupted", error: { kind: "too-large" } });
  });

  test.each([
    ["text", 10, { stopReason: "stop" }],
    ["text", 9, { error: { kind: "too-large" } }],
    ["input", 10, { stopReason: "tool-use" }],
    ["input", 9, { error: { kind: "too-large" } }],
  ])("a gate may have a limit of its own: %s, %i", (kind, maxTextLength, turn) => {
    const gate = createGate(acme(), {}, { maxTextLength });
    const content = kind === "text" ? text("x".repeat(10)) : input("read", '{"a":"xy"}');
    for (const native of [content, stop(kind === "text" ? "done" : "tool")]) gate.push(native);
    expect(gate.end()).toMatchObject(turn);
  });

  test("a text over the size limit in many deltas is `too-large`", () => {
    const mebi = "x".repeat(1024 * 1024);
    const turn = settle([...Array.from({ length: 17 }, () => text(mebi)), read, stop("tool")]);
    expect(turn).toMatchObject({
      stopReason: "interrupted",
      error: { kind: "too-large" },
      calls: [],
    });
  });
});

describe("empty inputs", () => {
  const takes: ToolSpec = {
    name: "read",
    description: "",
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
  };
  const none: ToolSpec = {
    name: "read",
    description: "",
    inputSchema: { type: "object", properties: {} },
  };
  const required: ToolSpec = {
    name: "read",
    description: "",
    inputSchema: { type: "object", required: ["path"] },
  };
  const empty = (setting: Setting, ...more: Native[]): string =>
    verdict(
      settle([[start(0, "read", "a")], ...more, stop("tool")], {
        adapter: implicitEnds,
        ...setting,
      }),
    );
  const missing = "malformed-tool-call, withholds read: input-missing";

  test("an ended input without text is an empty object", () => {
    expect(given("").calls[0]?.input).toEqual({});
    expect(Object.isFrozen(given("").calls[0]?.input)).toBe(true);
    expect(given("", { tools: [takes] }).stopReason).toBe("tool-use");
    expect(empty({ tools: [takes] }, end(0))).toBe(runs);
  });

  test("without an end it is an empty object only if the usage is below the cap", () => {
    expect(empty({ tools: [takes] }, usage(5))).toBe(runs);
    expect(empty({ tools: [takes] }, usage(5, 5))).toBe(runs);
    expect(empty({ tools: [takes], maxTokens: 5 }, usage(5))).toBe(
      "length, withholds read: cap-reached",
    );
  });

  test("without a usage it is an empty object only if its tool has no properties", () => {
    expect(empty({ tools: [none] })).toBe(runs);
    for (const tools of [
      [takes],
      [required],
      [],
      [{ provider: "acme", name: "read", definition: {} }],
    ]) {
      expect(empty({ tools })).toBe(missing);
      expect(empty({ tools }, usage(5, null))).toBe(missing);
    }
    expect(empty({})).toBe(missing);
  });
});

describe("a tool stop reason without a call", () => {
  test("is `malformed-tool-call`, and the text is kept", () => {
    const turn = settle([text("I call."), stop("tool")]);
    expect(turn).toMatchObject({
      stopReason: "malformed-tool-call",
      withheld: [],
      error: { kind: "malformed-tool-call" },
    });
    expect(turn.message?.content).toEqual([{ type: "text", text: "I call." }]);
  });

  test("is `pause` if a server call is open", () => {
    const opens: Native = { type: "native", data: { server: 1 }, opens: "s1" };
    const closes: Native = { type: "native", data: { result: 1 }, closes: "s1" };
    expect(settle([opens, stop("tool")])).toMatchObject({
      stopReason: "pause",
      message: { content: [{ opens: "s1" }] },
    });
    expect(settle([opens, closes, stop("tool")]).stopReason).toBe("malformed-tool-call");
  });

  test("a call that is written as text is text", () => {
    const said = '<tool_call>{"name":"read","arguments":{}}</tool_call>';
    expect(settle([text(said), stop("done")])).toMatchObject({
      stopReason: "stop",
      text: said,
      calls: [],
      withheld: [],
    });
  });
});
