import type { Turn } from "@fullstop/core";
import { describe, expect, test } from "vitest";
import {
  called,
  completed,
  created,
  type Event,
  reply,
  said,
  serveInteractions,
  stepEvents,
  type TestStep,
  thought,
} from "./interactions-server.ts";

const ask = async (events: readonly Event[]): Promise<Turn> =>
  (await serveInteractions(events)).ask();
const outline = ({ stopReason, calls }: Turn): readonly unknown[] => [
  stopReason,
  ...calls.map(({ name, input }) => [name, input]),
];
const withSteps = (...steps: readonly TestStep[]): readonly Event[] =>
  reply("requires_action", ...steps);
const start = (index: number, step: Event): Event => ({ event_type: "step.start", index, step });
const delta = (index: number, data: Event): Event => ({
  event_type: "step.delta",
  index,
  delta: data,
});
const stop = (index: number): Event => ({ event_type: "step.stop", index });
const callStep = (id: string, args: unknown = {}): Event => ({
  type: "function_call",
  id,
  name: "read",
  arguments: args,
});
const piece = (text: string): Event => ({ type: "arguments_delta", arguments: text });
const finished = (...events: readonly Event[]): readonly Event[] => [
  created,
  ...events,
  completed("requires_action"),
];

describe("an input", () => {
  test.for<[string, readonly Event[], object]>([
    [
      "comes in pieces",
      finished(start(0, callStep("a")), delta(0, piece('{"p')), delta(0, piece('":1}')), stop(0)),
      { p: 1 },
    ],
    ["comes whole in the start", finished(start(0, callStep("a", { p: 1 })), stop(0)), { p: 1 }],
    [
      "comes in the start and again in pieces",
      finished(start(0, callStep("a", { p: 1 })), delta(0, piece('{"p":1}')), stop(0)),
      { p: 1 },
    ],
    ["is empty", finished(start(0, callStep("a")), stop(0)), {}],
    [
      "has an index that is a text in some events",
      finished({ ...start(0, callStep("a")), index: "0" }, delta(0, piece('{"p":1}')), stop(0)),
      { p: 1 },
    ],
    [
      "comes twice, with keys in another order",
      finished(start(0, callStep("a", { p: 1, q: 2 })), delta(0, piece('{"q":2,"p":1}')), stop(0)),
      { p: 1, q: 2 },
    ],
    [
      "comes under the name of Vertex AI",
      finished(
        start(0, callStep("a")),
        delta(0, { type: "arguments_delta", partial_arguments: '{"p":1}' }),
        stop(0),
      ),
      { p: 1 },
    ],
    [
      "comes between those of another step",
      finished(
        start(0, callStep("a")),
        start(1, { type: "model_output" }),
        delta(0, piece('{"p":1}')),
        delta(1, { type: "text", text: "Hi." }),
        stop(1),
        stop(0),
      ),
      { p: 1 },
    ],
  ])("that %s runs", async ([, events, input]) => {
    expect(outline(await ask(events))).toEqual(["tool-use", ["read", input]]);
  });

  test.for<[string, readonly Event[], string]>([
    [
      "whose step did not end",
      finished(start(0, callStep("a")), delta(0, piece("{}"))),
      "malformed-tool-call",
    ],
    [
      "with two texts",
      finished(start(0, callStep("a", { p: 1 })), delta(0, piece('{"p":2}')), stop(0)),
      "interrupted",
    ],
    [
      "that was cut",
      finished(start(0, callStep("a")), delta(0, piece('{"p":')), stop(0)),
      "malformed-tool-call",
    ],
    ...[null, undefined, "arguments"].flatMap((type) =>
      [
        delta(0, { ...piece(',"q":2'), type }),
        delta(0, { type, partial_arguments: ',"q":2' }),
        { ...delta(0, piece(',"q":2')), event_type: type },
      ].map((event, at): [string, readonly Event[], string] => [
        `of which a piece has the type ${type} (${["delta", "delta of Vertex AI", "event"][at]})`,
        finished(
          start(0, callStep("a")),
          delta(0, piece('{"p":1')),
          event,
          delta(0, piece("}")),
          stop(0),
        ),
        "interrupted",
      ]),
    ),
    ["that is a list", finished(start(0, callStep("a", [1])), stop(0)), "malformed-tool-call"],
    [
      "in a piece that is not a text",
      finished(
        start(0, callStep("a")),
        delta(0, { type: "arguments_delta", arguments: { p: 1 } }),
        stop(0),
      ),
      "interrupted",
    ],
    [
      "of which only unknown pieces came",
      finished(start(0, callStep("a")), delta(0, { type: "x_later" }), stop(0)),
      "interrupted",
    ],
    [
      "beside a text in its step",
      finished(start(0, callStep("a")), delta(0, { type: "text", text: "a" }), stop(0)),
      "interrupted",
    ],
    [
      "in a step of text",
      finished(start(0, { type: "model_output" }), delta(0, piece("{}")), stop(0)),
      "interrupted",
    ],
  ])("%s does not run", async ([, events, stopReason]) => {
    const turn = await ask(events);
    expect([turn.stopReason, turn.calls]).toEqual([stopReason, []]);
  });
});

