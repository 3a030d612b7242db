import type { AssistantMessage } from "@fullstop/core";
import type { ClauseTable } from "../clause.ts";
import { evenlySpread, smallSample } from "../harness/bytes.ts";
import { type Check, outline } from "../harness/check.ts";
import type { Harness } from "../harness/harness.ts";
import {
  checkInputsNeverRun,
  sameReason,
  whyNoInputText,
  whyNoWrongInput,
  withInputJson,
  withInputText,
} from "../harness/mutate.ts";
import { readCall, writeCall } from "../harness/scenarios.ts";
import { checkReplies, type WrittenReply } from "../harness/ways.ts";
import { cutInputs, invalidInputs } from "../loop/call-scripts.ts";
import { expectOnlyRuns } from "../loop/checks.ts";
import { repairLongInputs } from "../loop/mutants.ts";
import { referencesAbout } from "../reference.ts";
import type { ReplyCall } from "../wire.ts";
import { alterTurn, changeTurns, ignoreReasons, wholeOnly } from "./mutants.ts";

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

const keptTexts = [
  ' { "path" : "/srv" } ',
  '{\n  "lines": 1.0,\n  "path": "\\u00e6"\n}',
  '{"path":"a","path":"b"}',
  '{"b":1,"a":{"2":true,"1":false}}',
  '{"path":"🧊 \\ud83e\\uddca \\/ /"}',
  '{"lines":1e3,"of":-0}',
  "{ }",
];

async function* checkKeptTexts(harness: Harness): AsyncGenerator<Check> {
  for (const text of keptTexts) {
    const written = withInputText(harness, [readCall], text);
    if (written === undefined) continue;
    yield* checkReplies(harness, `the input ${text}`, written, {
      expected: `${JSON.stringify(JSON.parse(text))}, kept as ${text}`,
      describe: ({ calls, message }) =>
        `${JSON.stringify(calls[0]?.input)}, kept as ${message?.content
          .map((block) => (block.type === "tool-call" ? block.inputText : ""))
          .join("")}`,
    });
  }
}

const reserializeInput = (
  block: AssistantMessage["content"][number],
): AssistantMessage["content"][number] =>
  block.type === "tool-call"
    ? { ...block, inputText: JSON.stringify(JSON.parse(block.inputText)) }
    : block;

const markedCall: ReplyCall = { name: "read", id: "call_read_1", input: { path: "/srv/marked" } };

/**
 * How a turn with each of these inputs is reported. The last key of the last one gets the name of the
 * one above it from V8 13 to 15. https://github.com/nodejs/node/issues/63785
 */
const lossyInputs: Readonly<Record<string, string>> = {
  '{"lines":9007199254740993}': "malformed-tool-call, runs nothing: number-too-large",
  '{"of":{"ids":[12345678901234567890]}}': "malformed-tool-call, runs nothing: number-too-large",
  '{"__proto__":{"path":"/etc"}}': "malformed-tool-call, runs nothing: unsupported",
  '{"a":{"__proto__":null}}': "malformed-tool-call, runs nothing: unsupported",
  '{"lines":9007199254740991}': 'tool-use, runs read {"lines":9007199254740991}',
  '{"lines":1e21}': 'tool-use, runs read {"lines":1e+21}',
  '{"map":{"one":1,"\\\\":2}}': 'tool-use, runs read {"map":{"one":1,"\\\\":2}}',
  '{"map":{"one":1,"\\n":2}}': 'tool-use, runs read {"map":{"one":1,"\\n":2}}',
};

const withEarlierKey = (input: ReplyCall["input"]): ReplyCall["input"] =>
  JSON.parse(JSON.stringify(input).replace('"\\n":', '"\\\\":'));

/**
 * Without it a runtime cannot see a number as it was before it was parsed.
 * https://tc39.es/proposal-json-parse-with-source/
 */
const keepsDigits = "rawJSON" in JSON;

/**
 * The reply with this input. If the input is JSON and not text, only on runtimes that keep the
 * digits.
 */
function* repliesWithInput(harness: Harness, text: string): Generator<WrittenReply> {
  const asText = withInputText(harness, [markedCall], text);
  if (asText !== undefined) yield asText;
  const asJson = keepsDigits ? withInputJson(harness, [markedCall], text) : undefined;
  if (asJson !== undefined) yield asJson;
}

