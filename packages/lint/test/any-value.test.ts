import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  fixTranscript,
  lintTranscript,
  readTranscripts,
  shapeNames,
  TranscriptError,
} from "../src/index.ts";

const words = [
  ..."role content parts type text id name input arguments tool_calls function functionCall".split(
    " ",
  ),
  ..."functionResponse call_id tool_call_id tool_use_id toolCallId state inputText messages".split(
    " ",
  ),
  ..."user assistant model tool tool_use tool_result tool-call tool-result tool-read".split(" "),
  ..."function_call function_call_output reasoning thinking input-available contents".split(" "),
];
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<unknown>(null, 0, true, "", "{", ...words),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...words), tie("value"), { maxKeys: 5 }),
  ),
}));
const list = fc.array(fc.dictionary(fc.constantFrom(...words), value, { maxKeys: 5 }), {
  maxLength: 4,
});

describe.each([undefined, ...shapeNames])("any value, read as %s", (shape) => {
  test("is checked and repaired, or is an error that says what was expected", () => {
    fc.assert(
      fc.property(fc.oneof(list, value), (transcript) => {
        try {
          lintTranscript(transcript, { shape });
          const { transcript: repaired, left } = fixTranscript(transcript, { shape });
          expect(left.filter(({ fixable }) => fixable)).toEqual([]);
          JSON.stringify(repaired);
        } catch (thrown) {
          if (!(thrown instanceof TranscriptError)) throw thrown;
          expect(thrown.message).toMatch(/[Ee]xpected|several shapes/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

test("a repair keeps the digits of numbers, and a mark at the beginning of the file is skipped", () => {
  const call =
    '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read","input":{"n":12345678901234567890,"m":1.0}}]}';
  const { transcripts, toText } = readTranscripts(`\uFEFF[${call}]`);
  const { transcript } = fixTranscript(transcripts[0]?.value);
  expect(toText([transcript]).replace(/\s/g, "")).toContain('{"n":12345678901234567890,"m":1.0}');
});

test("a file with one message is JSON Lines", () => {
  const line = JSON.stringify({
    role: "assistant",
    content: [{ type: "tool_use", id: "a", name: "read", input: {} }],
  });
  const { transcripts, toText } = readTranscripts(`${line}\n`);
  const { transcript } = fixTranscript(transcripts[0]?.value);
  expect(toText([transcript]).trim().split("\n")).toHaveLength(2);
});

test("a type that is the name of a member of each object is an unknown one", () => {
  for (const type of ["constructor", "toString", "__proto__"]) {
    const messages = [{ role: "assistant", content: [{ type }] }];
    expect(lintTranscript(messages, { shape: "fullstop" }).flaws).toEqual([]);
  }
});

test("options that cannot work are refused with their names", () => {
  for (const check of [lintTranscript, fixTranscript]) {
    expect(() => check([], { shape: "openai" } as object)).toThrow("`shape`");
    expect(() => check([], { shapes: "openai-chat" } as object)).toThrow("`shape`");
  }
});
