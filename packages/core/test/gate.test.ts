import { describe, expect, test } from "vitest";
import { salvageTurn } from "../src/adapter/index.ts";
import { createGate, explain, restoreTurn, type ToolSpec, type Turn } from "../src/index.ts";
import { acme } from "./acme.ts";
import {
  delta,
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
const errorOf = (turn: Turn) => ("error" in turn ? turn.error : undefined);

describe("a gate", () => {
  test("salvage shows no rounded or infinite number", () => {
    for (const number of ["9007199254740993", "1e999"]) {
      const turn = settle([unclosed("write", `{"n":${number},"content":"half`)]);
      const salvaged = salvageTurn(turn, (_, { complete: whole, incomplete: cut }) => ({
        ...whole,
        content: cut?.text,
      }));
      expect(salvaged?.calls[0].input["n"]).toBeUndefined();
    }
  });
  test.each(["text", "thinking", "tool-input-delta"] as const)(
    "a %s with a value that is not a text gives `malformed-frame` and no preview",
    (type) => {
      for (const said of [5, null, { a: 1 }, ["b"]]) {
        const previews: unknown[] = [];
        const gate = createGate(
          acme({ fetch }),
          {},
          { onPreview: (event) => previews.push(event) },
        );
        for (const event of [...input("read", "{}"), stop("tool")]) gate.push(event);
        const before = previews.length;
        gate.push({ type: "tool-input-start", key: 9, name: "read" });
        gate.push({ type, key: 9, text: said });
        expect(verdict(gate.end())).toBe("interrupted, withholds read, read: malformed-frame");
        expect(previews.slice(before)).toEqual([
          { type: "tool-input-start", key: 9, name: "read" },
        ]);
      }
    },
  );
  test.each(["1e999", "-5", "null", '"12"'])(
    "the count %s is dropped, and the turn can be stored",
    (count) => {
      const turn = settle([
        text("Hi."),
        { type: "usage", usage: { input: 3, output: JSON.parse(count) } },
        stop("done"),
      ]);
      expect(turn.usage).toEqual({ input: 3, output: 0 });
      expect(restoreTurn(JSON.parse(JSON.stringify(turn)))).toEqual(turn);
    },
  );
  test("an empty input without end and usage is withheld if its tool may have properties", () => {
    const schemas = [
      { type: "object", additionalProperties: { type: "number" } },
      { anyOf: [{ properties: { a: {} } }] },
      { allOf: [{ properties: { a: {} } }] },
      { $ref: "#/$defs/a", $defs: { a: { properties: { a: {} } } } },
      { type: "object", patternProperties: { ".": {} } },
    ];
    for (const inputSchema of schemas) {
      const tools: ToolSpec[] = [{ name: "read", description: "", inputSchema }];
      expect([
        inputSchema,
        settle([start(0, "read", "a"), stop("tool")], { tools, adapter: implicitEnds }).calls
          .length,
      ]).toEqual([inputSchema, 0]);
    }
  });
  test("another name under an open key is a second input", () => {
    const turn = settle([
      start(0, "read"),
      start(0, "write"),
      delta(0, '{"p":1}'),
      end(0),
      stop("tool"),
    ]);
    expect(turn.calls).toEqual([]);
  });
  test("a listener that throws cannot make a part of the calls run", () => {
    let thrown = false;
    const gate = createGate(
      acme(),
      {},
      {
        onPreview: ({ type }) => {
          if (type === "tool-input-end" && !thrown) {
            thrown = true;
            throw new Error("mine");
          }
        },
      },
    );
    for (const one of [[...read, ...input("list", "{}")], stop("tool", false)] satisfies Native[])
      try {
        gate.push(one);
      } catch {
        /* ignored by the caller */
      }
    expect(gate.end().calls).toEqual([]);
  });
  test("an end without a start is ignored, also after the stop reason", () => {
    expect(verdict(settle([read, stop("tool"), end("nobody")]))).toBe(runs);
  });
  test("a repeated end, an empty delta and an empty start do not revoke a stop reason", () => {
    expect(verdict(settle([read, stop("tool"), end("read")]))).toBe(runs);
    expect(verdict(settle([read, stop("tool"), delta("read", "")]))).toBe(runs);
    expect(verdict(settle([read, stop("tool"), start(9, "", "")]))).toBe(runs);
  });
  test("one text over the size limit is refused", () => {
    expect(settle([text("x".repeat(16 * 1024 * 1024 + 1)), stop("done")]).stopReason).toBe(
      "interrupted",
    );
  });
  test("content after a contradiction in one native event is ignored", () => {
    const apart: Native[] = [
      start(0, "a", "one"),
      delta(0, '{"x":"'),
      start(0, "b", "two"),
      delta(0, "of b"),
    ];
    expect(settle([apart.flat() as Native]).withheld[0]?.inputText).toBe(
      settle(apart).withheld[0]?.inputText,
    );
  });
  test("a prefix deeper than a thousand levels is cut, not invalid", () => {
    expect(
      settle([input("read", `{"a":${"[".repeat(2000)}`), usage(1), stop("tool")]).withheld[0]
        ?.reason,
    ).toBe("input-cut");
  });
  test("an integer that is written with a fraction or an exponent is not rounded either", () => {
    for (const number of ["9007199254740993.0", "9007199254740993e0"])
      expect(settle([input("read", `{"n":${number}}`), stop("tool")]).calls).toEqual([]);
  });
  test("provider data after an empty text does not replace that of the preceding call", () => {
    const turn = settle([
      start(0, "read", "a"),
      delta(0, "{}"),
      providerData("A"),
      text(""),
      providerData("B"),
      end(0),
      stop("tool"),
    ]);
    expect(turn.message?.content[0]).toMatchObject({ providerData: "A" });
  });
  test("no message ends in thinking: reasoning before a dropped server call is dropped", () => {
    const last = (...natives: Native[]) => settle(natives).message?.content.at(-1)?.type;
    expect(
      last(
        text("Hi."),
        thinking("Hm."),
        providerData("S"),
        native({}, { opens: "s" }),
        stop("budget"),
      ),
    ).toBe("text");
  });
  test("no message ends in thinking: a cut right after signed thinking", () => {
    expect(
      settle([text("Hi."), thinking("Hm."), providerData("S"), stop("budget")]).message?.content.at(
        -1,
      )?.type,
    ).toBe("text");
  });
  test("the input of a free-form tool is not salvaged as JSON", () => {
    const free: Native = [
      { type: "tool-input-start", key: 0, id: "f", name: "patch", kind: "text" },
      delta(0, '{"a":"half'),
    ];
    const salvaged = salvageTurn(settle([free]), (_, { complete: whole }) => ({
      ...whole,
      made: true,
    }));
    expect(salvaged === undefined || "text" in salvaged.calls[0].input).toBe(true);
  });
  test("a list is not the beginning of an input", () => {
    let asked = 0;
    salvageTurn(settle([unclosed("write", '["abc')]), () => void asked++ as undefined);
    expect(asked).toBe(0);
  });
  test("a stop reason that the table calls `unknown` is not reported as missing", () => {
    expect(
      errorOf(settle([stop("X")], { adapter: { stops: { X: "unknown" } } }))?.message,
    ).not.toMatch(/does not know/);
  });
  test("explain does not mention the connection if a frame could not be read", () => {
    const { person, model } = explain(settle([read, delta("nobody", "x"), stop("tool", false)]));
    expect(`${person} ${model}`).not.toMatch(/connection/i);
  });
  test("explain names the calls that were held back, one or several", () => {
    const start = (key: number, name: string): Native => [
      { type: "tool-input-start", key, id: name, name },
    ];
    const heldBack = (...events: readonly Native[]): string => explain(settle(events)).person;
    expect(heldBack(start(0, "read"))).toMatch(/ Held back read; nothing of it ran\.$/);
    expect(heldBack(start(0, "read"), start(1, "write"))).toMatch(
      / Held back read, write; nothing of them ran\.$/,
    );
  });
  test("explain of a salvaged turn does not say that the model finished", () => {
    const salvaged = salvageTurn(
      settle([unclosed("write", '{"a":"x')]),
      (_, { complete: whole }) => whole,
    ) as Turn;
    const { person, model } = explain(salvaged);
    expect(`${person} ${model}`).not.toMatch(/finished|complete/i);
  });
  test("an empty stop reason is not the turn's native stop reason", () => {
    expect(settle([stop("")]).native).toBeUndefined();
  });
});
