import { describe, expect, test } from "vitest";
import type { TurnEvent } from "../src/adapter/index.ts";
import { explain, type Message } from "../src/index.ts";
import {
  delta,
  echo,
  end,
  implicitEnds,
  input,
  type Native,
  native,
  providerData,
  read,
  settle,
  start,
  stop,
  text,
  thinking,
  unclosed,
  usage,
  verdict,
} from "./reply.ts";

const runs = "tool-use, runs read";
const chat = { adapter: implicitEnds };
/** The piece of Chat that names an input and writes it, at an index. */
const at = (key: number, id: string, written: string): readonly TurnEvent[] => [
  start(key, "read", id),
  delta(key, written),
];

describe("replies of protocols that mark the end of inputs", () => {
  test("signed thinking before a cut call leaves no message", () => {
    const turn = settle([
      thinking("Hm."),
      providerData("S"),
      unclosed("read", '{"pa'),
      stop("budget", true),
      stop("budget", false),
    ]);
    expect(verdict(turn)).toBe("length, withholds read: stop-reason");
    expect(turn.message).toBeUndefined();
  });

  test.each([
    ["the output cap", [stop("budget")], undefined],
    ["a cut", [], new TypeError("terminated")],
  ] as const)(
    "A4: a server call without its result is not replayed after %s",
    (_, ending, thrown) => {
      const turn = settle([text("I search."), native({ query: "x" }, { opens: "s1" }), ...ending], {
        thrown,
      });
      expect(JSON.stringify(turn.message ?? null)).not.toContain("query");
      expect(turn).toMatchObject({ text: "I search.", calls: [], withheld: [] });
    },
  );

  test("a complete call before a stop sequence is withheld", () => {
    expect(
      verdict(settle([read, text("Then END"), stop("sequence", true), stop("sequence", false)])),
    ).toBe("stop, withholds read: stop-sequence");
  });

  test("a provisional stop reason without the protocol's own end is interrupted, and a cap stays a cap", () => {
    expect(verdict(settle([read, stop("tool", true)]))).toBe(
      "interrupted, withholds read: no-terminal",
    );
    expect(verdict(settle([unclosed("read", "{"), stop("budget", true)]))).toBe(
      "length, withholds read: no-terminal",
    );
  });

  test("two thinking blocks in a row are separated by their provider data", () => {
    const turn = settle([
      thinking("One, "),
      thinking("two."),
      providerData("A"),
      thinking("Three."),
      providerData("B"),
      text("So."),
      stop("done"),
    ]);
    expect(turn.message?.content).toEqual([
      { type: "thinking", text: "One, two.", providerData: "A" },
      { type: "thinking", text: "Three.", providerData: "B" },
      { type: "text", text: "So." },
    ]);
  });

  test("a tool stop reason without content is `malformed-tool-call`", () => {
    const turn = settle([stop("tool", true), stop("tool", false)]);
    expect(turn).toMatchObject({
      stopReason: "malformed-tool-call",
      calls: [],
      withheld: [],
      error: { kind: "malformed-tool-call" },
    });
  });

  test("an input that comes with its start is used", () => {
    expect(
      settle([[start(0, "read", "a"), end(0, '{"path":"a"}')], stop("tool")]).calls[0]?.input,
    ).toEqual({ path: "a" });
  });

  test("free-form text is an input", () => {
    const free: Native = [
      { type: "tool-input-start", key: 0, id: "a", name: "patch", kind: "text" },
      delta(0, "not JSON"),
    ];
    expect(settle([free, stop("tool")], chat).calls[0]?.input).toEqual({ text: "not JSON" });
  });
});

