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

describe("a last chunk of a gateway", () => {
  const own = chunk({ role: "assistant", content: "" }, { finish_reason: "tool_calls" });
  test("with an id and a role of its own, and without content, ends the reply", () => {
    expect(read(...under("A", ...called), ...under("B", own), done).calls).toHaveLength(1);
    const text = under("A", role, textChunk("Hi."));
    expect(read(...text, ...under("B", finishChunk("stop")), done).stopReason).toBe("stop");
  });
  test.for<[string, readonly Fields[]]>([
    ["content", [chunk({ role: "assistant", content: "Sorry." }, { finish_reason: "stop" })]],
    ["content behind its role", [role, textChunk("Sorry."), finishChunk("stop")]],
    ["a chunk of its own for the role", [role, finishChunk("tool_calls")]],
  ])("with %s is a second reply", ([, second]) => {
    expect(read(...under("A", ...called), ...under("B", ...second), done).calls).toEqual([]);
  });
});

describe("a last chunk that repeats the whole message", () => {
  const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };
  const frame = (message: Fields, reason: string, more: Fields = {}): Fields => ({
    ...chunk({}),
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: reason }],
    usage,
    ...more,
  });
  const toolCall = (args: string, name = "read", id = "X"): Fields => ({
    tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: args } }],
  });
  test("ends the reply, with each call and the text once", () => {
    for (const ending of [[], [done]]) {
      const turn = read(...called, frame(toolCall('{ "path": "a" }'), "tool_calls"), ...ending);
      expect(turn).toMatchObject({ stopReason: "tool-use", usage: { output: 20 } });
      expect(turn.calls.map(({ input }) => input)).toEqual([{ path: "a" }]);
      const text = [role, textChunk("H"), textChunk("i.\n")];
      expect(read(...text, frame({ content: "Hi." }, "stop"), ...ending)).toMatchObject({
        stopReason: "stop",
        text: "Hi.\n",
        usage: { output: 20 },
      });
    }
  });
  test.for<[string, Fields, string]>([
    ["another input", toolCall('{"path":"b"}'), "tool_calls"],
    ["another name", toolCall('{"path":"a"}', "write"), "tool_calls"],
    ["another id", toolCall('{"path":"a"}', "read", "Y"), "tool_calls"],
    ["no call", { content: "Sorry." }, "stop"],
    ["another text", { content: "Sorry.", ...toolCall('{"path":"a"}') }, "tool_calls"],
    ["the stop reason of a cut", toolCall('{"path":"a"}'), "length"],
    ["no stop reason", toolCall('{"path":"a"}'), ""],
  ])("with %s, nothing runs", ([, message, reason]) => {
    expect(read(...called, frame(message, reason), done).calls).toEqual([]);
  });
  test("does not complete an input that was cut, and counts at the cap", () => {
    const cut = [role, callChunk(0, ["X", "read"], '{"pa')];
    const whole = frame(toolCall('{"path":"a"}'), "tool_calls");
    expect(read(...cut, whole, done).calls).toEqual([]);
    const full = { usage: { ...usage, completion_tokens: 1000 } };
    const last = frame(toolCall('{"path":"a"}'), "tool_calls", full);
    expect(read(...called, last, done).stopReason).toBe("length");
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
