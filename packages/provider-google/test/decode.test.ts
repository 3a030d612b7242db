import { createGate, type Preview, readTurn, type Turn } from "@fullstop/core";
import { parseJson, type TurnEvent } from "@fullstop/core/adapter";
import { type GoogleEvent, google } from "@fullstop/provider-google";
import { describe, expect, test } from "vitest";
import { bytes, type Chunk, call, chunk, end, type Part, reply, text } from "./chunks.ts";
import { serve } from "./server.ts";

const request = { messages: [{ role: "user", content: "Go." }] } as const;
const ask = (chunks: readonly Chunk[] | string): Promise<Turn> =>
  readTurn(serve(chunks).adapter(), request);
const contentOf = async (...parts: readonly Part[]): Promise<unknown> =>
  (await ask(reply("STOP", ...parts))).message?.content;

function eventsOf(...chunks: readonly Chunk[]): readonly TurnEvent[] {
  const events: TurnEvent[] = [];
  const decode = google("gemini-3.1-pro").decoder((event) => events.push(event));
  for (const one of chunks) decode(one as GoogleEvent);
  return events;
}

test("the index of the candidate may be a text", async () => {
  const [first, last] = [chunk(call("list")), end("STOP")].map((one) =>
    JSON.parse(JSON.stringify(one).replaceAll('"index":0', '"index":"0"')),
  );
  expect((await ask([first, last])).calls).toMatchObject([{ name: "list" }]);
});

test.for<unknown>([" ", "", []])(
  "a candidate with the index %j is not the first one",
  async (index) => {
    const other = (one: Chunk): Chunk => ({
      candidates: (one["candidates"] as readonly object[]).map((each) => ({ ...each, index })),
    });
    const outline = ({ stopReason, calls }: Turn): unknown => [stopReason, calls.length];
    expect(outline(await ask([chunk(call("list")), other(end("STOP"))]))).toEqual([
      "interrupted",
      0,
    ]);
    expect(outline(await ask([other(chunk(call("list"))), end("STOP")]))).toEqual([
      "interrupted",
      0,
    ]);
  },
);

test("the chunks of a reply may come as a list, if a proxy drops `alt=sse`", async () => {
  const chunks = [chunk(text("Hm.")), chunk(call("list")), end("STOP")];
  const turn = await ask(JSON.stringify(chunks));
  expect(turn).toEqual(await ask(chunks));
  expect(turn.calls).toMatchObject([{ name: "list" }]);
  for (const cut of [JSON.stringify(chunks).slice(0, -1), JSON.stringify(chunks.slice(0, -1))])
    expect(await ask(cut)).toMatchObject({ stopReason: "interrupted", calls: [] });
});

test("a step of the service with an input of any depth takes no call away", () => {
  const levels = 10_000;
  const deep = `${'{"a":['.repeat(levels)}1e21${"]}".repeat(levels)}`;
  const parts = `{"toolCall":{"id":"s","toolType":"GOOGLE_SEARCH_WEB","args":${deep}}},{"toolResponse":{"id":"s","response":${deep}}},{"functionCall":{"name":"list"}}`;
  const gate = createGate(google("gemini-3.1-pro"));
  gate.push(parseJson(`{"candidates":[{"content":{"parts":[${parts}]},"finishReason":"STOP"}]}`));
  const turn = gate.end();
  expect([turn.stopReason, turn.calls.length, turn.message?.content.length]).toEqual([
    "tool-use",
    1,
    3,
  ]);
});

