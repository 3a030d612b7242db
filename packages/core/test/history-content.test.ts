import { describe, expect, test } from "vitest";
import { createGate, explain, type Preview, type Turn, toProviderError } from "../src/index.ts";
import { acme } from "./acme.ts";
import {
  delta,
  end,
  fails,
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
} from "./reply.ts";

const kept = (...natives: readonly Native[]) => settle(natives).message?.content;
const said = { type: "text", text: "Hi." };

describe("content for history", () => {
  test("a tool-use turn keeps all blocks in order, with their provider data", () => {
    expect(
      kept(
        thinking("Hm."),
        providerData("S"),
        text("Hi."),
        providerData({ t: 1 }),
        native({ n: 1 }),
        [start(0, "read", "a"), delta(0, "{}"), providerData("C", 0), end(0)],
        stop("tool"),
      ),
    ).toEqual([
      { type: "thinking", text: "Hm.", providerData: "S" },
      { type: "text", text: "Hi.", providerData: { t: 1 } },
      { type: "native", data: { n: 1 } },
      {
        type: "tool-call",
        id: "a",
        nativeId: "a",
        name: "read",
        inputText: "{}",
        providerData: "C",
      },
    ]);
  });

  test("the message has its origin, stop reason and usage", () => {
    const { message } = settle([text("Hi."), usage(5), stop("done", false, "why")]);
    expect(message).toMatchObject({
      role: "assistant",
      from: { provider: "acme", protocol: "acme", model: "one" },
      stopReason: "stop",
      native: { stop: "done", detail: "why" },
      usage: { input: 9, output: 5 },
    });
  });

  test("a message is plain JSON", () => {
    const { message } = settle([
      thinking("Hm."),
      providerData("S"),
      text("Hi."),
      read,
      stop("tool"),
    ]);
    expect(JSON.parse(JSON.stringify(message))).toEqual(message);
  });

  test("unsigned thinking is dropped, signed thinking without text is kept", () => {
    expect(kept(thinking("Hm."), text("Hi."), stop("done"))).toEqual([said]);
    expect(kept(thinking(""), providerData("S"), text("Hi."), stop("done"))).toEqual([
      { type: "thinking", text: "", providerData: "S" },
      said,
    ]);
    expect(kept(thinking("Hm."), providerData("S"), stop("done"))).toBeUndefined();
    expect(kept(stop("done"))).toBeUndefined();
  });

  test("a withheld call drops the reasoning right before it, and no other", () => {
    const reasoned: Native[] = [
      thinking("A."),
      providerData("A"),
      text("Hi."),
      thinking("B."),
      providerData("B"),
      native({ redacted: 1 }),
    ];
    expect(kept(...reasoned, read, stop("budget"))).toEqual([
      { type: "thinking", text: "A.", providerData: "A" },
      said,
    ]);
    expect(
      kept(
        text("Hi."),
        thinking("B."),
        providerData("B"),
        read,
        input("list", "{}"),
        stop("budget"),
      ),
    ).toEqual([said]);
  });

  test("no thinking stays behind a block that was dropped: its signature covers that block", () => {
    const signed = (name: string): Native[] => [thinking(name), providerData(name)];
    const first = [...signed("A"), text("Hi.")];
    const kepts = [{ type: "thinking", text: "A", providerData: "A" }, said];
    expect(
      kept(...first, read, ...signed("B"), input("list", "{}"), ...signed("C"), stop("budget")),
    ).toEqual(kepts);
    expect(kept(...first, read, ...signed("B"), text(" More."), stop("policy"))).toEqual(
      kept(...first, read, text(" More."), stop("policy")),
    );
    expect(kept(read, ...signed("B"), text("Hi."), stop("budget"))).toEqual([said]);
    expect(
      kept(...first, native({ q: 1 }, { opens: "s" }), ...signed("B"), text("."), stop("budget")),
    ).toEqual([...kepts, { type: "text", text: "." }]);
  });

  test("a call that comes twice stays in its place once, with the thinking behind it", () => {
    const again = [start(2, "read", "a"), delta(2, "{}"), end(2)];
    expect(
      kept(
        [start(0, "read", "a"), delta(0, "{}"), end(0)],
        again,
        thinking("B"),
        providerData("B"),
        [start(3, "list", "b"), delta(3, "{}"), end(3)],
        stop("tool"),
      ),
    ).toMatchObject([{ id: "a" }, { type: "thinking", providerData: "B" }, { id: "b" }]);
  });

  test("a server call with its result stays beside a withheld call", () => {
    const server: Native[] = [native({ q: 1 }, { opens: "s" }), native({ r: 1 }, { closes: "s" })];
    expect(kept(text("Hi."), ...server, read, stop("budget"))).toEqual([
      said,
      { type: "native", data: { q: 1 }, opens: "s" },
      { type: "native", data: { r: 1 }, closes: "s" },
    ]);
  });

  test("a server call without a result is dropped; a result of an earlier message's call stays", () => {
    expect(kept(text("Hi."), native({ q: 1 }, { opens: "s" }), stop("budget"))).toEqual([said]);
    expect(kept(native({ r: 1 }, { closes: "earlier" }), text("Hi."), stop("done"))).toEqual([
      { type: "native", data: { r: 1 }, closes: "earlier" },
      said,
    ]);
  });

  test("an open server call stays if the turn continues", () => {
    const open = { type: "native", data: { q: 1 }, opens: "s" };
    expect(kept(native({ q: 1 }, { opens: "s" }), stop("paused"))).toEqual([open]);
    expect(kept(native({ q: 1 }, { opens: "s" }), read, stop("tool"))).toMatchObject([
      open,
      { type: "tool-call" },
    ]);
  });

  test("a reason that keeps text keeps nothing if there is no text", () => {
    const server: Native[] = [native({ q: 1 }, { opens: "s" }), native({ r: 1 }, { closes: "s" })];
    expect(kept(...server, stop("budget"))).toBeUndefined();
    expect(kept(...server, stop("done"))).toHaveLength(2);
  });

  test("a paused turn keeps its message without the client's calls", () => {
    const turn = settle([text("Hi."), read, stop("paused")]);
    expect(turn).toMatchObject({ stopReason: "pause", withheld: [{ name: "read" }] });
    expect(turn.message?.content).toEqual([said]);
  });

  test("provider data ends its block: later text is another block", () => {
    expect(kept(text("A"), providerData("1"), text("B"), text("C"), stop("done"))).toEqual([
      { type: "text", text: "A", providerData: "1" },
      { type: "text", text: "BC" },
    ]);
    expect(kept(providerData("nothing before it"), text("Hi."), stop("done"))).toEqual([said]);
  });

  test("`text` has all text, also if history does not keep it", () => {
    expect(settle([text("A"), read, text("B"), stop("policy")])).toMatchObject({
      text: "AB",
      stopReason: "content-filter",
    });
    expect(settle([text("A"), fails("busy")]).text).toBe("A");
  });
});

