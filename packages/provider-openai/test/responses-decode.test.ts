import { createGate, type Turn } from "@fullstop/core";
import { openai } from "@fullstop/provider-openai";
import {
  added,
  call,
  callEvents,
  completed,
  created,
  done,
  type Event,
  ended,
  type Item,
  message,
  messageEvents,
  reasoning,
  reasoningEvents,
} from "@tooling/test/openai-responses";
import { describe, expect, test } from "vitest";

const adapter = openai("gpt-5.5");
const read = (events: readonly unknown[]): Turn => {
  const gate = createGate(adapter, { maxTokens: 1000 });
  for (const event of events) gate.push(event);
  return gate.end();
};
const readCall = call("read", '{"path":"a"}');

test("an item with possible side effects is reported when it starts, also if its type is not known", () => {
  const tells = (item: Item): boolean =>
    read([created, added(0, { status: "in_progress", ...item })]).sideEffects ?? false;
  const container = { type: "container_reference", container_id: "c1" };
  const types = [
    ["code_interpreter_call", "image_generation_call", "mcp_call", "program", "x_later_call"],
    [
      "web_search_call",
      "file_search_call",
      "mcp_list_tools",
      "tool_search_call",
      "reasoning",
      "function_call",
      "compaction",
    ],
  ] as const;
  for (const type of types[0]) expect([type, tells({ type })]).toEqual([type, true]);
  for (const type of types[1])
    expect([type, tells({ type, arguments: "" })]).toEqual([type, false]);
  expect(tells({ type: "shell_call", environment: container })).toBe(true);
  expect(tells({ type: "shell_call", call_id: "c", environment: { type: "local" } })).toBe(false);
});

const startOf = (id: string): Event => ({
  type: "response.created",
  response: { id, model: "gpt-5.5", status: "in_progress", output: [] },
});

test("a start that comes twice takes no call away", () => {
  const turn = read([created, created, ...callEvents(0, readCall), completed]);
  expect(turn).toMatchObject({ stopReason: "tool-use", calls: [{ name: "read" }] });
});

test("members that a gateway leaves out, or writes as blanks, take no call away", () => {
  const [start, ...rest] = callEvents(0, readCall);
  const without = (member: string, value: unknown): readonly unknown[] =>
    rest.map((event) =>
      String(event["type"]).endsWith("arguments.done") ? { ...event, [member]: value } : event,
    );
  const blank = (status: unknown): Event =>
    ended("completed", { output: [{ ...readCall, status }] });
  for (const events of [
    [start, ...without("arguments", undefined), completed],
    [start, ...without("arguments", null), completed],
    [start, ...rest, blank("")],
    [start, ...rest, blank(null)],
  ])
    expect(read([created, ...events])).toMatchObject({
      stopReason: "tool-use",
      calls: [{ name: "read", input: { path: "a" } }],
    });
});

