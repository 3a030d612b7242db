import { explain, readTurn, type Turn, type TurnRequest } from "@fullstop/core";
import { jsonResponse } from "@tooling/test/fake-server";
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
  textChunk,
  usageChunk,
} from "./chat-server.ts";
import { outline, ran } from "./outline.ts";

const tool = (name: string, ...keys: readonly string[]) => ({
  name,
  description: "",
  inputSchema: { type: "object", properties: Object.fromEntries(keys.map((key) => [key, {}])) },
});
const request: TurnRequest = {
  messages: [{ role: "user", content: "Go." }],
  tools: [tool("read", "path"), tool("list")],
  maxTokens: 1024,
};
const read = (...events: readonly Event[]): Promise<Turn> =>
  readTurn(serve(events).adapter(), request);
const a = '{"path":"a"}';
const everywhere = (event: Event): Event => ({
  ...(event as object),
  choices: [{ ...choiceOf(event), finish_reason: "stop" }],
});
const choiceOf = (event: Event): object =>
  ((event as { readonly choices: readonly object[] }).choices[0] ?? {}) as object;

describe("sequences that a naive rule gets wrong", () => {
  test("a call that is repeated under another index runs once", async () => {
    expect(
      outline(
        await read(
          callChunk(0, ["X", "read"], a),
          callChunk(1, ["X", "read"], a),
          finishChunk("tool_calls"),
          done,
        ),
      ),
    ).toEqual(ran("a"));
  });

  test("two calls with one id both run", async () => {
    const turn = await read(
      callChunk(0, ["X", "read"], a),
      callChunk(1, ["X", "read"], '{"path":"b"}'),
      finishChunk("tool_calls"),
      done,
    );
    expect(outline(turn)).toEqual(ran("a", "b"));
    expect(new Set(turn.calls.map(({ id }) => id)).size).toBe(2);
  });

  test("a function_call next to tool_calls repeats them", async () => {
    const echo = chunk({ function_call: { name: "read", arguments: a } });
    expect(
      outline(await read(callChunk(0, ["X", "read"], a), echo, finishChunk("tool_calls"), done)),
    ).toEqual(ran("a"));
  });

  test("an empty function_call is ignored", async () => {
    const stub = chunk(
      { function_call: { name: "", arguments: "" } },
      { finish_reason: "tool_calls" },
    );
    expect(outline(await read(callChunk(0, ["X", "read"], a), stub))).toEqual(ran("a"));
  });

  test("an empty input is `{}` if the tool has no parameters, or if usage shows that the cap did not cut it", async () => {
    expect(outline(await read(callChunk(0, ["X", "list"], ""), finishChunk("tool_calls")))).toEqual(
      ["tool-use", ["list", {}]],
    );
    expect(
      outline(
        await read(callChunk(0, ["X", "read"], ""), finishChunk("tool_calls"), usageChunk(5), done),
      ),
    ).toEqual(["tool-use", ["read", {}]]);
    expect(outline(await read(callChunk(0, ["X", "read"], ""), finishChunk("tool_calls")))).toEqual(
      ["malformed-tool-call"],
    );
  });

  test("an empty finish_reason in every chunk does not end the reply", async () => {
    const blank = chunk(
      { tool_calls: [{ index: 0, id: "X", function: { name: "read", arguments: a } }] },
      { finish_reason: "" },
    );
    expect(outline(await read(blank, finishChunk("tool_calls"), done))).toEqual(ran("a"));
    expect(outline(await read(blank, finishChunk(""), done))).toEqual(["interrupted"]);
  });

  test("`stop` in every chunk does not end the reply; `[DONE]` does", async () => {
    const whole = [
      callChunk(0, ["X", "read"], '{"pa'),
      argumentsDelta(0, 'th":"a"}'),
      callChunk(1, ["Y", "read"], '{"path"'),
      argumentsDelta(1, ':"b"}'),
    ].map(everywhere);
    expect(outline(await read(...whole, done))).toEqual(ran("a", "b"));
    for (const length of [2, 3, 4])
      expect(outline(await read(...whole.slice(0, length)))).toEqual(["interrupted"]);
  });

  test("arguments after finish_reason count if another one comes, and `[DONE]`", async () => {
    const late = [
      callChunk(0, ["X", "read"], '{"path"'),
      finishChunk("tool_calls"),
      argumentsDelta(0, ':"a"}'),
    ];
    const again = finishChunk("tool_calls");
    expect(outline(await read(...late, again, done))).toEqual(ran("a"));
    expect(outline(await read(...late, again))).toEqual(["interrupted"]);
    expect(outline(await read(...late, done))).toEqual(["interrupted"]);
  });

  test("text or reasoning behind the `finish_reason` does not revoke it", async () => {
    for (const late of [
      textChunk("\n"),
      chunk({ reasoning_content: "Done." }),
      chunk({ reasoning: "Done." }),
      chunk({ content: "", reasoning_details: [{ type: "reasoning.text", text: "Done." }] }),
    ])
      for (const ending of [[], [done], [usageChunk(5), done]]) {
        const calls = [callChunk(0, ["X", "read"], a), finishChunk("tool_calls")];
        expect(outline(await read(...calls, late, ...ending))).toEqual(ran("a"));
        const text = [textChunk("Hi."), finishChunk("stop")];
        expect(outline(await read(...text, late, ...ending))).toEqual(["stop"]);
      }
  });

  test("text behind a `finish_reason` does not make up for a late call", async () => {
    const early = [textChunk("I read."), finishChunk("stop"), callChunk(0, ["X", "read"], a)];
    const late = [callChunk(0, ["X", "read"], '{"path"'), finishChunk("stop"), textChunk("So")];
    const text = textChunk("Done.");
    for (const ending of [[], [done], [usageChunk(5), done]]) {
      expect(outline(await read(...early, text, ...ending))).toEqual(["interrupted"]);
      expect(outline(await read(...late, argumentsDelta(0, ':"a"}'), ...ending))).toEqual([
        "interrupted",
      ]);
      expect((await read(...late, ...ending)).calls).toEqual([]);
    }
    for (const reason of ["length", "content_filter"])
      for (const ending of [[], [done], [finishChunk("tool_calls"), done]])
        expect(
          (await read(callChunk(0, ["X", "read"], a), finishChunk(reason), text, ...ending)).calls,
        ).toEqual([]);
  });

  test("a refusal behind the `finish_reason` counts", async () => {
    for (const ending of [[], [done]])
      expect(
        outline(
          await read(
            callChunk(0, ["X", "read"], a),
            finishChunk("tool_calls"),
            chunk({ refusal: "No." }),
            ...ending,
          ),
        ),
      ).toEqual(["refusal"]);
  });

  test("a custom tool takes free text", async () => {
    const custom = (index: number, more: object): Event => callsChunk({ index, ...more });
    const turn = await read(
      custom(0, { id: "X", type: "custom", custom: { name: "patch", input: "*** " } }),
      custom(0, { custom: { input: '"{' } }),
      finishChunk("tool_calls"),
      done,
    );
    expect(outline(turn)).toEqual(["tool-use", ["patch", { text: '*** "{' }]]);
  });

  test("a call that the server closed at the cap is withheld under `stop`", async () => {
    expect(
      outline(
        await read(callChunk(0, ["X", "read"], "{}"), finishChunk("stop"), usageChunk(1024), done),
      ),
    ).toEqual(["length"]);
  });

  test("an input that is cut far below the cap is not `length`", async () => {
    const turn = await read(
      callChunk(0, ["X", "read"], '{"path":"/x","con'),
      finishChunk("tool_calls"),
      usageChunk(500),
      done,
    );
    expect(turn).toMatchObject({
      stopReason: "malformed-tool-call",
      withheld: [{ reason: "input-cut" }],
    });
    expect(explain(turn).model).not.toMatch(/output limit/);
  });

  test("text in `refusal` under `stop` is a refusal", async () => {
    expect(outline(await read(chunk({ refusal: "No." }), finishChunk("stop"), done))).toEqual([
      "refusal",
    ]);
  });

  test("of two finish reasons the worse counts, in any order", async () => {
    for (const reasons of [
      ["length", "tool_calls"],
      ["tool_calls", "length"],
      ["stop", "content_filter"],
    ] as const) {
      const turn = await read(callChunk(0, ["X", "read"], a), ...reasons.map(finishChunk), done);
      expect(outline(turn)).toEqual([
        reasons.includes("length" as never) ? "length" : "content-filter",
      ]);
    }
  });

  test("an id that is used again in a later turn is replaced", async () => {
    const turns = [0, 1].map(() => [
      callChunk(0, ["read:0", "read"], a),
      finishChunk("tool_calls"),
      done,
    ]);
    const server = serve(...turns);
    const first = await readTurn(server.adapter(), request);
    if (first.message === undefined) throw new Error("a turn without a message");
    const result = { type: "tool-result", id: "read:0", name: "read", content: "1" } as const;
    const second = await readTurn(server.adapter(), {
      ...request,
      messages: [...request.messages, first.message, { role: "tool", content: [result] }],
    });
    expect([first.calls[0]?.id, second.calls[0]?.id]).toEqual(["read:0", "call_3_0"]);
  });
});

