import { createGate, type Message, readTurn, type Turn } from "@fullstop/core";
import { openai } from "@fullstop/provider-openai";
import { describe, expect, test } from "vitest";
import {
  added,
  call,
  calls,
  completed,
  created,
  done,
  type Event,
  ended,
  type Item,
  message,
  reasoning,
  reply,
  says,
  serve,
  thinks,
} from "./responses-server.ts";

const user: Message = { role: "user", content: "Go." };
const adapter = openai("gpt-5.5");
const read = (events: readonly unknown[]): Turn => {
  const gate = createGate(adapter, { maxTokens: 1000 });
  for (const event of events) gate.push(event);
  return gate.end();
};
/** The items that the API gets back of a reply. */
async function replayed(
  events: readonly Event[],
  store = false,
): Promise<readonly Record<string, unknown>[]> {
  const server = serve(events, reply(says(0, "ok")));
  const turn = await readTurn(server.adapter({ params: { store } }), { messages: [user] });
  const results = turn.calls.map(
    ({ id, name }) => ({ type: "tool-result", id, name, content: "ok" }) as const,
  );
  const said: Message[] = turn.message === undefined ? [] : [turn.message];
  const next: Message = results.length > 0 ? { role: "tool", content: results } : user;
  await readTurn(server.adapter({ params: { store } }), { messages: [user, ...said, next] });
  return server.requests[1]?.body.input.slice(1, results.length > 0 ? undefined : -1);
}
const readCall = call("read", '{"path":"a"}');
const readParam = {
  type: "function_call",
  call_id: "call_read",
  name: "read",
  arguments: '{"path":"a"}',
};
const readOutput = { type: "function_call_output", call_id: "call_read", output: "ok" };

describe("items come back to the API as it sent them", () => {
  test("reasoning verbatim, and with it the id of the call behind it", async () => {
    const thought = reasoning("hm", { status: "completed", x_later: 1 });
    expect(await replayed(reply(thinks(0, thought, "hm"), calls(1, readCall)))).toEqual([
      thought,
      { ...readParam, id: "fc_read" },
      readOutput,
    ]);
  });
  test("a call without reasoning, and without its id", async () => {
    expect(await replayed(reply(calls(0, readCall)))).toEqual([readParam, readOutput]);
  });
  test("reasoning that the API could not read is left out, and the id of the call with it; where it stores items, it can", async () => {
    const thought = reasoning("hm", { encrypted_content: null });
    const events = reply(thinks(0, thought, "hm"), calls(1, readCall));
    expect(await replayed(events)).toEqual([readParam, readOutput]);
    expect(await replayed(events, true)).toEqual([
      thought,
      { ...readParam, id: "fc_read" },
      readOutput,
    ]);
  });
  test("reasoning takes its encrypted content from the whole response, where its own event had none", async () => {
    const early = reasoning("hm", { encrypted_content: null });
    const late = reasoning("hm", { id: "rs_late", encrypted_content: "late" });
    const events = [
      created,
      ...thinks(0, early, "hm"),
      ...calls(1, readCall),
      ended("completed", { output: [late, readCall] }),
    ];
    expect((await replayed(events))[0]).toEqual(late);
    const other = reasoning("hm", { encrypted_content: "other" });
    const kept = [
      created,
      ...thinks(0, reasoning("hm"), "hm"),
      ...calls(1, readCall),
      ended("completed", { output: [other, readCall] }),
    ];
    expect((await replayed(kept))[0]).toEqual(reasoning("hm"));
  });
  test("two reasoning items in a row stay two", async () => {
    const two = reasoning("so", { id: "rs_2" });
    expect(
      (
        await replayed(
          reply(thinks(0, reasoning("hm"), "hm"), thinks(1, two, "so"), calls(2, readCall)),
        )
      ).slice(0, 2),
    ).toEqual([reasoning("hm"), two]);
  });
  test("reasoning whose seal comes behind other content is kept behind it", async () => {
    const [begun, piece, whole] = thinks(0, reasoning("hm"), "hm") as [Event, Event, Event];
    const events = [
      created,
      begun,
      piece,
      ...says(1, "So."),
      whole,
      ...calls(2, readCall),
      completed,
    ];
    expect((await replayed(events)).map(({ type }) => type)).toEqual([
      "message",
      "reasoning",
      "function_call",
      "function_call_output",
    ]);
  });
  test("reasoning that is incomplete, or comes last, is left out", async () => {
    const half = reasoning("hm", { status: "incomplete" });
    expect(await replayed(reply(thinks(0, half, "hm"), calls(1, readCall)))).toEqual([
      readParam,
      readOutput,
    ]);
    const cut = ended("incomplete", { incomplete_details: { reason: "max_output_tokens" } });
    const said = {
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: "So.", annotations: [] }],
    };
    expect(
      await replayed([created, ...says(0, "So."), ...thinks(1, reasoning("hm"), "hm"), cut]),
    ).toEqual([said]);
  });
  test("a message with its phase and its citations", async () => {
    const citation = {
      type: "url_citation",
      url: "https://example.com",
      title: "E",
      start_index: 0,
      end_index: 2,
    };
    const cited = message("Yes.", {
      phase: "final_answer",
      content: [{ type: "output_text", text: "Yes.", annotations: [citation] }],
    });
    const note = message("Hm.", { phase: "commentary" });
    expect(await replayed(reply([done(0, note)], [done(1, cited)]))).toEqual([
      {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "Hm.", annotations: [] }],
        phase: "commentary",
      },
      {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "Yes.", annotations: [citation] }],
        phase: "final_answer",
      },
    ]);
  });
  test("who called a function, and the namespace it is in; its result says the caller again", async () => {
    const caller = { type: "program", caller_id: "call_p" };
    const program = {
      type: "program",
      id: "prog_1",
      call_id: "call_p",
      code: "read()",
      fingerprint: "f",
    };
    const item = { ...readCall, caller, namespace: "files" };
    expect(await replayed(reply([done(0, program)], calls(1, item)))).toEqual([
      program,
      { ...readParam, caller, namespace: "files" },
      { ...readOutput, caller },
    ]);
  });
  test("server items and new ones, whole ones only", async () => {
    const search = {
      type: "web_search_call",
      id: "ws_1",
      status: "completed",
      action: { type: "search", query: "x" },
    };
    const broken = {
      type: "code_interpreter_call",
      id: "ci_1",
      status: "failed",
      code: "x",
      outputs: null,
    };
    const fresh = { type: "hologram", depth: { of: 3 } };
    const half = { ...search, status: "searching" };
    expect(
      await replayed(
        reply(
          [done(0, search), done(1, broken), done(2, fresh), done(3, half)],
          calls(4, readCall),
        ),
      ),
    ).toEqual([search, broken, fresh, readParam, readOutput]);
  });
});

