import { describe, expect, test } from "vitest";
import { type PartialInput, salvageTurn } from "../src/adapter/index.ts";
import { restoreTurn, type Turn, type WithheldCall } from "../src/index.ts";
import {
  input,
  type Native,
  providerData,
  read,
  settle,
  stop,
  text,
  thinking,
  unclosed,
  usage,
} from "./reply.ts";

const cut: Native = unclosed("write", '{"path":"a","content":"half of i');
const complete = (
  _: WithheldCall,
  { complete: whole, incomplete: member }: PartialInput,
): object => ({
  ...whole,
  ...(member && { [member.key]: member.text }),
});
const untouched = (): never => {
  throw new Error("nobody may ask");
};

describe("the one call that was withheld", () => {
  test.each([
    ["length", [text("I write."), cut, stop("budget")]],
    ["interrupted", [text("I write."), cut]],
  ] satisfies [string, Native[]][])(
    "after %s may be completed by its tool, and is marked",
    (stopReason, natives) => {
      const turn = settle([
        ...natives.slice(0, 2),
        usage(5),
        { type: "side-effects" },
        ...natives.slice(2),
      ]);
      expect(turn.stopReason).toBe(stopReason);
      const salvaged = salvageTurn(turn, complete);
      expect(salvaged).toMatchObject({
        stopReason: "tool-use",
        text: "I write.",
        usage: { output: 5 },
        sideEffects: true,
        withheld: [],
        calls: [
          { id: "id-write", name: "write", input: { path: "a", content: "half of i" }, by: "loop" },
        ],
        message: { role: "assistant", stopReason: "tool-use" },
      });
      expect(salvaged?.message.content).toEqual([
        { type: "text", text: "I write." },
        {
          type: "tool-call",
          id: "id-write",
          name: "write",
          inputText: '{"path":"a","content":"half of i"}',
          by: "loop",
        },
      ]);
      expect(Object.isFrozen(salvaged?.calls[0].input)).toBe(true);
    },
  );

  test("its tool gets the call and the part of the input that arrived", () => {
    const seen: unknown[] = [];
    const decline = (call: WithheldCall, arrived: PartialInput): undefined => {
      seen.push(call, arrived);
    };
    expect(salvageTurn(settle([cut]), decline)).toBeUndefined();
    expect(seen).toEqual([
      {
        id: "id-write",
        name: "write",
        inputText: '{"path":"a","content":"half of i',
        reason: "no-terminal",
      },
      { complete: { path: "a" }, incomplete: { key: "content", text: "half of i" } },
    ]);
  });

  test("a complete input that was withheld is shown as complete", () => {
    const salvaged = salvageTurn(
      settle([read, usage(9), stop("tool")], { maxTokens: 9 }),
      complete,
    );
    expect(salvaged?.calls[0].input).toEqual({ path: "a" });
  });

  test("an input without any text is shown as empty", () => {
    expect(
      salvageTurn(settle([unclosed("write", "")]), (_, arrived) => arrived)?.calls[0].input,
    ).toEqual({ complete: {} });
  });

  test("a salvaged turn can be stored and restored", () => {
    const salvaged = salvageTurn(settle([text("I write."), cut]), complete) as Turn;
    expect(restoreTurn(JSON.parse(JSON.stringify(salvaged)))).toEqual(salvaged);
  });

  test("signed thinking before the cut call is not kept with the salvaged one", () => {
    const salvaged = salvageTurn(
      settle([text("I write."), thinking("Hm."), providerData("S"), cut, stop("budget")]),
      complete,
    );
    expect(salvaged?.message.content.map(({ type }) => type)).toEqual(["text", "tool-call"]);
  });
});

describe("nothing is salvaged", () => {
  test.each([
    ["from a finished reply", [text("Hi."), stop("done")]],
    ["from calls that run", [read, stop("tool")]],
    ["from a cut reply without a call", [text("Hi."), stop("budget")]],
    ["where two calls were withheld", [read, cut, stop("budget")]],
    ["from a refusal", [cut, stop("declined")]],
    ["from a filtered reply", [cut, stop("policy")]],
    ["from a full window", [cut, stop("full")]],
    ["from a pause", [cut, stop("paused")]],
    ["from an error", [cut, stop("failed")]],
    ["under an unknown word", [cut, stop("invented")]],
    ["from a malformed call", [input("write", "{'a'}"), stop("tool")]],
    ["before a stop sequence", [read, stop("sequence")]],
    ["from a call without a name", [unclosed("", '{"a":"x', 0), stop("budget")]],
    ["from text that is no JSON", [unclosed("write", "{'a':"), stop("budget")]],
  ] satisfies [string, Native[]][])("%s", (_, natives) => {
    expect(salvageTurn(settle(natives), untouched)).toBeUndefined();
  });

  test("from an aborted reply", () => {
    expect(salvageTurn(settle([cut], { signal: AbortSignal.abort() }), untouched)).toBeUndefined();
  });

  test.each([
    ["nothing", undefined],
    ["a list", [1]],
    ["a __proto__ key", JSON.parse('{"a":{"__proto__":1}}')],
  ])("where the tool answers with %s", (_, answer) => {
    expect(salvageTurn(settle([cut]), () => answer)).toBeUndefined();
  });

  test("what a tool throws, salvage throws", () => {
    expect(() => salvageTurn(settle([cut]), untouched)).toThrow("nobody may ask");
  });
});