type Sequence = readonly [name: string, events: readonly Event[], stop: string];
/** An object in two pieces, and then each of these. */
const repeated = (...lasts: readonly string[]): readonly Sequence[] =>
  lasts.map((last) => [
    `an object, and then ${last}`,
    [
      callChunk(0, ["X", "read"], a.slice(0, 6)),
      argumentsDelta(0, a.slice(6)),
      argumentsDelta(0, last),
    ],
    "malformed-tool-call",
  ]);

describe("empty deltas", () => {
  test("an empty delta starts no call, and does not receive what follows without an index", async () => {
    const blank = callsChunk({ index: 7, id: "", function: { name: null, arguments: "" } });
    const rest = callsChunk({ function: { arguments: ':"a"}' } });
    const turn = await read(
      callChunk(0, ["X", "read"], '{"path"'),
      blank,
      rest,
      blank,
      finishChunk("tool_calls"),
      blank,
    );
    expect(outline(turn)).toEqual(ran("a"));
  });
});

describe("inputs that contradict themselves are not given out", () => {
  test.each<Sequence>([
    [
      "two names for one input",
      [
        callChunk(0, ["X", "read"], '{"pa'),
        callsChunk({ index: 0, function: { name: "list", arguments: 'th":"a"}' } }),
      ],
      "interrupted",
    ],
    [
      "a name in two pieces",
      [
        callChunk(0, ["X", "re"], ""),
        callsChunk({ index: 0, function: { name: "ad", arguments: a } }),
      ],
      "interrupted",
    ],
    [
      "no name",
      [callsChunk({ index: 0, id: "X", function: { arguments: a } })],
      "malformed-tool-call",
    ],
    [
      "an integer that lost its digits",
      [callsChunk({ index: 0, id: "X", function: { name: "read", arguments: { n: 2 ** 60 } } })],
      "malformed-tool-call",
    ],
    [
      "pieces that restate, or go on and are cut",
      [callChunk(0, ["X", "read"], '{"path":'), argumentsDelta(0, '{"path":"a"}')],
      "malformed-tool-call",
    ],
    ...repeated('{"path":"b"}', '{"path":"a ","b":1}', ' {"path":"a"}', '{ "path":"a'),
    ["content that is not text", [chunk({ content: true })], "interrupted"],
  ])("%s", async (_, events, stop) => {
    expect(outline(await read(...events, finishChunk("tool_calls"), usageChunk(9), done))).toEqual([
      stop,
    ]);
  });

  test("text that looks like a call is text", async () => {
    const callText = '<tool_call>{"name":"read","arguments":{}}</tool_call>';
    expect(await read(textChunk(callText), finishChunk("stop"), done)).toMatchObject({
      stopReason: "stop",
      text: callText,
      calls: [],
    });
  });
});

