import { describe, expect, test } from "vitest";
import { jsonValue, parseExact } from "../src/json.ts";
import { protocols } from "../src/protocols.ts";
import type { Reading } from "../src/reading.ts";

type Call = readonly [index: number | undefined, id: string, ...pieces: string[]];

const chunksOf = (calls: readonly Call[]): readonly object[] =>
  calls
    .flatMap(([index, id, ...pieces]) =>
      pieces.map((piece, n) => ({
        index,
        ...(n === 0 && { id }),
        function: { ...(n === 0 && { name: "read" }), arguments: piece },
      })),
    )
    .map((delta) => ({ choices: [{ delta: { tool_calls: [delta] } }] }));

/** A reply of Chat Completions, with calls before and behind its stop reason. */
function readReply(calls: readonly Call[], late: readonly Call[]): Reading {
  const end = { choices: [{ delta: {}, finish_reason: "tool_calls" }] };
  const events = [...chunksOf(calls), end, ...chunksOf(late), "[DONE]"];
  return protocols.chat.read({ events, whole: false, damage: "none", reset: false }, "openai");
}
const readChat = (...calls: readonly Call[]): Reading => readReply(calls, []);

/** A reply of Messages that ended with a stop reason. */
function readMessages(...pieces: readonly string[]): Reading {
  const call = { type: "tool_use", id: "a", name: "read", input: {} };
  const events = [
    { type: "message_start", message: { id: "msg_1" } },
    { type: "content_block_start", index: 0, content_block: call },
    ...pieces.map((piece) => ({
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: piece },
    })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "tool_use" } },
    { type: "message_stop" },
  ];
  return protocols.anthropic.read({ events, whole: false, damage: "none", reset: false }, "");
}

const outline = ({ verdict, calls }: Reading): unknown => [
  verdict,
  ...calls.map(({ text }) => text),
];
const input = '{"path":"a"}';

describe("an empty object beside an input", () => {
  test("is not a part of it", () => {
    for (const pieces of [
      ["{}", input],
      [input, " {}"],
      ['{"path":', '"a"}', "{}"],
    ])
      expect(outline(readChat([0, "a", ...pieces]))).toEqual(["finished", input]);
    expect(outline(readMessages("{}", '{"path":', '"a"}'))).toEqual(["finished", input]);
  });

  test("does not make an unfinished input a finished one", () => {
    for (const pieces of [
      ["{}", '{"path":'],
      ['{"path":', "{}"],
      ["{}", "{}", input],
    ])
      expect(readChat([0, "a", ...pieces]).verdict).toBe("unfinished");
    for (const pieces of [
      ["{}", '{"path":'],
      [input, "{}"],
    ])
      expect(readMessages(...pieces).verdict).toBe("unfinished");
  });

  test("may be that of another call if the calls have no index", () => {
    expect(readChat([undefined, "a", input, "{}"]).verdict).toBe("undecided");
  });
});

describe("one id with two spellings of one input", () => {
  test("is one call", () => {
    const twice = readChat([0, "a", '{"path":"a","of":1}'], [1, "a", '{ "of": 1, "path": "a" }']);
    expect(outline(twice)).toEqual(["finished", '{"path":"a","of":1}']);
  });

  test("is two calls if the values differ", () => {
    const two = readChat([0, "a", input], [1, "a", '{"path":" a"}']);
    expect(outline(two)).toEqual(["finished", input, '{"path":" a"}']);
  });
});

describe("a call behind the stop reason", () => {
  const calls: readonly Call[] = [
    [0, "a", input],
    [0, "b", "{}"],
  ];

  test("may be a call that came before, if it is the whole call again", () => {
    expect(readReply(calls, [[0, "a", input]]).verdict).toBe("undecided");
  });

  test("may be that of the call before it, if it is white space only", () => {
    expect(readReply([[0, "a", input]], [[0, "a", " \n"]]).verdict).toBe("undecided");
    expect(readReply([[0, "a", '{"path":']], [[0, "a", " \n"]]).verdict).toBe("unfinished");
  });

  test("takes the stop reason back if it is another one", () => {
    expect(readReply(calls, [[0, "c", input]]).verdict).toBe("unfinished");
    expect(readReply(calls, [[0, "a", '{"path":"b"}']]).verdict).toBe("unfinished");
  });
});

test("a whole response without a status is incomplete if its details have a reason", () => {
  const read = (incomplete_details: object | null): Reading => {
    const response = { object: "response", output: [], incomplete_details };
    const received = { events: [response], whole: true, damage: "none", reset: false } as const;
    return protocols.responses.read(received, "openai");
  };
  expect(read({ reason: "max_output_tokens" })).toMatchObject({ reason: "length" });
  for (const details of [null, { reason: " " }])
    expect(read(details)).toMatchObject({ reason: "interrupted" });
});

test("keys with escapes keep their names, also after other ones", () => {
  const texts = ['{"\\\\":1}', '{"\\n":2}', '{"\\u0061":[{"\\\\a":3},{},[]]}'];
  const names = texts.map((text) => JSON.stringify(jsonValue(text)));
  expect(names).toEqual(['{"\\\\":1}', '{"\\n":2}', '{"a":[{"\\\\a":3},{},[]]}']);
  const exact = '{"\\n":[12345678901234567890,-1.5,null,"{,:"]}';
  expect(JSON.stringify(parseExact(exact))).toBe(exact);
  for (const text of ['{"a":1,}', "", "{a:1}"]) expect(jsonValue(text)).toBeUndefined();
});
