import { createGate, type Preview, readTurn, type Turn, type TurnRequest } from "@fullstop/core";
import { openaiChat } from "@fullstop/provider-openai";
import { isFull } from "@tooling/test/full";
import { describe, expect, test } from "vitest";
import {
  argumentsDelta,
  callChunk,
  callsChunk,
  chunk,
  completion,
  done,
  type Event,
  finishChunk,
  serve,
  usageChunk,
} from "./chat-server.ts";
import { outline, ran } from "./outline.ts";

const a = '{"path":"a"}';
const b = '{"path":"b"}';
const tools = [
  { name: "read", description: "", inputSchema: { type: "object", properties: { path: {} } } },
  { name: "list", description: "", inputSchema: { type: "object", properties: {} } },
];
const request: TurnRequest = {
  messages: [{ role: "user", content: "Go." }],
  tools,
  maxTokens: 1024,
};
const read = (...events: readonly Event[]): Promise<Turn> =>
  readTurn(serve(events).adapter(), request);

describe("which calls there are", () => {
  test("a function_call is marked as an echo, with a separate key", async () => {
    const previews: Preview[] = [];
    const events = [
      callChunk(0, ["X", "read"], a),
      chunk({ function_call: { name: "read", arguments: a } }),
      finishChunk("tool_calls"),
      done,
    ];
    await readTurn(serve(events).adapter(), request, {
      onPreview: (preview) => previews.push(preview),
    });
    const starts = previews.filter((preview) => preview.type === "tool-input-start");
    expect(starts.map(({ echo }) => echo)).toEqual([undefined, true]);
    expect(new Set(starts.map(({ key }) => key)).size).toBe(2);
  });

  test("a call of which only the id came withholds all calls", async () => {
    const turn = await read(
      callsChunk({ index: 0, id: "X" }),
      callChunk(1, ["Y", "read"], b),
      finishChunk("tool_calls"),
      usageChunk(9),
      done,
    );
    expect(turn).toMatchObject({
      stopReason: "malformed-tool-call",
      calls: [],
      withheld: [{ id: "Y" }, { id: "X", reason: "no-name" }],
    });
  });

  test("a call that is null is skipped", async () => {
    expect(
      outline(
        await read(
          chunk({ tool_calls: [null] }),
          callChunk(0, ["X", "read"], a),
          finishChunk("tool_calls"),
          done,
        ),
      ),
    ).toEqual(ran("a"));
  });

  test("a refusal after finish_reason is a refusal", async () => {
    expect((await read(finishChunk("stop"), chunk({ refusal: "No." }), done)).stopReason).toBe(
      "refusal",
    );
  });

  test("indices may be texts", async () => {
    const asTexts = (...events: readonly Event[]): readonly Event[] =>
      JSON.parse(JSON.stringify(events).replaceAll(/"index":(\d)/g, '"index":"$1"'));
    const [begins, goesOn] = [callChunk(0, ["X", "read"], '{"path":'), argumentsDelta(0, '"a"}')];
    const end = finishChunk("tool_calls");
    for (const events of [
      [...asTexts(begins, goesOn, end), done],
      [...asTexts(begins), goesOn, end, done],
    ])
      expect(outline(await read(...events))).toEqual(ran("a"));
    const gap = asTexts(callChunk(0, ["X", "read"], a), callChunk(2, ["Y", "read"], b), end);
    expect(outline(await read(...gap, done))).toEqual(["interrupted"]);
  });

  test("the error about a gap names the indices, and the option for a host that skips indices", async () => {
    const turn = await read(
      callChunk(0, ["X", "read"], a),
      callChunk(2, ["Y", "read"], b),
      finishChunk("tool_calls"),
      usageChunk(9),
      done,
    );
    expect(turn).toMatchObject({
      stopReason: "interrupted",
      calls: [],
      withheld: [{ name: "read" }, { name: "read" }],
    });
    expect("error" in turn && turn.error.message).toMatch(/indices 0 and 2.*sparseIndices/);
  });

  test("a repeated name after a complete input starts a call only if neither has an id", async () => {
    const readDelta = (id: string | undefined, text: string) =>
      callsChunk({ index: 0, id, function: { name: "read", arguments: text } });
    expect(
      outline(
        await read(readDelta("", a), readDelta("", b), finishChunk("tool_calls"), usageChunk(9)),
      ),
    ).toEqual(ran("a", "b"));
    expect(
      outline(
        await read(readDelta("X", a), readDelta("X", b), finishChunk("tool_calls"), usageChunk(9)),
      ),
    ).toEqual(["malformed-tool-call"]);
  });

  test("an object that continues the one before it may be a longer version of it", async () => {
    const readDelta = (text: string) =>
      callsChunk({ index: 0, function: { name: "read", arguments: text } });
    for (const [before, after] of [
      ["{}", a],
      [a, '{"path":"a/b"}'],
      ['{"path":["a"]}', '{"path":["a","b"]}'],
    ] as const) {
      expect(
        outline(
          await read(readDelta(before), readDelta(after), finishChunk("tool_calls"), usageChunk(9)),
        ),
      ).toEqual(["malformed-tool-call"]);
    }
  });

  const count = isFull ? 25_000 : 5_000;

  test(`${count} calls are all read, with any numbering`, () => {
    const many = (delta: (n: number) => Readonly<Record<string, unknown>>): Turn => {
      const gate = createGate(openaiChat("m", { apiKey: "key" }), { maxTokens: 1024, tools });
      for (let n = 0; n < count; n++) gate.push(callsChunk(delta(n)));
      for (const event of [finishChunk("tool_calls"), usageChunk(9), done]) gate.push(event);
      return gate.end();
    };
    const functionOf = (n: number) => ({ name: "read", arguments: `{"path":"p${n}."}` });
    const ways: readonly ((n: number) => Readonly<Record<string, unknown>>)[] = [
      (n) => ({ index: n, id: `call_${n}`, function: functionOf(n) }),
      (n) => ({ function: functionOf(n) }),
      (n) => ({ index: n, id: "X", function: functionOf(n) }),
    ];
    for (const way of ways) expect(many(way).calls).toHaveLength(count);
    const restated = (n: number) => ({
      function: { name: "read", arguments: `{"path":"a","n":{"m":${n}}` },
    });
    expect(many(restated).stopReason).toBe("malformed-tool-call");
  });
});