describe("a reply that contradicts itself has no calls", () => {
  const called = callEvents(0, readCall);
  const final = (item: Item): Event => ended("completed", { output: [item] });
  test.for<[string, readonly unknown[]]>([
    ["a second start of the reply", [created, ...called, created, completed]],
    [
      "a second call at the output index of an open one",
      [created, called[0], added(0, call("write", "{}")), ...called.slice(1), completed],
    ],
    [
      "a delta without its text",
      [created, called[0], { ...called[1], delta: null }, ...called.slice(2), completed],
    ],
    [
      "an input that is not a text",
      [created, done(0, { ...readCall, arguments: { path: "a" } }), completed],
    ],
    ["an event that is not an object", [created, ...called, 5, completed]],
    [
      "an item without an item",
      [created, ...called, { type: "response.output_item.done", output_index: 1 }, completed],
    ],
    [
      "an item without a type",
      [
        created,
        ...called,
        { type: "response.output_item.done", output_index: 1, item: { id: "x" } },
        completed,
      ],
    ],
    [
      "two inputs of one call",
      [created, ...called, final({ ...readCall, arguments: '{"path":"b"}' })],
    ],
    [
      "an input whose last digits differ",
      [created, done(0, call("read", '{"n":1}')), final(call("read", '{"n":1.0000001}'))],
    ],
    [
      "an input that a proxy rounded",
      [
        created,
        done(0, call("read", '{"n":9007199254740993}')),
        final(call("read", '{"n":9007199254740992}')),
      ],
    ],
    [
      "an input whose number a proxy could not write",
      [created, done(0, call("read", '{"n":1e400}')), final(call("read", '{"n":null}'))],
    ],
    ["a start of another reply", [created, startOf("resp_2"), ...called, completed]],
    [
      "a delta after the complete text",
      [created, ...called.slice(0, 4), called[1], called[4], completed],
    ],
    ["an end without a response", [created, ...called, { type: "response.completed" }, completed]],
  ])("%s", ([, events]) => {
    expect(read(events)).toMatchObject({
      stopReason: "interrupted",
      calls: [],
      error: { kind: "malformed-reply" },
    });
  });

  test("the error names the call and the contradiction", () => {
    const turn = read([created, ...called, final({ ...readCall, status: "incomplete" })]);
    expect("error" in turn && turn.error.message).toContain(
      'it takes back that the call of "read" is complete',
    );
  });

  test("an input that is repeated with other white space is the same input, however deep it is", () => {
    const deep = `${'{"deep":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const again = final(call("read", deep.replaceAll(":", ": ")));
    expect(read([created, done(0, call("read", deep)), again])).toMatchObject({
      stopReason: "tool-use",
      calls: [{ name: "read" }],
    });
  });

  test("deltas after a call that is done belong to another call, which is not finished", () => {
    expect(read([created, ...called, called[1], completed])).toMatchObject({
      stopReason: "malformed-tool-call",
      calls: [],
    });
  });

  test("repeated events, and events of new types, are ignored", () => {
    const events = [
      { type: "keepalive" },
      created,
      { type: "response.in_progress" },
      ...called,
      called[3],
      called[4],
      { type: "x_new" },
      completed,
    ];
    expect(read(events)).toMatchObject({ stopReason: "tool-use", calls: [{ name: "read" }] });
  });
});

describe("a host that sends neither an output index nor a content index", () => {
  const bare = ({ output_index: _, content_index: _part, ...event }: Event): Event =>
    event as Event;
  /** As llama.cpp's server: an item id, or the `call_id` where the item has no id. */
  const local = (events: readonly Event[], item_id: string): readonly Event[] =>
    events.map((event) => bare({ ...event, ...("item_id" in event && { item_id }) }));
  const { id: _, ...noId } = readCall;

  test("is previewed delta by delta, and starts each input once", () => {
    const previews: string[] = [];
    const gate = createGate(
      adapter,
      {},
      {
        onPreview: ({ type, ...event }) =>
          previews.push("text" in event ? `${type} ${event.text}` : type),
      },
    );
    const thought = {
      type: "reasoning",
      id: "rs_1",
      summary: [],
      content: [{ type: "reasoning_text", text: "So it is." }],
    };
    const thinking = ["So it", " is."].map(
      (delta): Event => ({ type: "response.reasoning_text.delta", item_id: "rs_1", delta }),
    );
    const spoken = messageEvents(1, "Hi.");
    for (const event of [
      created,
      ...thinking,
      bare(done(0, thought)),
      ...local([...spoken.slice(0, 2), { ...(spoken[1] as Event), delta: " You." }], "msg_1"),
      bare(done(1, message("Hi. You."))),
      ...local(callEvents(2, noId as Item), "call_read"),
      completed,
    ])
      gate.push(event);
    expect(previews).toEqual([
      "thinking So it",
      "thinking  is.",
      "text Hi.",
      "text  You.",
      "tool-input-start",
      'tool-input-delta {"pat',
      'tool-input-delta h":"a"}',
      'tool-input-end {"path":"a"}',
    ]);
    expect(gate.end()).toMatchObject({
      stopReason: "tool-use",
      text: "Hi. You.",
      calls: [{ input: { path: "a" } }],
    });
  });
});

describe("previews and usage", () => {
  test("parts of a summary become paragraphs", () => {
    const part = (summary_index: number, delta: string): Event => ({
      type: "response.reasoning_summary_text.delta",
      output_index: 0,
      summary_index,
      delta,
    });
    const thoughts: string[] = [];
    const gate = createGate(
      adapter,
      {},
      { onPreview: (event) => event.type === "thinking" && thoughts.push(event.text) },
    );
    for (const event of [created, part(0, "One"), part(0, "."), part(1, "Two."), completed])
      gate.push(event);
    expect(thoughts.join("")).toBe("One.\n\nTwo.");
  });
  test("cached tokens are reported, and reasoning counts as output", () => {
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 40 },
    };
    expect(
      read([created, ...messageEvents(0, "Hi."), ended("completed", { usage })]).usage,
    ).toEqual({
      input: 100,
      output: 50,
      cacheRead: 60,
      cacheWrite: 30,
    });
    expect(
      read([created, ...messageEvents(0, "Hi."), ended("completed", { usage: null })]).usage,
    ).toEqual({
      input: 0,
      output: 0,
    });
  });
  test("a complete response reads like the same reply in a stream", () => {
    const items: readonly Item[] = [reasoning("hm"), message("So."), readCall];
    const stream = [
      created,
      ...reasoningEvents(0, reasoning("hm"), "hm"),
      ...messageEvents(1, "So."),
      ...callEvents(2, readCall),
      completed,
    ];
    expect(read([{ ...(completed["response"] as object), output: items }])).toEqual(read(stream));
  });
});

describe("what only some of the events say", () => {
  const lone = {
    type: "response.function_call_arguments.done",
    item_id: "fc_9",
    output_index: 1,
    arguments: "",
  };
  const named = (name: string) => ({ ...readCall, name });
  const emptyDelta = {
    type: "response.output_text.delta",
    output_index: 0,
    content_index: 0,
    delta: "",
  };

  test("a call of which only the complete arguments came withholds all calls, even if they are empty", () => {
    const turn = read([
      created,
      ...callEvents(0, readCall),
      lone,
      ended("completed", { output: [] }),
    ]);
    expect(turn).toMatchObject({ stopReason: "malformed-tool-call", calls: [] });
    expect(turn.withheld.map(({ name }) => name)).toEqual(["read", undefined]);
  });

  test("an input that comes after its end is a contradiction, unless the end had none", () => {
    const withInput = (input: string | undefined) => ({ ...readCall, arguments: input }) as Item;
    const turnOf = (first: string | undefined, listed: Item) =>
      read([created, done(0, withInput(first)), ended("completed", { output: [listed] })]);
    expect(turnOf("", readCall)).toMatchObject({ calls: [], stopReason: "interrupted" });
    expect(turnOf(undefined, readCall).calls).toMatchObject([{ input: { path: "a" } }]);
    expect(turnOf(undefined, withInput(undefined)).calls).toMatchObject([{ input: {} }]);
  });

  test("two names of one call are a contradiction, and a blank name is ignored", () => {
    const events = (first: string) => [
      created,
      added(0, named(first)),
      done(0, readCall),
      ended("completed", { output: [] }),
    ];
    expect(read(events("patch"))).toMatchObject({ stopReason: "interrupted", calls: [] });
    expect(read(events(" ")).calls).toMatchObject([{ name: "read" }]);
  });

  test("a text with only an empty delta is read from its item", () => {
    const events = [
      created,
      added(0, message("")),
      emptyDelta,
      done(0, message("Hi.")),
      ended("completed", { output: [] }),
    ];
    expect(read(events).text).toBe("Hi.");
  });

  test("a refusal in only one of its events is a refusal", () => {
    const refusal = { ...message(""), content: [{ type: "refusal", refusal: "No." }] } as Item;
    const refusalDone = {
      type: "response.refusal.done",
      output_index: 1,
      content_index: 0,
      refusal: "No.",
    };
    expect(
      read([created, ...callEvents(0, readCall), refusalDone, ended("completed", { output: [] })])
        .stopReason,
    ).toBe("refusal");
    const items = [
      created,
      ...callEvents(0, readCall),
      added(1, message("")),
      done(1, message("")),
    ];
    // The last one is in an item whose type a gateway changed.
    for (const item of [refusal, { ...refusal, type: "completed" } as unknown as Item])
      expect(read([...items, ended("completed", { output: [readCall, item] })]).stopReason).toBe(
        "refusal",
      );
  });

  test("a text whose deltas have no content index is not repeated", () => {
    const piece = {
      type: "response.output_text.delta",
      output_index: 0,
      content_index: null,
      delta: "Hi.",
    };
    const events = [
      created,
      added(0, message("")),
      piece,
      done(0, message("Hi.")),
      ended("completed", { output: [] }),
    ];
    expect(read(events).text).toBe("Hi.");
  });
});
