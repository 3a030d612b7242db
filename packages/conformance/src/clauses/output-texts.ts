import type { Turn } from "@fullstop/core";
import type { ClauseTable } from "../clause.ts";
import type { Check } from "../harness/check.ts";
import { checkReply, type Harness } from "../harness/harness.ts";
import { tryParseJson } from "../harness/json.ts";
import {
  finishedObjectReply,
  flatObject,
  objectCall,
  whyNoObjectText,
} from "../harness/objects.ts";
import { askForObject, givesNothing, givesOut } from "../harness/read-object.ts";
import { readCall } from "../harness/scenarios.ts";
import {
  askForObjects,
  blocksCase,
  isNotGiven,
  objectTextOf,
  parseObject,
  takeObject,
  textCase,
} from "./output-checks.ts";

const { value } = flatObject;
const json = JSON.stringify(value);
const otherValue = { title: "Order 8" };
const other = JSON.stringify(otherValue);

/** Texts that are not one JSON object. Most of them hold one. */
const proseTexts = [
  "I cannot help with that.",
  "null",
  "true",
  "7",
  '"{}"',
  "[]",
  `[${json}]`,
  JSON.stringify(json),
  `\`\`\`json\n${json}\n\`\`\``,
  `\`\`\`\n${json}\n\`\`\``,
  `Here it is:\n${json}`,
  `${json}\nLet me know if you need more.`,
  `${json};`,
  `${json}}`,
  `{${json}`,
  `<think>${other}</think>${json}`,
  `// the order\n${json}`,
  '{"title":"Order 7",}',
  "{'title':'Order 7'}",
  '{title:"Order 7"}',
  '{"title":undefined}',
  '{"notes":[NaN]}',
  '{"notes":[01]}',
  '{"title":"a\tb"}',
  '{"title":"\\x41"}',
];

/** Texts of two objects, or of one that was written twice. */
const doubledTexts = [json + other, `${json}\n${other}`, `${json},${other}`, json + json];

const checkTwoObjects = askForObjects((asked) => [
  ...doubledTexts.map((text) => textCase(asked, text)),
  blocksCase(asked, "two texts, an object each", [{ text: json }, { text: other }]),
  blocksCase(asked, "two calls, an object each", [
    objectCall(value),
    objectCall(otherValue, "call_output_2"),
  ]),
]);

const describeOutput = (turn: Turn): string =>
  "output" in turn && turn.output !== undefined
    ? "the turn has an output"
    : `${turn.stopReason} without an output`;

const checkTurnBesideCall = (harness: Harness): Promise<Check> =>
  checkReply(
    harness,
    "an object and a call, in a request with tools",
    finishedObjectReply(harness.wire, "tool-input", [{ text: json }, readCall]),
    {
      expected: "tool-use without an output",
      describe: describeOutput,
      options: { request: { output: askForObject("text").output } },
    },
  );

const objectsBesideCalls = askForObjects((asked) => {
  const own = asked.form === "text" ? { text: json } : objectCall(value);
  return [
    blocksCase(asked, "an object before a call", [own, readCall]),
    blocksCase(asked, "a call before an object", [readCall, own]),
  ];
});

async function* checkBesideCalls(harness: Harness): AsyncGenerator<Check> {
  yield* objectsBesideCalls(harness);
  if (harness.adapter.outputFormat === "always") yield checkTurnBesideCall(harness);
}

const digits = "12345678901234567890";
/** What parsing would change, and what it keeps. */
const exactTexts: Readonly<Record<string, string>> = {
  '{"title":"a","of":9007199254740993}': givesNothing,
  [`{"of":{"ids":[${digits}]}}`]: givesNothing,
  '{"of":-9007199254740993}': givesNothing,
  '{"__proto__":{"title":"a"}}': givesNothing,
  '{"of":{"__proto__":null}}': givesNothing,
  '{"of":9007199254740991}': givesOut({ of: 9007199254740991 }),
  '{"of":1e21}': givesOut({ of: 1e21 }),
  [`{"of":"${digits}"}`]: givesOut({ of: digits }),
};

/** The first object in a text: the shortest beginning at a bracket that is JSON. */
function firstObject(text: string): object | undefined {
  const from = text.indexOf("{");
  for (let end = text.indexOf("}", from); end >= 0; end = text.indexOf("}", end + 1)) {
    const value = parseObject(text.slice(from, end + 1));
    if (value !== undefined) return value;
  }
  return undefined;
}

const takeFirstObject = takeObject(
  ({ status }) => status === "invalid",
  ({ turn }) => firstObject(turn.text),
);

export const outputTextClauses: ClauseTable = {
  "output.prose": {
    rule: "A finished reply gives an object out only if its text, or the input of its call, is exactly one JSON object. Prose, a fence, a text around it, another JSON value and almost-JSON give nothing out.",
    references: {
      "elizaOS/eliza#29010":
        "the first fenced block of a text won, so an example became the answer",
    },
    adapter: {
      whyNotAsked: whyNoObjectText,
      check: askForObjects((asked) => proseTexts.map((text) => textCase(asked, text))),
    },
    mutants: {
      "takes the first object inside a text": takeFirstObject,
      "takes any JSON for an object": takeObject(isNotGiven, ({ turn }) =>
        tryParseJson(objectTextOf(turn)),
      ),
    },
  },
  "output.two": {
    rule: "A reply with two objects gives none out: nothing says which of them is the answer.",
    references: {
      "affromero/flight-finder#208":
        "the model wrote another object behind its answer, and the first one that looked right won",
      "pydantic/pydantic-ai#4406":
        "of several calls of the output tool the first was used, and the others were dropped silently",
    },
    adapter: { check: checkTwoObjects },
    mutants: {
      "takes the first of two objects in a text": takeFirstObject,
      "takes the object of the first of two calls": takeObject(
        ({ turn: { calls } }) => calls.length > 1 && calls[0]?.name === calls[1]?.name,
        ({ turn: { calls } }) => calls[0]?.input,
      ),
    },
  },
  "output.beside-calls": {
    rule: "An object beside a tool call is not the answer: the reply goes on with the call, and gives no object out.",
    references: {
      "openai/openai-agents-python#1689":
        "a run ended with the object that the model had written before a call, and the call never ran",
    },
    adapter: { check: checkBesideCalls },
    mutants: {
      "takes the object beside a call": takeObject(
        ({ turn }) => turn.calls.length > 0,
        ({ turn: { text, calls } }) =>
          firstObject(text) ?? calls.find(({ name }) => name !== readCall.name)?.input,
      ),
    },
  },
  "output.lossy": {
    rule: "An object that would change when it is parsed (an integer beyond a double, a __proto__ key) is not given out. Any other number is given out as it is.",
    references: {
      "earendil-works/pi#8943":
        "integers beyond 2^53 were silently rounded, and the rounded ones were used",
    },
    adapter: {
      whyNotAsked: whyNoObjectText,
      check: askForObjects((asked) =>
        Object.entries(exactTexts).map(([text, expected]) => textCase(asked, text, { expected })),
      ),
    },
    mutants: {
      "rounds the integers of an object": takeObject(isNotGiven, ({ turn: { withheld, text } }) =>
        parseObject(withheld[0]?.inputText ?? text),
      ),
    },
  },
};