describe("a reply that is not streamed", () => {
  const whole = (body: unknown): Promise<Turn> =>
    readTurn(serve(() => jsonResponse(body)).adapter({ stream: false }), request);
  const toolCall = (id: string, written: unknown) => ({
    id,
    type: "function",
    function: { name: "read", arguments: written },
  });

  test("reads like the same reply in chunks", async () => {
    expect(
      outline(
        await whole(
          completion(
            { tool_calls: [toolCall("X", a), toolCall("Y", '{"path":"b"}')] },
            "tool_calls",
          ),
        ),
      ),
    ).toEqual(ran("a", "b"));
    expect(await whole(completion({ content: "Hi." }, "stop"))).toMatchObject({
      stopReason: "stop",
      text: "Hi.",
      usage: { output: 5 },
    });
    expect(outline(await whole(completion({ refusal: "No." }, "stop")))).toEqual(["refusal"]);
    expect(
      outline(await whole(completion({ tool_calls: [toolCall("X", a)] }, "length", 1024))),
    ).toEqual(["length"]);
    expect(outline(await whole(completion({ tool_calls: [toolCall("X", a)] }, null)))).toEqual([
      "interrupted",
    ]);
  });

  test("is an error if it holds an error, also inside a choice", async () => {
    expect(outline(await whole({ error: { message: "Boom", code: 502 } }))).toEqual(["error"]);
    const { choices, ...rest } = completion({ tool_calls: [toolCall("X", a)] }, "tool_calls") as {
      choices: readonly object[];
    };
    expect(
      outline(await whole({ ...rest, choices: [{ ...choices[0], error: { message: "Boom" } }] })),
    ).toEqual(["error"]);
  });

  test("is requested without stream options, and is interrupted if it is cut", async () => {
    const body = JSON.stringify(completion({ tool_calls: [toolCall("X", a)] }, "tool_calls"));
    const cut = () =>
      new Response(body.slice(0, -9), { headers: { "content-type": "application/json" } });
    const server = serve(cut);
    expect(outline(await readTurn(server.adapter({ stream: false }), request))).toEqual([
      "interrupted",
    ]);
    expect(server.requests[0]?.body).toMatchObject({ stream: false });
    expect(server.requests[0]?.body).not.toHaveProperty("stream_options");
  });

  test("contradicts the deltas before it", async () => {
    expect(
      outline(
        await read(
          textChunk("Hi."),
          completion({ tool_calls: [toolCall("X", a)] }, "tool_calls"),
          done,
        ),
      ),
    ).toEqual(["interrupted"]);
  });
});