describe("what ends a reply", () => {
  test("a second finish_reason after content does not end the reply; `[DONE]` does", async () => {
    const events = [
      callChunk(0, ["X", "read"], a),
      finishChunk("tool_calls"),
      callChunk(1, ["Y", "read"], b),
      finishChunk("tool_calls"),
    ];
    expect(outline(await read(...events))).toEqual(["interrupted"]);
    expect(outline(await read(...events, done))).toEqual(ran("a", "b"));
  });

  test.each([{}, { name: "", input: "" }])(
    "an empty `custom` beside a function: %j",
    async (custom) => {
      const call = callsChunk({
        index: 0,
        id: "X",
        function: { name: "read", arguments: a },
        custom,
      });
      expect(outline(await read(call, finishChunk("tool_calls")))).toEqual(ran("a"));
    },
  );

  test("`[DONE]` ends a reply whose call comes again behind its finish_reason", async () => {
    const pieces = [callChunk(0, ["X", "read"], a.slice(0, 5)), argumentsDelta(0, a.slice(5))];
    const end = finishChunk("tool_calls");
    for (const index of [0, 1]) {
      const again = callChunk(index, ["X", "read"], a);
      expect(outline(await read(...pieces, end, again, done))).toEqual(ran("a"));
    }
    for (const other of [
      callChunk(1, ["Y", "read"], a),
      callChunk(1, ["X", "read"], b),
      callChunk(1, ["X", "list"], a),
      callChunk(1, ["X", "read"], a.slice(0, 5)),
    ])
      expect(outline(await read(...pieces, end, other, done))).toEqual(["interrupted"]);
  });

  test("content after `[DONE]` revokes the end", async () => {
    const late = [
      callChunk(0, ["X", "read"], a),
      finishChunk("tool_calls"),
      done,
      callChunk(1, ["Y", "read"], b),
    ];
    expect(outline(await read(...late))).toEqual(["interrupted"]);
    expect(outline(await read(...late, finishChunk("tool_calls")))).toEqual(["interrupted"]);
  });
});