describe("parts", () => {
  test("text in pieces is one block, thoughts are thinking, and those without a signature are not kept", async () => {
    const turn = await ask(
      reply("STOP", { text: "Hm.", thought: true }, text("One, "), text("two.")),
    );
    expect([turn.text, turn.message?.content]).toEqual([
      "One, two.",
      [{ type: "text", text: "One, two." }],
    ]);
  });

  test("a signature stays with its own part", async () => {
    const signed = { text: "two.", thoughtSignature: "c2lnMQ==" };
    expect(await contentOf(text("One, "), signed, text(" Three."))).toEqual([
      { type: "text", text: "One, ", providerData: null },
      { type: "text", text: "two.", providerData: "c2lnMQ==" },
      { type: "text", text: " Three." },
    ]);
    expect(
      await contentOf({ text: "Hm.", thought: true, thoughtSignature: "c2lnMg==" }, text("Yes.")),
    ).toEqual([
      { type: "thinking", text: "Hm.", providerData: "c2lnMg==" },
      { type: "text", text: "Yes." },
    ]);
  });

  test("an empty text with a signature is a native block; without one it is dropped", async () => {
    const signed = { text: "", thoughtSignature: "c2lnMQ==" };
    expect(await contentOf(text("Yes."), text(""), signed)).toEqual([
      { type: "text", text: "Yes." },
      { type: "native", data: signed },
    ]);
  });

  test("a signature belongs to its own call only", async () => {
    const content = await contentOf(
      call("read", { path: "a" }, { thoughtSignature: "c2lnMQ==" }),
      call("list"),
    );
    expect(content).toMatchObject([
      { type: "tool-call", name: "read", inputText: '{"path":"a"}', providerData: "c2lnMQ==" },
      { type: "tool-call", name: "list", inputText: "{}" },
    ]);
    expect(content).not.toHaveProperty("1.providerData");
    expect(content).not.toHaveProperty("0.nativeId");
  });

  test("steps of the service open and close, by id or in order", async () => {
    const [code, ran] = [
      { executableCode: { code: "1" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK" } },
    ];
    const [search, found] = [
      { toolCall: { id: "x", args: {} } },
      { toolResponse: { id: "x", response: {} } },
    ];
    const picture = { inlineData: { mimeType: "image/png", data: "AAAA" } };
    const content = await contentOf(code, ran, code, search, found, ran, picture);
    const blocks = content as readonly { data: unknown; opens?: string; closes?: string }[];
    expect(blocks.map(({ data }) => data)).toEqual([code, ran, code, search, found, ran, picture]);
    const opened = blocks.map(({ opens }) => opens);
    expect(blocks.map(({ closes }) => opened.indexOf(closes ?? "none"))).toEqual([
      -1, 0, -1, -1, 3, 2, -1,
    ]);
    expect(new Set(opened).size).toBe(4);
  });

  test("a step of the service with possible side effects is reported, unknown ones too", () => {
    const tells = (part: Part): boolean =>
      eventsOf(chunk(part)).some(({ type }) => type === "side-effects");
    expect(tells({ executableCode: { language: "PYTHON", code: "1" } })).toBe(true);
    expect(tells({ codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } })).toBe(false);
    expect(tells({ toolCall: { id: "t1", toolType: "GOOGLE_SEARCH_WEB", args: {} } })).toBe(false);
    expect(tells({ toolCall: { id: "t1", toolType: "X_LATER", args: {} } })).toBe(true);
    expect(tells({ toolCall: { id: "t1", args: {} } })).toBe(true);
    expect(tells(call("write", {}))).toBe(false);
  });

  test("a part without content is dropped", async () => {
    expect(
      (await ask(reply("STOP", {}, { partMetadata: {} }, text("Yes.")))).message?.content,
    ).toEqual([{ type: "text", text: "Yes." }]);
  });
});

describe("arguments", () => {
  const piece = (jsonPath: string, value: object = {}): Part => ({
    functionCall: { partialArgs: [{ jsonPath, ...value }], willContinue: true },
  });
  const begun = { functionCall: { name: "read", willContinue: true } };
  const closed = { functionCall: {} };
  const inputOf = async (...pieces: readonly Part[]): Promise<unknown> => {
    const turn = await ask(reply("STOP", begun, ...pieces, closed));
    return turn.calls[0]?.input ?? turn.stopReason;
  };

  test("in one piece are kept at any depth", async () => {
    const args = { a: [1, -2.5, 3e10, { b: null }], "": "\u0000 🧊", c: {} };
    expect((await ask(reply("STOP", call("read", args)))).calls[0]?.input).toEqual(args);
    expect(
      (await ask(reply("STOP", { functionCall: { name: "read", args: null } }))).calls[0]?.input,
    ).toEqual({});
  });

  test("that are not an object, or hold `__proto__`, are malformed", async () => {
    for (const args of ['["a"]', '"a"', '{"__proto__":{"a":1}}', '{"a":{"__proto__":null}}']) {
      const turn = await ask(
        bytes(reply("STOP", call("read", { here: 1 }))).replace('{"here":1}', args),
      );
      expect([args, turn.stopReason, turn.calls.length]).toEqual([args, "malformed-tool-call", 0]);
    }
  });

  test.each(["9007199254740993", "12345678901234567890", "-9007199254740993", "1e999"])(
    "with the number %s do not run, and keep its digits",
    async (number) => {
      const turn = await ask(
        bytes(reply("STOP", call("read", { here: 1 }))).replace('{"here":1}', `{"id":${number}}`),
      );
      expect(turn.stopReason).toBe("malformed-tool-call");
      expect(turn.withheld).toMatchObject([
        { inputText: `{"id":${number}}`, reason: "number-too-large" },
      ]);
    },
  );

  test.each(["9007199254740992", "1e21", "1e300", "0.1234567890123456789"])(
    "with the number %s run: a double holds it, or comes as near as any",
    async (number) => {
      const turn = await ask(
        bytes(reply("STOP", call("read", { here: 1 }))).replace('{"here":1}', `{"id":${number}}`),
      );
      expect(turn.calls[0]?.input).toEqual({ id: Number(number) });
    },
  );

  test("whose numbers another parser may have rounded do not run", () => {
    expect(() => eventsOf(chunk(call("read", { id: 2 ** 53 })))).toThrow("beyond 2^53");
  });

  test("in pieces become JSON text while they arrive", async () => {
    const previews: Preview[] = [];
    const pieces = [
      piece("$.path", { stringValue: 'a"', willContinue: true }),
      piece("$.path", { stringValue: "b" }),
      piece("$.of[0]", { boolValue: false }),
    ];
    const { adapter } = serve(reply("STOP", begun, ...pieces, closed));
    const turn = await readTurn(adapter(), request, {
      onPreview: (preview) => previews.push(preview),
    });
    expect(turn.calls[0]?.input).toEqual({ path: 'a"b', of: [false] });
    expect(previews.flatMap((one) => (one.type === "tool-input-delta" ? [one.text] : []))).toEqual([
      '{"path":"a\\"',
      'b"',
      ',"of":[false',
      "]}",
    ]);
  });

  test.each<[string, readonly Part[], unknown]>([
    ["nothing at all", [], {}],
    [
      "nested objects and lists",
      [
        piece("$.a.b[0].c", { numberValue: 1 }),
        piece("$.a.b[0].d", { numberValue: 2 }),
        piece("$.a.b[1]", { nullValue: {} }),
        piece("$.e", { stringValue: "" }),
      ],
      { a: { b: [{ c: 1, d: 2 }, null] }, e: "" },
    ],
    [
      "names in brackets",
      [piece("$['a b'].c", { numberValue: 1 }), piece('$["d\\"e"]', { boolValue: true })],
      { "a b": { c: 1 }, 'd"e': true },
    ],
    [
      "lists in lists, and empty ones",
      [
        piece("$.a[0][0]", { numberValue: 1 }),
        piece("$.a[1][0]", { numberValue: 2 }),
        piece("$.b[]"),
      ],
      { a: [[1], [2]], b: [] },
    ],
    [
      "a string that begins with nothing",
      [
        piece("$.a", { willContinue: true }),
        piece("$.a", { stringValue: "b", willContinue: true }),
        piece("$.a"),
      ],
      { a: "b" },
    ],
    [
      "a character in two pieces",
      [
        piece("$.a", { stringValue: "\ud83e", willContinue: true }),
        piece("$.a", { stringValue: "\uddca" }),
      ],
      { a: "🧊" },
    ],
  ])("in pieces: %s", async (_, pieces, input) => {
    expect(await inputOf(...pieces)).toEqual(input);
  });

  test.each<[string, readonly Part[]]>([
    [
      "a string left in the middle",
      [piece("$.a", { stringValue: "b", willContinue: true }), piece("$.c", { stringValue: "d" })],
    ],
    [
      "a number in a string",
      [piece("$.a", { stringValue: "b", willContinue: true }), piece("$.a", { numberValue: 1 })],
    ],
    [
      "a place that comes again",
      [piece("$.a", { numberValue: 1 }), piece("$.a", { numberValue: 2 })],
    ],
    [
      "a member of a closed object",
      [
        piece("$.a.b", { numberValue: 1 }),
        piece("$.c", { numberValue: 1 }),
        piece("$.a.d", { numberValue: 1 }),
      ],
    ],
    ["a list with a hole", [piece("$.a[1]", { numberValue: 1 })]],
    [
      "a list that is an object too",
      [piece("$.a[0]", { numberValue: 1 }), piece("$.a.b", { numberValue: 1 })],
    ],
    ["no value", [piece("$.a")]],
    ["a place that is a query", [piece("$..a", { numberValue: 1 })]],
    ["a place without its root", [piece("a", { numberValue: 1 })]],
    ["no place", [piece("$", { numberValue: 1 })]],
    ["another call's id", [{ functionCall: { id: "other", willContinue: true } }]],
    [
      "whole arguments among the pieces",
      [{ functionCall: { args: { a: 1 }, willContinue: true } }],
    ],
  ])("in pieces that contradict each other are not read: %s", async (_, pieces) => {
    expect(await inputOf(...pieces)).toBe("interrupted");
  });

  test("in pieces without a start or an end are not a call", async () => {
    expect((await ask(reply("STOP", piece("$.a", { numberValue: 1 }), closed))).stopReason).toBe(
      "malformed-tool-call",
    );
    expect(
      (await ask(reply("STOP", begun, piece("$.a", { numberValue: 1 })))).withheld,
    ).toMatchObject([{ reason: "not-closed" }]);
    expect((await ask(reply("STOP", closed, text("Yes.")))).stopReason).toBe("stop");
  });
});

describe("metadata", () => {
  test("the last value of each count is used", async () => {
    const counted = (usageMetadata: object): Chunk => ({ ...chunk(text("a")), usageMetadata });
    const turn = await ask([
      counted({ promptTokenCount: 9, cachedContentTokenCount: 4, thoughtsTokenCount: 30 }),
      counted({ promptTokenCount: 9, toolUsePromptTokenCount: 5 }),
      end("STOP", {}, { candidatesTokenCount: 7, promptTokensDetails: [] }),
    ]);
    expect(turn.usage).toEqual({ input: 14, output: 37, cacheRead: 4 });
  });

  test("without counts there is no usage", async () => {
    expect((await ask([chunk(text("a")), end("STOP", {}, {})])).usage).toEqual({
      input: 0,
      output: 0,
    });
  });

  test("the reply's id and model are reported once", () => {
    const metas = eventsOf(end("STOP"), end("STOP")).filter(({ type }) => type === "meta");
    expect(metas).toEqual([{ type: "meta", id: "response_1", model: "gemini-3.1-pro" }]);
  });

  test("of several candidates the first is read", async () => {
    const second = { content: { parts: [text("B")] }, finishReason: "SAFETY", index: 1 };
    const first = { content: { parts: [text("A")] }, finishReason: "STOP", index: 0 };
    expect(await ask([{ candidates: [second, first] }])).toMatchObject({
      stopReason: "stop",
      text: "A",
    });
    expect(await ask([{ candidates: [second] }])).toMatchObject({
      stopReason: "interrupted",
      text: "",
    });
  });

  test.each([
    [{ code: 503, status: "UNAVAILABLE", message: "No." }, "overloaded", "UNAVAILABLE"],
    [{ code: 429, message: "No." }, "rate-limit", "429"],
    [
      {
        code: 400,
        status: "INVALID_ARGUMENT",
        message: "The input token count (9) exceeds the maximum number of tokens allowed (5).",
      },
      "context-window",
      "INVALID_ARGUMENT",
    ],
    [{ code: "internal", message: "No." }, "server", "internal"],
    [{ code: 13, message: "No." }, "server", "13"],
    [{ message: "No." }, "server", "error"],
    ["No.", "server", "error"],
  ])("an error inside the reply: %j", async (error, kind, code) => {
    const turn = await ask([chunk(call("read", {})), { error } as Chunk, end("STOP")]);
    expect(turn).toMatchObject({ calls: [], error: { kind, code } });
  });
});
