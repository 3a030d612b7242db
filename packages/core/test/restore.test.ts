import { describe, expect, test } from "vitest";
import { restoreTurn, type Turn } from "../src/index.ts";
import {
  delta,
  end,
  fails,
  input,
  type Native,
  providerData,
  read,
  type Setting,
  settle,
  start,
  stop,
  text,
  thinking,
  unclosed,
  usage,
} from "./reply.ts";

const stored = (turn: Turn): Record<string, unknown> => JSON.parse(JSON.stringify(turn));
const free: Native = [
  { type: "tool-input-start", key: 0, id: "f", name: "patch", kind: "text" },
  delta(0, "not JSON"),
  end(0),
];
const turns: readonly (readonly [string, readonly Native[], Setting?])[] = [
  [
    "calls",
    [
      thinking("Hm."),
      providerData("S"),
      text("Hi."),
      read,
      input("list", ' {"b" : [1]} '),
      usage(5),
      stop("tool", false, "why"),
    ],
  ],
  ["a free-form call", [free, stop("tool")]],
  ["an answer", [text("Hi."), usage(5), stop("done")]],
  ["an answer of nothing", [stop("done")]],
  ["a cut call", [text("Hi."), unclosed("read", '{"pa'), stop("budget")]],
  ["a call without a name", [[start(0, "", "x"), end(0, "{}")], stop("tool")]],
  ["a stop sequence", [read, stop("sequence")]],
  ["a pause", [text("Hi."), { type: "meta", resume: { token: 1 } }, stop("paused")]],
  ["a refusal", [text("No."), stop("declined")]],
  ["a filter", [stop("policy")]],
  ["a full window", [fails("window")]],
  ["an error", [read, fails("busy", "Later.")]],
  ["an interruption", [text("Hi."), read]],
  ["an interruption of what has effects", [text("Hi."), { type: "side-effects" }]],
  ["calls beside what has effects", [{ type: "side-effects" }, read, stop("tool")]],
  ["an unknown word", [stop("invented")]],
  ["an abort", [text("Hi."), read], { signal: AbortSignal.abort() }],
];

describe("a stored turn", () => {
  test.each(turns.map(([name, natives, setting]) => [name, settle(natives, setting)] as const))(
    "of %s comes back as it was",
    (_, turn) => {
      const restored = restoreTurn(stored(turn));
      expect(stored(restored)).toEqual(stored(turn));
      expect(restored.stopReason).toBe(turn.stopReason);
      if ("error" in turn && "error" in restored) {
        expect(restored.error).toBeInstanceOf(Error);
        expect(restored.error).toMatchObject({
          message: turn.error.message,
          kind: turn.error.kind,
        });
      }
    },
  );

  test("issues its calls anew: parsed from the model's text, and frozen", () => {
    const before = settle([input("read", '{"a":{"b":[1]}}'), stop("tool")]);
    const tampered = { ...stored(before), calls: [{ id: "x", name: "rm", input: { path: "/" } }] };
    const { calls } = restoreTurn(tampered);
    expect(calls).toEqual(before.calls);
    expect(Object.isFrozen(calls[0])).toBe(true);
    expect(Object.isFrozen(calls[0]?.input["a"])).toBe(true);
  });

  test("keeps the author of a call", () => {
    const turn = stored(settle([read, stop("tool")]));
    const message = turn["message"] as { content: object[] };
    const byLoop = {
      ...turn,
      message: { ...message, content: [{ ...message.content[0], by: "loop" }] },
    };
    expect(restoreTurn(byLoop).calls[0]).toMatchObject({ name: "read", by: "loop" });
  });

  test("keeps the id of its request", () => {
    expect(restoreTurn({ ...settle([stop("done")]), requestId: "req_1" }).requestId).toBe("req_1");
  });
});

describe("a stored turn that was changed", () => {
  const turn = stored(settle([text("Hi."), read, stop("tool")]));
  const message = turn["message"] as { content: object[] };
  const withCall = (changes: object): unknown => ({
    ...turn,
    message: { ...message, content: [{ ...message.content[1], ...changes }] },
  });

  test.each(["", "{}", '{"a":1}'])("issues the call that its text contains: %j", (inputText) => {
    expect(restoreTurn(withCall({ inputText })).calls[0]?.input).toEqual(
      inputText === "" ? {} : JSON.parse(inputText),
    );
  });

  test.each([
    '{"path":"/x","con',
    "{'a':1}",
    "[]",
    "null",
    '"x"',
    '{"n":9007199254740993}',
    '{"a":{"__proto__":{}}}',
    5,
    null,
    undefined,
    {},
  ])("gets no licence for the input %j", (inputText) => {
    expect(() => restoreTurn(withCall({ inputText }))).toThrow(TypeError);
    expect(() => restoreTurn(withCall({ inputText }))).toThrow(/stored turn/);
  });

  test.each([
    { id: "" },
    { id: 7 },
    { id: undefined },
    { name: "" },
    { name: " " },
    { name: null },
  ])("gets no licence for a call with %j", (changes) => {
    expect(() => restoreTurn(withCall(changes))).toThrow(/stored turn/);
  });

  test.each([
    undefined,
    null,
    5,
    "tool-use",
    true,
    [],
    {},
    { stopReason: "tool-use" },
    () => undefined,
  ])("%j is no turn", (nonsense) => {
    expect(() => restoreTurn(nonsense)).toThrow(/This is not a stored turn/);
  });

  test.each([
    ["an invented reason", { stopReason: "finished" }],
    ["a reason that every object has", { stopReason: "constructor" }],
    ["no text", { text: undefined }],
    ["a text that is none", { text: 5 }],
    ["no usage", { usage: undefined }],
    ["a usage of words", { usage: { input: "1", output: "2" } }],
    ["no message for its calls", { message: undefined }],
    ["null for a message", { message: null }],
    ["a message of a user", { message: { role: "user", content: [] } }],
    ["a message without blocks", { message: { role: "assistant", content: "x" } }],
    ["a message without calls", { message: { role: "assistant", content: [] } }],
    ["calls under a cut", { stopReason: "length" }],
    ["calls under a stop", { stopReason: "stop" }],
  ])("is refused with %s", (_, changes) => {
    expect(() => restoreTurn({ ...turn, ...changes })).toThrow(TypeError);
  });
});

describe("a broken stored turn", () => {
  const storedCall = (id: string) => ({
    type: "tool-call" as const,
    id,
    name: "read",
    inputText: "{}",
  });
  const ended = { stopReason: "stop", text: "", usage: { input: 0, output: 0 } };
  test.each([
    ["a reason in a list", { ...ended, stopReason: ["tool-use"] }],
    ["a block that is null", { ...ended, message: { role: "assistant", content: [null] } }],
    ["withheld calls that are a text", { ...ended, stopReason: "length", withheld: "abc" }],
    [
      "an error of no known kind",
      { ...ended, stopReason: "error", error: { kind: "nonsense", message: 5 } },
    ],
    [
      "the same call twice",
      {
        ...ended,
        stopReason: "tool-use",
        message: { role: "assistant", content: [storedCall("a"), storedCall("a")] },
      },
    ],
  ])("a stored turn with %s is refused", (_, stored) => {
    expect(() => restoreTurn(stored)).toThrow(/stored turn/);
  });
});