describe("numbers", () => {
  const long = '{"id":12345678901234567890}';
  const withNumber = (event: object): string => JSON.stringify(event).replace('"#"', long);

  test("a number that a double cannot hold withholds its input, streamed or not, and the reply is not requested again", async () => {
    const streamed = `data: ${withNumber(callsChunk({ index: 0, id: "X", function: { name: "read", arguments: "#" } }))}\n\ndata: ${JSON.stringify(finishChunk("tool_calls"))}\n\n`;
    const message = {
      tool_calls: [{ id: "X", type: "function", function: { name: "read", arguments: "#" } }],
    };
    const whole = withNumber(completion(message, "tool_calls"));
    expect(await readTurn(serve(streamed).adapter(), request)).toMatchObject({
      stopReason: "malformed-tool-call",
      withheld: [{ reason: "number-too-large", inputText: long }],
    });
    const body = serve(
      () => new Response(whole, { headers: { "content-type": "application/json" } }),
    );
    expect(await readTurn(body.adapter({ stream: false }), request)).toMatchObject({
      stopReason: "malformed-tool-call",
      withheld: [{ reason: "number-too-large", inputText: long }],
    });
  });
});

describe("the gate knows the cap that is sent", () => {
  test.each(["max_completion_tokens", "max_tokens"])("`params.%s` is refused at once", (name) => {
    const params = { [name]: 20 } as object;
    expect(() => openaiChat("m", { params })).toThrow(/maxTokens/);
  });

  test.each(["max_completion_tokens", "max_tokens"])(
    "`%s` of a request body is compared with the usage",
    (name) => {
      const gateOf = (body: object) => {
        const gate = createGate(openaiChat("m", { apiKey: "key" }), { body });
        for (const event of [
          callChunk(0, ["X", "read"], a),
          finishChunk("tool_calls"),
          usageChunk(20),
          done,
        ])
          gate.push(event);
        return gate.end().stopReason;
      };
      expect(gateOf({ model: "m", messages: [], [name]: 20 })).toBe("length");
      expect(gateOf({ model: "m", messages: [], [name]: 21 })).toBe("tool-use");
    },
  );

  test("the tools of a request body define which inputs may be empty, and which are text", () => {
    const parameters = { type: "object", properties: { path: {} }, required: ["path"] };
    const body = {
      model: "m",
      messages: [],
      tools: [
        { type: "function", function: { name: "read", parameters } },
        { type: "function", function: { name: "list" } },
        { type: "custom", custom: { name: "patch" } },
      ],
    };
    const turnOf = (...events: readonly Event[]): Turn => {
      const gate = createGate(openaiChat("m", { apiKey: "key" }), { body });
      for (const event of events) gate.push(event);
      return gate.end();
    };
    const ask = (name: string, text: string): Turn =>
      turnOf(callChunk(0, ["X", name], text), finishChunk("tool_calls"), usageChunk(9), done);
    expect(ask("read", "{}")).toMatchObject({
      stopReason: "malformed-tool-call",
      withheld: [{ reason: "input-missing" }],
    });
    expect(outline(ask("read", a))).toEqual(ran("a"));
    const patch = callsChunk({
      index: 0,
      id: "X",
      type: "custom",
      custom: { name: "patch", input: "*** x" },
    });
    expect(outline(turnOf(patch, finishChunk("tool_calls"), usageChunk(9), done))).toEqual([
      "tool-use",
      ["patch", { text: "*** x" }],
    ]);
  });

  test("with `mislabelsTruncation` a usage must prove that the cap was not reached", async () => {
    const events = [
      callChunk(0, ["X", "read"], a),
      argumentsDelta(0, ""),
      finishChunk("tool_calls"),
    ];
    const adapter = (more: readonly Event[]) =>
      serve([...events, ...more, done]).adapter({ mislabelsTruncation: true });
    expect(await readTurn(adapter([]), request)).toMatchObject({
      stopReason: "length",
      withheld: [{ reason: "cap-unproven" }],
    });
    expect(outline(await readTurn(adapter([usageChunk(9)]), request))).toEqual(ran("a"));
  });
});