describe("a reply that contradicts itself is interrupted", () => {
  const call = start(0, callStep("a", { p: 1 }));
  test.for<[string, readonly Event[]]>([
    ["a step that starts twice", finished(call, stop(0), call, stop(0))],
    ["a step without a type", finished(call, stop(0), start(1, {}), stop(1))],
    ["a delta to a step that ended", finished(call, stop(0), delta(0, piece("{}")))],
    ["the end of a step that never started", finished(call, stop(0), stop(1))],
    ["a first step that is missing", finished(start(1, callStep("a", { p: 1 })), stop(1))],
    [
      "a step in the middle that is missing",
      finished(call, stop(0), start(2, callStep("b")), stop(2)),
    ],
    ["a second reply", finished(call, stop(0), created, call)],
    [
      "a server tool that never ended",
      finished(
        start(0, { type: "google_search_call", id: "s", arguments: {} }),
        start(1, callStep("a")),
        stop(1),
      ),
    ],
    [
      "a result for its own call",
      finished(
        call,
        stop(0),
        start(1, { type: "function_result", call_id: "a", result: "x" }),
        stop(1),
      ),
    ],
    [
      "other calls at its end",
      [
        created,
        call,
        stop(0),
        completed("requires_action", { steps: [callStep("a"), callStep("b")] }),
      ],
    ],
    ...(
      [
        ["another name for a call", { ...callStep("a", { p: 1 }), name: "write" }],
        ["another input for a call", callStep("a", { p: 2 })],
        ["no input for a call that has one", callStep("a")],
        ["another id for a call", callStep("b", { p: 1 })],
      ] as const
    ).map(([what, step]): [string, readonly Event[]] => [
      `${what} at its end`,
      [created, call, stop(0), completed("requires_action", { steps: [step] })],
    ]),
    [
      "an input at its end for a call without one",
      [
        created,
        start(0, callStep("a")),
        stop(0),
        completed("requires_action", { steps: [callStep("a", { p: 1 })] }),
      ],
    ],
    [
      "content after its end",
      [
        ...finished(call, stop(0)),
        start(1, { type: "model_output", content: [{ type: "text", text: "x" }] }),
      ],
    ],
  ])("%s", async ([, events]) => {
    const turn = await ask(events);
    expect([turn.stopReason, turn.calls]).toEqual(["interrupted", []]);
  });

  test("but not if its end repeats the calls, or its beginning comes twice", async () => {
    const steps = [call, stop(0)];
    const end = completed("requires_action", { steps: [callStep("a", { p: 1 })] });
    for (const events of [
      [created, ...steps, end],
      [created, created, ...steps, end],
      [created, start(0, callStep("a")), delta(0, piece('{ "p" : 1 }')), stop(0), end],
      [created, ...steps, completed("requires_action", { steps: [{ ...callStep("a", null) }] })],
      [created, end],
    ])
      expect(outline(await ask(events))).toEqual(["tool-use", ["read", { p: 1 }]]);
  });
});

test("the gate judges an input that is not an object, whatever the end lists", async () => {
  const listed = completed("requires_action", { steps: [null, callStep("a", {})] });
  const events = [created, start(0, callStep("a")), delta(0, piece('"{}"')), stop(0), listed];
  const turn = await ask(events);
  expect([turn.stopReason, turn.calls.length]).toEqual(["malformed-tool-call", 0]);
});