describe("explain", () => {
  const sentences = (turn: Turn): readonly string[] => Object.values(explain(turn));

  test("names the calls that run", () => {
    for (const sentence of sentences(settle([read, input("list", "{}"), stop("tool")])))
      expect(sentence).toMatch(/read, list/);
  });

  test("says why a call was withheld and that it did not run, to people and to the model", () => {
    const turn = settle([unclosed("write", '{"pa'), stop("tool")]);
    for (const sentence of sentences(turn)) expect(sentence).toMatch(/write/);
    expect(explain(turn).person).toMatch(/nothing of it ran/);
    expect(explain(turn).model).toMatch(/never said that the tool input was complete/);
  });

  test("has a sentence for every stop reason", () => {
    const endings: readonly (readonly Native[])[] = [
      ...[
        "done",
        "budget",
        "policy",
        "declined",
        "paused",
        "full",
        "failed",
        "sequence",
        "invented",
        "tool",
      ].map((word) => [stop(word)]),
      [],
      [fails("busy")],
    ];
    for (const ending of endings) {
      for (const sentence of sentences(settle(ending))) expect(sentence).toMatch(/^[A-Z].*\.$/);
      for (const sentence of sentences(settle([read, ...ending])))
        expect(sentence).not.toMatch(/undefined|\[object/);
    }
  });

  test.each([
    ["a dropped connection", [read]],
    ["input that is no JSON", [input("read", "{'a'}"), stop("tool")]],
    ["a call without a name", [[start(0, "", "x"), end(0, "{}")], stop("tool")]],
    ["a provider that failed", [read, fails("busy")]],
  ] satisfies [string, Native[]][])("never blames the output limit for %s", (_, natives) => {
    for (const sentence of sentences(settle(natives)))
      expect(sentence).not.toMatch(/output limit/i);
  });

  test("names the cap if usage reached it under another stop reason", () => {
    const { person, model } = explain(settle([read, usage(9), stop("tool")], { maxTokens: 9 }));
    expect(`${person} ${model}`).toMatch(/output limit/);
  });
});

describe("the listener", () => {
  test("receives text, thinking and inputs in order, and nothing else", () => {
    const seen: Preview[] = [];
    settle(
      [thinking("Hm."), providerData("S"), text("Hi."), read, native({}), usage(3), stop("tool")],
      {
        onPreview: (preview) => seen.push(preview),
      },
    );
    expect(seen.map(({ type }) => type)).toEqual([
      "thinking",
      "text",
      "tool-input-start",
      "tool-input-delta",
      "tool-input-end",
    ]);
  });

  test("push throws what the listener throws", () => {
    const gate = createGate(
      acme(),
      {},
      {
        onPreview: () => {
          throw new RangeError("mine");
        },
      },
    );
    expect(() => gate.push(text("Hi."))).toThrow(RangeError);
  });
});

describe("the end", () => {
  test("closes the gate: later events are refused, so a second reply cannot get the first verdict", () => {
    const gate = createGate(acme());
    gate.push(read);
    const turn = gate.end();
    const before = JSON.stringify(turn);
    expect(() => gate.push(stop("tool", false))).toThrow("Create a gate for each reply");
    expect(() => gate.fail(toProviderError(new Error("late")))).toThrow(
      "Create a gate for each reply",
    );
    expect(gate.end()).toBe(turn);
    expect(JSON.stringify(turn)).toBe(before);
    expect(turn.stopReason).toBe("interrupted");
  });

  test("`state` says when further reading is useless", () => {
    const gate = createGate(acme());
    expect(gate.state).toBe("open");
    gate.push(stop("tool", true));
    expect(gate.state).toBe("open");
    gate.push(stop("tool", false));
    expect(gate.state).toBe("ended");
    gate.push(text("More."));
    expect(gate.state).toBe("open");
    gate.push(stop("tool", false));
    expect(gate.state).toBe("ended");
    gate.push(delta("nobody", "x"));
    expect(gate.state).toBe("void");
  });
});
