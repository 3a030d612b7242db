import { createGate, type Turn } from "@fullstop/core";
import { bedrockReply } from "@fullstop/provider-bedrock/reply";
import { describe, expect, test } from "vitest";
import {
  blockEvents,
  call,
  type Fields,
  messageStart,
  messageStop,
  metadata,
  text,
} from "./events.ts";
import { model } from "./subject.ts";

const read = { id: "tooluse_1", name: "read", input: { path: "a" } };
const end = [messageStop("tool_use"), metadata(20)];
const settle = (...events: readonly Fields[]): Turn => {
  const gate = createGate(bedrockReply(model), { maxTokens: 30 });
  for (const event of events) gate.push(event);
  return gate.end();
};
const delta = (piece: Fields, contentBlockIndex = 0): Fields => ({
  contentBlockDelta: { delta: piece, contentBlockIndex },
});
const start = (block: Fields, contentBlockIndex = 0): Fields => ({
  contentBlockStart: { start: block, contentBlockIndex },
});

test("texts that a gateway writes as `null` or empty are not there", () => {
  const toolUse = { toolUseId: "tooluse_1", name: "read" };
  for (const empty of [null, ""]) {
    const none = { text: empty, reasoningContent: null, citation: null, toolUse: null };
    const events = [
      messageStart,
      delta({ ...none, text: "Hi." }),
      { contentBlockStop: { contentBlockIndex: 0 } },
      delta({ ...none, reasoningContent: { text: "hm", signature: null } }, 1),
      delta({ ...none, reasoningContent: { text: null, signature: "sig" } }, 1),
      { contentBlockStop: { contentBlockIndex: 1 } },
      start({ toolUse }, 2),
      delta({ ...none, toolUse: { input: null } }, 2),
      delta({ ...none, toolUse: { input: '{"path":"a"}' } }, 2),
      { contentBlockStop: { contentBlockIndex: 2 } },
      ...end,
    ];
    expect(settle(...events)).toMatchObject({ text: "Hi.", calls: [{ input: { path: "a" } }] });
    const cut = events.filter((event) => !("contentBlockStop" in event) || event !== events[9]);
    expect(settle(...cut).calls).toEqual([]);
    const content = [
      { ...none, text: "Hi.", toolResult: null },
      { ...none, text: null, toolUse: { ...toolUse, input: { path: "a" } } },
    ];
    const body = {
      output: { message: { role: "assistant", content } },
      stopReason: "tool_use",
      usage: { inputTokens: 1, outputTokens: 20, totalTokens: 21 },
    };
    expect(settle(body)).toMatchObject({ text: "Hi.", calls: [{ input: { path: "a" } }] });
  }
});

test("members of the union that a gateway writes as `null` are not there", () => {
  const absent = {
    messageStart: null,
    contentBlockStart: null,
    contentBlockDelta: null,
    contentBlockStop: null,
    messageStop: null,
    metadata: null,
    internalServerException: null,
    throttlingException: null,
  };
  const events = [
    messageStart,
    ...blockEvents(text("Hi."), 0),
    ...blockEvents(call(read), 1),
    ...end,
  ];
  const turn = settle(...events.map((event) => ({ ...absent, ...event })));
  expect([turn.stopReason, turn.text, turn.calls.length]).toEqual(["tool-use", "Hi.", 1]);
  const failed = settle(...events, { ...absent, throttlingException: {} });
  expect([failed.stopReason, failed.calls.length]).toEqual(["error", 0]);
});

