import { createGate, type Turn } from "@fullstop/core";
import { openaiChat } from "@fullstop/provider-openai";
import { describe, expect, test } from "vitest";
import {
  argumentsDelta,
  callChunk,
  callsChunk,
  chunk,
  done,
  type Event,
  type Fields,
  finishChunk,
  textChunk,
} from "./chat-server.ts";

const adapter = openaiChat("gpt-5.2");
const read = (...events: readonly Event[]): Turn => {
  const gate = createGate(adapter, { maxTokens: 1000 });
  for (const event of events) gate.push(event);
  return gate.end();
};
const under = (id: string, ...chunks: readonly Fields[]): readonly Fields[] =>
  chunks.map((one) => ({ ...one, id }));
const role = chunk({ role: "assistant", content: "" });
const pieces = [callChunk(0, ["X", "read"], ""), argumentsDelta(0, '{"path":"a"}')];
const called = [role, ...pieces];
const end = finishChunk("tool_calls");

describe("a second reply behind a call withholds all calls", () => {
  test.for<[string, readonly Fields[]]>([
    ["with a text", [role, textChunk("Sorry."), finishChunk("stop")]],
    ["with the same call", [...called, end]],
    [
      "with chunks before its role",
      [{ ...chunk({}), choices: [] }, { ...chunk({}), choices: [] }, ...called, end],
    ],
    ["with a call, and without a role", [callChunk(0, ["Y", "read"], '{"path":"a"}'), end]],
  ])("%s", ([, second]) => {
    const turn = read(...under("A", ...called), ...under("B", ...second));
    expect(turn).toMatchObject({ stopReason: "interrupted", calls: [] });
    expect("error" in turn && turn.error.message).toContain(
      "A second reply (B) begins behind a call of the reply A",
    );
  });
});

describe("content behind `[DONE]` is a second reply, also under the same id", () => {
  const second = [role, textChunk("Sorry."), finishChunk("stop"), done];
  test.for<[string, readonly Event[], readonly [string, number]]>([
    ["behind a cut call", [...called, done, ...second], ["interrupted", 0]],
    ["behind a whole call", [...called, end, done, ...second], ["interrupted", 0]],
    ["the same reply again", [...called, end, done, ...called, end, done], ["interrupted", 0]],
    [
      "behind a cut call, without content",
      [...called, done, role, finishChunk("stop"), done],
      ["interrupted", 0],
    ],
    ["the end of a call that was cut", [...called, done, end], ["interrupted", 0]],
    ["an end that comes again is none", [...called, end, done, end, done], ["tool-use", 1]],
    [
      "a usage and another `[DONE]` are none",
      [...called, end, done, { ...chunk({}), choices: [] }, done],
      ["tool-use", 1],
    ],
  ])("%s", ([, events, expected]) => {
    const turn = read(...events);
    expect([turn.stopReason, turn.calls.length]).toEqual(expected);
  });
});

describe("another id alone takes no call away", () => {
  test.for<[string, readonly Fields[]]>([
    ["in every chunk", [...called, end].map((one, at) => ({ ...one, id: `c${at}` }))],
    [
      "in every chunk, and a role in every chunk",
      [
        chunk({ role: "assistant", content: "" }),
        chunk({
          role: "assistant",
          tool_calls: [{ index: 0, id: "X", function: { name: "read" } }],
        }),
        chunk({
          role: "assistant",
          tool_calls: [{ index: 0, function: { arguments: '{"path":"a"}' } }],
        }),
        end,
      ].map((one, at) => ({ ...one, id: `c${at}` })),
    ],
    ["in the chunk that ends the reply", [...under("A", ...called), ...under("B", end)]],
    ["in the first chunk", [...under("", role), ...under("A", ...pieces, end)]],
    [
      "behind a text: only the second reply has calls",
      [...under("A", role, textChunk("I will")), ...under("B", ...called, end)],
    ],
    [
      "in one chunk, of a host that repeats the name of the call",
      [
        ...under("A", role, callChunk(0, ["X", "read"], '{"path":')),
        ...under("B", callsChunk({ index: 0, function: { name: "read", arguments: '"a"}' } })),
        ...under("A", end),
      ],
    ],
    [
      "between two calls, without anything that begins again",
      [...under("A", ...called), ...under("B", callChunk(1, ["Y", "read"], '{"path":"b"}'), end)],
    ],
  ])("%s", ([name, chunks]) => {
    const turn = read(...chunks);
    expect([turn.stopReason, turn.calls.length]).toEqual([
      "tool-use",
      name.startsWith("between") ? 2 : 1,
    ]);
  });
});