test("`null` in place of a text is ignored", async () => {
  const textPiece = (text: string | null): Event => ({ type: "text", text });
  const events = finished(
    start(0, { type: "model_output", content: null }),
    delta(0, textPiece(null)),
    delta(0, textPiece("Hi.")),
    stop(0),
    start(1, callStep("a", null)),
    delta(1, { type: "arguments_delta", arguments: null }),
    delta(1, piece('{"p":1}')),
    stop(1),
  );
  const turn = await ask(events);
  expect([turn.text, ...(outline(turn) as unknown[])]).toEqual([
    "Hi.",
    "tool-use",
    ["read", { p: 1 }],
  ]);
});

describe("other steps", () => {
  test("a thought keeps its signature, with a summary and without", async () => {
    const summary = { type: "thought_summary", content: { type: "text", text: "Hm." } };
    const turn = await ask(
      withSteps(
        thought("one"),
        {
          step: { type: "thought" },
          deltas: [summary, { type: "thought_signature", signature: "two" }],
        },
        called("read"),
      ),
    );
    expect(turn.message?.content.slice(0, 2)).toEqual([
      { type: "thinking", text: "", providerData: "one" },
      { type: "thinking", text: "Hm.", providerData: "two" },
    ]);
  });

  test("texts of two steps stay two, and citations stay with theirs", async () => {
    const annotations = [{ type: "url_citation", url: "https://a.example" }];
    const cited = {
      step: { type: "model_output" },
      deltas: [
        { type: "text", text: "Yes." },
        { type: "text_annotation_delta", annotations },
      ],
    };
    const turn = await ask(reply("completed", said("One."), said("Two."), cited));
    expect(turn.message?.content).toMatchObject([
      { type: "text", text: "One." },
      { type: "text", text: "Two." },
      { type: "text", text: "Yes.", providerData: { annotations } },
    ]);
  });

  test("steps of the service's own tools are kept as the API wants them back", async () => {
    const code = {
      step: { type: "code_execution_call", id: "c", arguments: {} },
      deltas: [{ type: "code_execution_call", arguments: { code: "1" }, signature: "s" }],
    };
    const result = {
      step: { type: "code_execution_result", call_id: "c" },
      deltas: [{ type: "code_execution_result", result: "1" }],
    };
    const picture = { type: "image", mime_type: "image/png", data: "AAAA" };
    const drawn = { step: { type: "model_output" }, deltas: [picture] };
    const turn = await ask(
      reply("completed", code, result, drawn, { step: { type: "x_later", a: 1 } }),
    );
    expect(turn.message?.content).toEqual([
      {
        type: "native",
        data: { type: "code_execution_call", id: "c", arguments: { code: "1" }, signature: "s" },
        opens: "c",
      },
      {
        type: "native",
        data: { type: "code_execution_result", call_id: "c", result: "1" },
        closes: "c",
      },
      { type: "native", data: { type: "model_output", content: [picture] } },
      { type: "native", data: { type: "x_later", a: 1 } },
    ]);
    expect(turn.sideEffects).toBe(true);
  });

  test("steps of the request that a reply repeats are not its content", async () => {
    const echoes = [
      { step: { type: "user_input", content: [{ type: "text", text: "Go." }] } },
      { step: { type: "function_result", call_id: "earlier", result: "x" } },
    ];
    const turn = await ask(withSteps(...echoes, called("read")));
    expect(outline(turn)).toEqual(["tool-use", ["read", {}]]);
    expect(turn.text).toBe("");
  });

  test("the old events of 2025 are not read as a reply", async () => {
    const old = [
      { event_type: "content.start", index: 0, content: { type: "text" } },
      { event_type: "interaction.complete", interaction: { id: "", status: "completed" } },
    ];
    expect((await ask([created, ...old])).stopReason).toBe("interrupted");
  });
});

test("a reply may end without its [DONE], and its last event without a blank line", async () => {
  const text = [...stepEvents([called("read")]), completed("requires_action")]
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .join("");
  const chunks = [new TextEncoder().encode(text.trimEnd())];
  const server = await serveInteractions({ chunks });
  expect(outline(await server.ask())).toEqual(["tool-use", ["read", {}]]);
});