test("indices may be texts", () => {
  const events = [...blockEvents(text("Hi."), 0), ...blockEvents(call(read), 1)].map((event, at) =>
    at % 2 ? event : JSON.parse(JSON.stringify(event).replaceAll(/Index":(\d)/g, 'Index":"$1"')),
  );
  const turn = settle(messageStart, ...events, ...end);
  expect([turn.stopReason, turn.calls.length]).toEqual(["tool-use", 1]);
});

/** A reply with a call, of whose input one piece comes in this event. */
const inPieces = (event: Fields): readonly Fields[] => [
  messageStart,
  start({ toolUse: { toolUseId: "tooluse_1", name: "read" } }),
  delta({ toolUse: { input: '{"path":"a"' } }),
  event,
  delta({ toolUse: { input: "}" } }),
  { contentBlockStop: { contentBlockIndex: 0 } },
  ...end,
];

test("a piece of a new kind takes no call away", () => {
  for (const event of [delta({ x_new: "{}" }), { x_new: { delta: { text: "Hm." } } }]) {
    const turn = settle(...inPieces(event));
    expect([turn.stopReason, turn.calls[0]?.input]).toEqual(["tool-use", { path: "a" }]);
  }
});

describe("a reply that contradicts itself is interrupted, and runs nothing", () => {
  const events = blockEvents(call(read), 0);
  test.each<[string, readonly Fields[]]>([
    ["a message that starts a second time", [messageStart, ...events, messageStart, ...end]],
    ["a block that starts twice", [messageStart, ...events.slice(0, 1), ...events, ...end]],
    ["a piece of an input without its start", [messageStart, ...events.slice(1), ...end]],
    [
      "a piece of an input after its end",
      [messageStart, ...events, delta({ toolUse: { input: "{}" } }), ...end],
    ],
    [
      "text in a call",
      [messageStart, ...events.slice(0, -1), delta({ text: "Hm." }), ...events.slice(-1), ...end],
    ],
    ...[{ x_new: { input: ',"b":1' } }, { input: ',"b":1' }].map(
      (piece): [string, readonly Fields[]] => [
        `a piece of an input in another form: ${JSON.stringify(piece)}`,
        inPieces(delta(piece)),
      ],
    ),
    [
      "a piece of an input in an event of another type",
      inPieces({
        content_block_delta: { contentBlockIndex: 0, delta: { toolUse: { input: ',"b":1' } } },
      }),
    ],
    [
      "an input of new pieces only",
      [
        messageStart,
        start({ toolUse: { toolUseId: "t", name: "list" } }),
        delta({ x_new: "{}" }),
        { contentBlockStop: { contentBlockIndex: 0 } },
        ...end,
      ],
    ],
    [
      "a missing block behind a call",
      [messageStart, ...events, ...blockEvents(text("Hi."), 2), ...end],
    ],
    [
      "a missing block between two calls",
      [messageStart, ...events, ...blockEvents(call({ ...read, id: "tooluse_2" }), 2), ...end],
    ],
    [
      "a call in events that stand inside of others",
      [
        messageStart,
        ...events,
        ...blockEvents(call({ ...read, id: "tooluse_2" }), 1).map((chunk) => ({ chunk })),
        ...end,
      ],
    ],
    [
      "an input in the start of its block",
      [
        messageStart,
        start({ toolUse: { toolUseId: "t", name: "list", input: { path: "a" } } }),
        { contentBlockStop: { contentBlockIndex: 0 } },
        ...end,
      ],
    ],
    ...[{ tool_use: { name: "list" } }, { toolCall: { name: "list" } }].map(
      (block): [string, readonly Fields[]] => [
        `a call in a block ${JSON.stringify(block)}`,
        [messageStart, start(block), messageStop("end_turn"), metadata(20)],
      ],
    ),
    ...[
      { toolUse: { toolUseId: "t", name: "list", arguments: { path: "a" } } },
      { tool_use: { toolUseId: "t", name: "list", input: {} } },
      { type: "tool_use", id: "t", name: "list", input: {} },
    ].map((block): [string, readonly Fields[]] => [
      `a call in a whole message as ${JSON.stringify(block)}`,
      [{ output: { message: { content: [block] } }, stopReason: "end_turn", usage: {} }],
    ]),
    [
      "an input that is not a text",
      [messageStart, ...events.slice(0, 1), delta({ toolUse: { input: 7 } }), ...end],
    ],
  ])("%s", (_, reply) => {
    const { stopReason, calls } = settle(...reply);
    expect([stopReason, calls.length]).toEqual(["interrupted", 0]);
  });
});

describe("blocks that are numbered otherwise are still all there", () => {
  const again = call({ ...read, id: "tooluse_2" });
  test.each<[string, readonly Fields[]]>([
    ["from 1", [...blockEvents(call(read), 1), ...blockEvents(again, 2)]],
    ["interleaved", [...blockEvents(again, 1), ...blockEvents(call(read), 0)]],
    [
      "with an empty block, of which only the end comes",
      [
        ...blockEvents(call(read), 0),
        { contentBlockStop: { contentBlockIndex: 1 } },
        ...blockEvents(again, 2),
      ],
    ],
  ])("%s", (_, blocks) => {
    const { stopReason, calls } = settle(messageStart, ...blocks, ...end);
    expect([stopReason, calls.length]).toEqual(["tool-use", 2]);
  });

  test("a gap without calls changes nothing", () => {
    const turn = settle(
      messageStart,
      ...blockEvents(text("Hi."), 0),
      ...blockEvents(text("There."), 2),
      messageStop("end_turn"),
      metadata(20),
    );
    expect(turn.stopReason).toBe("stop");
  });
});

describe("what does not end a reply", () => {
  test("a stop reason that content follows, although the usage comes after both", () => {
    const late = blockEvents(call({ ...read, id: "tooluse_2" }), 1);
    const turn = settle(
      messageStart,
      ...blockEvents(call(read), 0),
      end[0] ?? {},
      ...late,
      metadata(20),
    );
    expect([turn.stopReason, turn.calls.length]).toEqual(["interrupted", 0]);
  });

  test("an input that no `contentBlockStop` closed", () => {
    const turn = settle(messageStart, ...blockEvents({ ...call(read), open: true }, 0), ...end);
    expect([turn.stopReason, turn.withheld[0]?.reason]).toEqual([
      "malformed-tool-call",
      "not-closed",
    ]);
  });
});

describe("what is kept", () => {
  test("two blocks of text stay two; new pieces and new events are ignored", () => {
    const { message } = settle(
      messageStart,
      ...blockEvents(text("One."), 0),
      { x_newEvent: { contentBlockIndex: 0 } },
      delta({ x_new: 1 }, 7),
      ...blockEvents(text("Two."), 1),
      messageStop("end_turn"),
      metadata(4),
    );
    expect(message?.content.map((block) => "text" in block && block.text)).toEqual([
      "One.",
      "Two.",
    ]);
  });

  test("an index that is used again starts another call", () => {
    const { calls } = settle(
      messageStart,
      ...blockEvents(call(read), 0),
      ...blockEvents(call({ ...read, id: "tooluse_2", input: { path: "b" } }), 0),
      ...end,
    );
    expect(calls.map(({ input }) => input)).toEqual([{ path: "a" }, { path: "b" }]);
  });

  test("a tool that the service runs has side effects, unless it only reads", () => {
    const run = (name: string): Turn =>
      settle(
        messageStart,
        start({ toolUse: { toolUseId: "s", name, type: "server_tool_use" } }),
        delta({ toolUse: { input: "{}" } }),
        { contentBlockStop: { contentBlockIndex: 0 } },
        messageStop("end_turn"),
        metadata(4),
      );
    expect(run("nova_code_interpreter").sideEffects).toBe(true);
    expect(run("nova_grounding").sideEffects).not.toBe(true);
  });

  test("hidden reasoning in pieces becomes one", () => {
    const { message } = settle(
      messageStart,
      delta({ reasoningContent: { redactedContent: btoa("ab") } }),
      delta({ reasoningContent: { redactedContent: btoa("cde") } }),
      { contentBlockStop: { contentBlockIndex: 0 } },
      ...blockEvents(text("Yes."), 1),
      messageStop("end_turn"),
      metadata(4),
    );
    expect(message?.content[0]).toMatchObject({
      type: "thinking",
      text: "",
      providerData: { redactedContent: btoa("abcde") },
    });
  });
});

test("a reply in one piece reads as its stream does", () => {
  const signed = { reasoningText: { text: "Hm.", signature: "c2ln" } };
  const citations = [{ title: "Notes", location: { web: { url: "https://a.example" } } }];
  const turn = settle({
    output: {
      message: {
        role: "assistant",
        content: [
          { reasoningContent: signed },
          { reasoningContent: { redactedContent: "AQID" } },
          { citationsContent: { content: [{ text: "Blue." }], citations } },
          { x_new: { of: "a later version" } },
          { toolUse: { toolUseId: "tooluse_1", name: "read", input: { path: "a" } } },
        ],
      },
    },
    stopReason: "tool_use",
    usage: { inputTokens: 9, outputTokens: 20, totalTokens: 29 },
  });
  expect([turn.stopReason, turn.text, turn.usage.output]).toEqual(["tool-use", "Blue.", 20]);
  expect(turn.message?.content).toMatchObject([
    { type: "thinking", text: "Hm.", providerData: "c2ln" },
    { type: "thinking", text: "", providerData: { redactedContent: "AQID" } },
    { type: "text", text: "Blue.", providerData: citations },
    { type: "native", data: { x_new: { of: "a later version" } } },
    { type: "tool-call", id: "tooluse_1" },
  ]);
});