describe("replies of protocols that do not mark the end of inputs", () => {
  test("a call that comes twice under two indexes is issued once", () => {
    const turn = settle([at(0, "X", '{"p":"a"}'), at(1, "X", '{"p":"a"}'), stop("tool")], chat);
    expect(verdict(turn)).toBe(runs);
    expect(turn.message?.content).toHaveLength(1);
  });

  test("two inputs under one id are two calls, with ids of their own", () => {
    const turn = settle([at(0, "X", '{"p":"a"}'), at(1, "X", '{"p":"b"}'), stop("tool")], chat);
    expect(turn.calls.map(({ id, input: given }) => [id, given])).toEqual([
      ["X", { p: "a" }],
      ["call_0_1", { p: "b" }],
    ]);
    expect(turn.message?.content).toMatchObject([{ nativeId: "X" }, { nativeId: "X" }]);
  });

  test("the legacy echo of a call does not issue it again", () => {
    const echoed: Native = [echo("legacy", "read"), delta("legacy", '{"p":"a"}')];
    expect(verdict(settle([at(0, "X", '{"p":"a"}'), echoed, stop("tool")], chat))).toBe(runs);
  });

  test("an empty call in the last chunk is ignored", () => {
    expect(
      verdict(
        settle([at(0, "X", "{}"), [echo("legacy"), delta("legacy", ""), stop("tool")]], chat),
      ),
    ).toBe(runs);
  });

  test("a call without arguments is an empty object", () => {
    expect(settle([at(0, "X", ""), stop("tool"), usage(5)], chat).calls[0]?.input).toEqual({});
  });

  test("an empty stop reason on every chunk is not one", () => {
    expect(
      verdict(
        settle(
          [[...at(0, "X", '{"p"'), stop("")], [delta(0, ":1}"), stop("")], stop("tool")],
          chat,
        ),
      ),
    ).toBe(runs);
  });

  test("arguments after the finish chunk count only with the protocol's own end", () => {
    const late: Native[] = [[start(0, "read", "X"), stop("tool")], delta(0, '{"p":1}')];
    expect(verdict(settle(late, chat))).toBe("interrupted, withholds read: no-terminal");
    expect(settle([...late, stop("tool", false)], chat).calls[0]?.input).toEqual({ p: 1 });
  });

  test("reasoning that the cap does not count is not a cut", () => {
    expect(
      verdict(
        settle([at(0, "X", "{}"), stop("tool"), usage(6100, 100)], { ...chat, maxTokens: 4096 }),
      ),
    ).toBe(runs);
  });

  test("reasoning that only the cap counts is a cut", () => {
    const turn = settle([at(0, "X", "{}"), stop("tool"), usage(100, 4096)], {
      ...chat,
      maxTokens: 4096,
    });
    expect(verdict(turn)).toBe("length, withholds read: cap-reached");
  });

  test("a finished reply with usage at the cap is a cut", () => {
    expect(
      settle([at(0, "X", "{}"), stop("done"), usage(64)], { ...chat, maxTokens: 64 }),
    ).toMatchObject({
      stopReason: "length",
      calls: [],
    });
  });

  test("a reply of a mislabelling host without usage issues no call", () => {
    const turn = settle([at(0, "X", "{}"), stop("tool")], {
      adapter: { ...implicitEnds, mislabelsTruncation: true },
      maxTokens: 64,
    });
    expect(verdict(turn)).toBe("length, withholds read: cap-unproven");
  });

  test("an input that was cut far below the cap does not mention the output limit", () => {
    const turn = settle([at(0, "X", '{"path":"/x","con'), stop("tool"), usage(500)], {
      ...chat,
      maxTokens: 8192,
    });
    expect(verdict(turn)).toBe("malformed-tool-call, withholds read: input-cut");
    const { person, model } = explain(turn);
    for (const sentence of [person, model]) expect(sentence).not.toMatch(/output limit/i);
    expect(model).toMatch(/arrived incomplete/);
  });

  test("a stop reason with the text of a refusal is a refusal", () => {
    const adapter = {
      ...implicitEnds,
      stops: { stop: "stop", "stop:refusal": "refusal" },
    } as const;
    const turn = settle([text("I can't."), stop("stop", undefined, "refusal")], { adapter });
    expect(turn).toMatchObject({
      stopReason: "refusal",
      text: "I can't.",
      native: { stop: "stop", detail: "refusal" },
    });
    expect(turn.message).toBeUndefined();
  });
});

describe("replies that come in complete items", () => {
  test("the completed response ends an input", () => {
    const whole: Native = [end("item", '{"p":1}'), stop("tool", false)];
    expect(
      settle([start("item", "read", "a"), delta("item", '{"p"'), whole]).calls[0]?.input,
    ).toEqual({ p: 1 });
  });

  test("reasoning before a withheld call is dropped", () => {
    const turn = settle([text("Hm."), native({ reasoning: 1 }), read, stop("budget", false)]);
    expect(turn).toMatchObject({
      stopReason: "length",
      calls: [],
      message: { content: [{ type: "text", text: "Hm." }] },
    });
    expect(turn.message?.content).toHaveLength(1);
  });

  test("a stop reason may be an error with its own kind", () => {
    expect(settle([read, stop("failed", false, "cancelled")])).toMatchObject({
      stopReason: "error",
      calls: [],
      error: { kind: "cancelled" },
    });
  });

  test("the stop reason may come alone after the call", () => {
    expect(verdict(settle([read, stop("done")]))).toBe(runs);
  });

  test("a stop reason before the content counts only with the protocol's own end", () => {
    expect(verdict(settle([stop("done"), read]))).toBe("interrupted, withholds read: no-terminal");
    expect(verdict(settle([stop("done"), read, stop("done", false)]))).toBe(runs);
  });

  test("the data that continues a paused turn is kept with its message", () => {
    const turn = settle([text("Part."), { type: "meta", resume: { token: "t" } }, stop("paused")]);
    expect(turn).toMatchObject({
      stopReason: "pause",
      message: { resume: { token: "t" }, content: [{ type: "text", text: "Part." }] },
    });
  });

  test("the cap is compared with `towardCap`", () => {
    expect(verdict(settle([read, usage(10, 64), stop("done")], { maxTokens: 64 }))).toBe(
      "length, withholds read: cap-reached",
    );
  });

  test("a table may list a stop reason as `unknown`", () => {
    const turn = settle([read, stop("UNSPECIFIED")], {
      adapter: { stops: { UNSPECIFIED: "unknown" } },
    });
    expect(turn).toMatchObject({
      stopReason: "unknown",
      calls: [],
      native: { stop: "UNSPECIFIED" },
      error: { kind: "unknown-stop" },
    });
  });
});

describe("ids that hosts reuse", () => {
  const earlier = (id: string): readonly Message[] => [
    { role: "user", content: "Go." },
    { role: "assistant", content: [{ type: "tool-call", id, name: "read", inputText: "{}" }] },
    { role: "tool", content: [{ type: "tool-result", id, name: "read", content: "first" }] },
  ];

  test("a reused id is replaced, and the provider's id is kept as nativeId", () => {
    const turn = settle([input("read", "{}", 0), stop("tool")], { messages: earlier("id-0") });
    expect(turn.calls[0]?.id).toBe("call_3_0");
    expect(turn.message?.content).toMatchObject([{ id: "call_3_0", nativeId: "id-0" }]);
  });

  test("a created id that the history contains is not used again", () => {
    const nameless: Native = [start(0, "read"), delta(0, "{}"), end(0)];
    expect(
      settle([nameless, stop("tool")], { messages: earlier("call_3_0") }).calls[0]?.id,
    ).not.toBe("call_3_0");
  });
});