async function* checkLossyInputs(harness: Harness): AsyncGenerator<Check> {
  for (const [text, expected] of Object.entries(lossyInputs)) {
    for (const written of repliesWithInput(harness, text))
      yield* checkReplies(harness, `read with the input ${text}`, written, {
        expected,
        describe: (turn) =>
          outline(turn) + turn.withheld.map(({ reason }) => `: ${reason}`).join(""),
      });
  }
}

/** Clauses about inputs that are not the JSON of an object, and about the value of those that are. */
export const callInputClauses: ClauseTable = {
  "call.cut-input": {
    rule: "An input that is only the beginning of JSON never runs, even if its call was closed and the reply was finished.",
    references: [
      {
        "langchain-ai/langchain#39275, cline/cline#13001":
          "a repairing parser closed cut inputs, and they ran with members missing",
        "vllm-project/vllm#53269": "vLLM closes inputs by itself",
      },
      ...referencesAbout("anthropic-messages", {
        "smg-project/smg#2433, ai-dynamo/dynamo#13791":
          "servers said `tool_use` for an input that the cap had cut",
      }),
    ],
    forLoops: { pages: "inputs" },
    adapter: { whyNotAsked: whyNoWrongInput, check: checkCutInputs },
    loop: expectOnlyRuns(cutInputs),
    loopMutants: { "repairs inputs above 400 characters that were cut": repairLongInputs },
    mutants: {
      "repairs inputs that were cut": ignoreReasons("input-cut"),
      "repairs inputs that were cut in one piece": wholeOnly(
        ignoreReasons("input-cut", "not-an-object"),
      ),
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
      references: { "NousResearch/hermes-agent#110436": "others repair what was not cut" },
    },
    adapter: {
      whyNotAsked: whyNoWrongInput,
      check: (harness) =>
        checkInputsNeverRun(harness, readCall, sameReason("invalid-json", invalidJsonTexts)),
    },
    loop: expectOnlyRuns(invalidInputs),
    mutants: {
      "turns an unreadable input into an empty one": ignoreReasons("invalid-json"),
      "turns an unreadable input of a reply in one piece into an empty one": wholeOnly(
        ignoreReasons("invalid-json", "not-an-object"),
      ),
    },
  },
  "call.not-object": {
    rule: "An input that is JSON, but not an object, never runs.",
    references: {
      "cline/cline#13001":
        'the cut text ["npm install","npm test" was closed to a valid list, and ran',
    },
    adapter: {
      whyNotAsked: whyNoWrongInput,
      check: (harness) =>
        checkInputsNeverRun(harness, readCall, sameReason("not-an-object", nonObjectTexts)),
    },
    mutants: { "takes any JSON for an input": ignoreReasons("not-an-object") },
  },
  "call.input-exact": {
    rule: "A call runs with what the model wrote, parsed once. The history keeps the text itself, byte for byte.",
    references: {
      "pydantic/pydantic-ai#6968": "what ran was not what was approved",
      "anthropics/claude-code#63284": "blocks that were written anew are a 400",
    },
    adapter: { whyNotAsked: whyNoInputText, check: checkKeptTexts },
    mutants: {
      "writes the parsed input into history": changeTurns((turn) => {
        const { message } = turn;
        return alterTurn(turn, {
          message: message && { ...message, content: message.content.map(reserializeInput) },
        });
      }),
    },
  },
  "call.lossy-input": {
    rule: "An input that would change when it is parsed (an integer beyond a double, a __proto__ key) never runs, streamed or not, and the rest of the reply is still read. Any other input runs as it is.",
    references: {
      "earendil-works/pi#8943": "integers beyond 2^53 were silently rounded, and the call ran",
      "nodejs/node#63785": "after a key with a backslash, JSON.parse gives another key its name",
    },
    adapter: { check: checkLossyInputs },
    mutants: {
      "rounds integers": ignoreReasons("number-too-large"),
      "names a key as an earlier one": changeTurns((turn) =>
        alterTurn(turn, {
          calls: turn.calls.map((call) => ({ ...call, input: withEarlierKey(call.input) })),
        }),
      ),
      "loses the reply around a large number": changeTurns((turn) =>
        Object.values(turn.calls[0]?.input ?? {}).some(
          (value) => typeof value === "number" && value > Number.MAX_SAFE_INTEGER,
        )
          ? alterTurn(turn, { stopReason: "interrupted", calls: [] })
          : turn,
      ),
    },
  },
};