test("an item that may change something is told of when it begins, one that is not known included", () => {
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

describe("a reply that contradicts itself gives out no call", () => {
  const called = calls(0, readCall);
  const final = (item: Item): Event => ended("completed", { output: [item] });
  test.for<[string, readonly unknown[]]>([
    ["a second start of the reply", [created, ...called, created, completed]],
    [
      "a second call under the place of one that is open",
      [created, called[0], added(0, call("write", "{}")), ...called.slice(1), completed],
    ],
    [
      "a piece without its text",
      [created, called[0], { ...called[1], delta: null }, ...called.slice(2), completed],
    ],
    [
      "an input that is no text",
      [created, done(0, { ...readCall, arguments: { path: "a" } }), completed],
    ],
    ["an event that is no object", [created, ...called, null, completed]],
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
      "a piece behind the whole text",
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

  test("says what of it: the call, and what is said twice", () => {
    const turn = read([created, ...called, final({ ...readCall, status: "incomplete" })]);
    expect("error" in turn && turn.error.message).toContain(
      'it takes back that the call of "read" is complete',
    );
  });

  test("an input deeper than the stack that is written again with other blanks is the same input", () => {
    const deep = `${'{"deep":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const again = final(call("read", deep.replaceAll(":", ": ")));
    expect(read([created, done(0, call("read", deep)), again])).toMatchObject({
      stopReason: "tool-use",
      calls: [{ name: "read" }],
    });
  });

  test("pieces behind a call that is done are another call, which nobody finished", () => {
    expect(read([created, ...called, called[1], completed])).toMatchObject({
      stopReason: "malformed-tool-call",
      calls: [],
    });
  });

  test("events that say a thing again, or are new, are ignored", () => {
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

describe("a host that names neither a place nor a part", () => {
  const bare = ({ output_index: _, content_index: _part, ...event }: Event): Event =>
    event as Event;
  /** As llama.cpp's server: an item id, or the `call_id` where the item has no id. */
  const local = (events: readonly Event[], item_id: string): readonly Event[] =>
    events.map((event) => bare({ ...event, ...("item_id" in event && { item_id }) }));
  const { id: _, ...noId } = readCall;

  test("is watched piece by piece, each input started once", () => {
    const said: string[] = [];
    const gate = createGate(
      adapter,
      {},
      {
        onPreview: ({ type, ...event }) =>
          said.push("text" in event ? `${type} ${event.text}` : type),
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
    const spoken = says(1, "Hi.");
    for (const event of [
      ...[created, ...thinking, bare(done(0, thought))],
      ...local([...spoken.slice(0, 2), { ...(spoken[1] as Event), delta: " You." }], "msg_1"),
      bare(done(1, message("Hi. You."))),
      ...local(calls(2, noId as Item), "call_read"),
      completed,
    ])
      gate.push(event);
    expect(said).toEqual([
      ...["thinking So it", "thinking  is."],
      ...["text Hi.", "text  You."],
      ...[
        "tool-input-start",
        'tool-input-delta {"pat',
        'tool-input-delta h":"a"}',
        'tool-input-end {"path":"a"}',
      ],
    ]);
    expect(gate.end()).toMatchObject({
      stopReason: "tool-use",
      text: "Hi. You.",
      calls: [{ input: { path: "a" } }],
    });
  });
});

describe("previews and usage", () => {
  test("parts of a summary are paragraphs", () => {
    const part = (summary_index: number, delta: string): Event => ({
      type: "response.reasoning_summary_text.delta",
      output_index: 0,
      summary_index,
      delta,
    });
    const said: string[] = [];
    const gate = createGate(
      adapter,
      {},
      { onPreview: (event) => event.type === "thinking" && said.push(event.text) },
    );
    for (const event of [created, part(0, "One"), part(0, "."), part(1, "Two."), completed])
      gate.push(event);
    expect(said.join("")).toBe("One.\n\nTwo.");
  });
  test("cached and written tokens are told, reasoning counts as output", () => {
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 40 },
    };
    expect(read([created, ...says(0, "Hi."), ended("completed", { usage })]).usage).toEqual({
      input: 100,
      output: 50,
      cacheRead: 60,
      cacheWrite: 30,
    });
    expect(read([created, ...says(0, "Hi."), ended("completed", { usage: null })]).usage).toEqual({
      input: 0,
      output: 0,
    });
  });
  test("a whole response reads as the same reply in a stream", () => {
    const items: readonly Item[] = [reasoning("hm"), message("So."), readCall];
    const stream = [
      created,
      ...thinks(0, reasoning("hm"), "hm"),
      ...says(1, "So."),
      ...calls(2, readCall),
      completed,
    ];
    expect(read([{ ...(completed["response"] as object), output: items }])).toEqual(read(stream));
  });
});

describe("what only a part of the events says", () => {
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

  test("a call of which only the whole arguments came withholds its siblings, though they are empty", () => {
    const turn = read([created, ...calls(0, readCall), lone, ended("completed", { output: [] })]);
    expect(turn).toMatchObject({ stopReason: "malformed-tool-call", calls: [] });
    expect(turn.withheld.map(({ name }) => name)).toEqual(["read", undefined]);
  });

  test("an input that comes behind its end contradicts it", () => {
    const silent = { ...readCall, arguments: undefined } as unknown as Item;
    expect(
      read([created, done(0, silent), ended("completed", { output: [readCall] })]),
    ).toMatchObject({
      calls: [],
      stopReason: "interrupted",
    });
    expect(
      read([created, done(0, silent), ended("completed", { output: [silent] })]).calls,
    ).toMatchObject([{ input: {} }]);
  });

  test("two names of one call contradict each other, and a blank name is not one", () => {
    const events = (first: string) => [
      created,
      added(0, named(first)),
      done(0, readCall),
      ended("completed", { output: [] }),
    ];
    expect(read(events("patch"))).toMatchObject({ stopReason: "interrupted", calls: [] });
    expect(read(events(" ")).calls).toMatchObject([{ name: "read" }]);
  });

  test("a text of which only an empty piece came is the text of the item", () => {
    const events = [
      created,
      added(0, message("")),
      emptyDelta,
      done(0, message("Hi.")),
      ended("completed", { output: [] }),
    ];
    expect(read(events).text).toBe("Hi.");
  });

  test("a refusal that only one of its events says is heard", () => {
    const refusal = { ...message(""), content: [{ type: "refusal", refusal: "No." }] } as Item;
    const said = {
      type: "response.refusal.done",
      output_index: 1,
      content_index: 0,
      refusal: "No.",
    };
    expect(
      read([created, ...calls(0, readCall), said, ended("completed", { output: [] })]).stopReason,
    ).toBe("refusal");
    const items = [created, ...calls(0, readCall), added(1, message("")), done(1, message(""))];
    expect(read([...items, ended("completed", { output: [readCall, refusal] })]).stopReason).toBe(
      "refusal",
    );
  });

  test("a text whose pieces name no part is said once", () => {
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
