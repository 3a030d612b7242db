import type { ClauseTable } from "../clause.ts";
import { evenlySpread, smallSample } from "../harness/bytes.ts";
import type { Check } from "../harness/check.ts";
import type { Harness } from "../harness/harness.ts";
import { checkInputsNeverRun, sameReason, whyNoInputText } from "../harness/mutate.ts";
import { readCall, writeCall } from "../harness/scenarios.ts";
import { cutInputs, invalidInputs } from "../loop/call-scripts.ts";
import { expectOnlyRuns } from "../loop/checks.ts";
import type { ReplyCall } from "../wire.ts";
import { ignoreReasons } from "./mutants.ts";

const prefixesOfInput = ({ input }: ReplyCall): readonly string[] => {
  const text = JSON.stringify(input);
  return Array.from({ length: text.length - 1 }, (_, index) => text.slice(0, index + 1));
};

/** Cut after an inner bracket, its input looks closed. */
const nestedCall: ReplyCall = {
  name: "search",
  id: "call_search_1",
  input: { query: { all: [{ in: ["a}", []] }, { not: {} }] } },
};

async function* checkCutInputs(harness: Harness): AsyncGenerator<Check> {
  for (const call of [readCall, writeCall, nestedCall]) {
    const texts = evenlySpread(prefixesOfInput(call), smallSample(harness));
    yield* checkInputsNeverRun(harness, call, sameReason("input-cut", texts));
  }
}

const invalidJsonTexts = [
  '{"path":"/srv"}}',
  '{"path":"/srv"}{"path":"/srv"}',
  '{"path":"/srv",}',
  "{'path':'/srv'}",
  "{path:1}",
  '{"path":NaN}',
  '{"path":01}',
  '{"path":"a\tb"}',
  '{"path":"\\x41"}',
  '```json\n{"path":"/srv"}\n```',
  '{"path":"/srv"} // read it',
  "undefined",
  "<path>/srv</path>",
];

const nonObjectTexts = ["[]", '[{"path":"/srv"}]', '"/srv"', '"{}"', "7", "true", "null"];

/** Clauses about inputs that are not the JSON of an object. */
export const callInputClauses: ClauseTable = {
  "call.cut-input": {
    rule: "An input that is only the beginning of JSON never runs, even if its call was closed and the reply was finished.",
    references: {
      "langchain-ai/langchain#39275, cline/cline#13001":
        "a repairing parser closed cut inputs, and they ran with members missing",
      "vllm-project/vllm#53269": "vLLM closes inputs by itself",
    },
    forLoops: { pages: "inputs" },
    adapter: { whyNotAsked: whyNoInputText, check: checkCutInputs },
    loop: expectOnlyRuns(cutInputs),
    mutants: {
      "repairs inputs that were cut": ignoreReasons("input-cut"),
    },
  },
  "call.invalid-json": {
    rule: "An input that is not JSON never runs, is never repaired and never becomes an empty one.",
    references: {
      "brightwave-inc/tidebreak#1084":
        "an input that could not be parsed became {}, and the tool ran",
      "NousResearch/hermes-agent#89246": "the unreadable input became {} and ran",
    },
    forLoops: {
      rule: "An input that is not JSON never runs, and is never repaired.",
      level: "should",
      references: {
        "NousResearch/hermes-agent#110436": "others repair what was not cut",
      },
    },
    adapter: {
      whyNotAsked: whyNoInputText,
      check: (harness) =>
        checkInputsNeverRun(harness, readCall, sameReason("invalid-json", invalidJsonTexts)),
    },
    loop: expectOnlyRuns(invalidInputs),
    mutants: {
      "turns an unreadable input into an empty one": ignoreReasons("invalid-json"),
    },
  },
  "call.not-object": {
    rule: "An input that is JSON, but not an object, never runs.",
    references: {
      "cline/cline#13001":
        'the cut text ["npm install","npm test" was closed to a valid list, and ran',
    },
    adapter: {
      whyNotAsked: whyNoInputText,
      check: (harness) =>
        checkInputsNeverRun(harness, readCall, sameReason("not-an-object", nonObjectTexts)),
    },
    mutants: {
      "takes any JSON for an input": ignoreReasons("not-an-object"),
    },
  },
};
