import { describe, expect, test } from "vitest";
import { restoreTurn, type Turn } from "../src/index.ts";
import {
  fails,
  type Native,
  read,
  type Setting,
  settle,
  stop,
  text,
  thinking,
  usage,
} from "./reply.ts";

const asked: Setting = { output: { schema: { type: "object" } }, maxTokens: 100 };
const outputOf = (turn: Turn): unknown => ("output" in turn ? turn.output : undefined);
const json = '{"a":{"b":[1,"}"]},"c":null}';
const finished = (...natives: readonly Native[]): readonly Native[] => [
  ...natives,
  usage(5),
  stop("done"),
];

describe("the output of a finished reply", () => {
  test.each([json, ` \n${json}\n`, "{}", "{ }", '{"a":9007199254740991}', '{"a":"é 🧊"}'])(
    "is its text, parsed and frozen: %j",
    (written) => {
      const turn = settle(finished(text(written)), asked);
      expect(outputOf(turn)).toEqual({ value: JSON.parse(written) });
      expect(turn).toMatchObject({ stopReason: "stop", text: written, calls: [] });
    },
  );

  test("is frozen at every depth", () => {
    const output = outputOf(settle(finished(text(json)), asked)) as { value: { a: { b: object } } };
    for (const part of [output, output.value, output.value.a, output.value.a.b])
      expect(Object.isFrozen(part)).toBe(true);
  });

  test("comes from the text in all its pieces, and not from thinking", () => {
    const pieces = [...json].map(text);
    const turn = settle(finished(thinking('{"not":"this"}'), ...pieces), asked);
    expect(outputOf(turn)).toEqual({ value: JSON.parse(json) });
  });

  test("is absent if the request did not ask for an object", () => {
    expect(settle(finished(text(json)))).not.toHaveProperty("output");
  });

  test.each([
    ["", "input-missing"],
    [" \n", "input-missing"],
    ['{"a":', "input-cut"],
    [json.slice(0, -1), "input-cut"],
    [`${json}${json}`, "invalid-json"],
    [`${json} That is all.`, "invalid-json"],
    [`\`\`\`json\n${json}\n\`\`\``, "invalid-json"],
    ["I cannot help with that.", "invalid-json"],
    ["[]", "not-an-object"],
    ["null", "not-an-object"],
    ['"{}"', "not-an-object"],
    ['{"a":9007199254740993}', "number-too-large"],
    ['{"a":{"__proto__":{}}}', "unsupported"],
  ])("says why the text %j is not an object", (written, withheld) => {
    const turn = settle(finished(text(written)), asked);
    expect(turn.stopReason).toBe("stop");
    expect(outputOf(turn)).toEqual({ withheld });
    expect(turn.text).toBe(written);
  });
});

describe("no output has", () => {
  const cases: Readonly<Record<string, readonly [readonly Native[], Setting?]>> = {
    "a reply without a stop reason": [[text(json)]],
    "a reply that was cut at the cap": [[text(json), usage(100), stop("budget")]],
    "a reply that reached the cap under `stop`": [[text(json), usage(100), stop("done")]],
    "a refusal": [[text(json), stop("declined")]],
    "a filtered reply": [[text(json), stop("policy")]],
    "a pause": [[text(json), stop("paused")]],
    "a full window": [[text(json), stop("full")]],
    "a reply with an unknown stop reason": [[text(json), stop("later")]],
    "a reply with an error": [[text(json), fails("busy"), stop("done")]],
    "a reply whose connection broke": [
      [text(json), stop("done", true)],
      { thrown: new TypeError("terminated") },
    ],
    "an aborted reply": [finished(text(json)), { signal: AbortSignal.abort() }],
    "a reply that a stop sequence ended": [[text(json), usage(5), stop("sequence")]],
    "a reply with a call": [[text(json), read, usage(5), stop("tool")]],
    "a reply that asks for a call and has none": [[text(json), usage(5), stop("tool")]],
    "a reply that went on after its end": [[text(json), stop("done"), text(json)]],
    "a reply of a relabelling host without usage": [
      [text(json), stop("done")],
      { adapter: { mislabelsTruncation: true } },
    ],
    "a reply of a relabelling host without a cap": [
      finished(text(json)),
      { adapter: { mislabelsTruncation: true }, maxTokens: undefined },
    ],
  };
  test.each(Object.entries(cases))("%s", (_, [natives, setting]) => {
    expect(outputOf(settle(natives, { ...asked, ...setting }))).toBeUndefined();
  });
});

describe("the beginning of an object", () => {
  const beginnings = Array.from({ length: json.length - 1 }, (_, at) => json.slice(0, at + 1));

  test("was cut if no usage shows that the reply is below the cap", () => {
    for (const begun of beginnings) {
      const turn = settle([text(begun), stop("done")], asked);
      expect(turn).toMatchObject({ stopReason: "length", text: begun });
      expect(outputOf(turn)).toBeUndefined();
    }
  });

  test("is what the model wrote if the usage is below the cap", () => {
    for (const begun of beginnings) {
      const turn = settle(finished(text(begun)), asked);
      expect(turn.stopReason).toBe("stop");
      expect(outputOf(turn)).toEqual({ withheld: "input-cut" });
    }
  });

  test("does not count as cut if the request asked for no object, or if a call is beside it", () => {
    expect(settle([text('{"a":'), stop("done")]).stopReason).toBe("stop");
    expect(settle([text('{"a":'), read, stop("tool")], asked).stopReason).toBe("tool-use");
    expect(settle([text('{"a":'), stop("tool")], asked).stopReason).toBe("malformed-tool-call");
  });
});

describe("a stored turn with an output", () => {
  const stored = (natives: readonly Native[]): Record<string, unknown> =>
    JSON.parse(JSON.stringify(settle(natives, asked)));

  test.each([json, "[]", '{"a":', ""])("comes back as it was: %j", (written) => {
    const turn = stored(finished(text(written)));
    const restored = restoreTurn(turn);
    expect(JSON.parse(JSON.stringify(restored))).toEqual(turn);
    expect(outputOf(restored)).toEqual(turn["output"]);
    expect(Object.isFrozen(outputOf(restored))).toBe(true);
  });

  test("gives out what its text says, not what its output says", () => {
    const turn = stored(finished(text(json)));
    const changed = restoreTurn({ ...turn, output: { value: { a: "changed" } } });
    expect(outputOf(changed)).toEqual({ value: JSON.parse(json) });
  });

  test.each([
    ["a text that is not an object", { text: "changed" }],
    ["the beginning of an object as its text", { text: json.slice(0, -1) }],
    ["a text with a number that would be rounded", { text: '{"a":9007199254740993}' }],
    ["an output of another kind", { output: { something: 1 } }],
    ["an output that is a text", { output: json }],
    ["an output that is null", { output: null }],
    ["another stop reason", { stopReason: "length" }],
    ["the stop reason of a refusal", { stopReason: "refusal" }],
  ])("is refused with %s", (_, changes) => {
    expect(() => restoreTurn({ ...stored(finished(text(json))), ...changes })).toThrow(
      /This is not a stored turn/,
    );
  });
});
