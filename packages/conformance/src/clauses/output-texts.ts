import type { Turn } from "@fullstop/core";
import type { ClauseTable } from "../clause.ts";
import { render } from "../harness/bytes.ts";
import { type Check, withBytes } from "../harness/check.ts";
import type { Harness } from "../harness/harness.ts";
import { isObject, tryParseJson } from "../harness/json.ts";
import {
  finishedObjectReply,
  flatObject,
  objectCall,
  whyNoObjectText,
} from "../harness/objects.ts";
import {
  askForObject,
  describeGiven,
  givesNothing,
  givesOut,
  type ObjectForm,
  objectForms,
} from "../harness/read-object.ts";
import { readCall } from "../harness/scenarios.ts";
import type { Reply } from "../wire.ts";
import { checkObjectTexts, type ObjectText } from "./output-checks.ts";
import { changeObjects, giveOut, objectTextOf } from "./output-mutants.ts";

const json = JSON.stringify(flatObject.value);
const other = JSON.stringify({ title: "Order 8" });

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

const givesNothingFor = (texts: readonly string[]): readonly ObjectText[] =>
  texts.map((text) => ({ text, expected: givesNothing }));

async function checkBlocks(
  harness: Harness,
  form: ObjectForm,
  { at, blocks }: { readonly at: string; readonly blocks: Reply["blocks"] },
): Promise<Check> {
  const { wire } = harness;
  const { bytes } = render(wire, wire.frames(finishedObjectReply(wire, form, blocks)));
  const actual = describeGiven(await harness.readObject(bytes, form));
  return withBytes({ at: `${at} as ${form}`, expected: givesNothing, actual }, bytes);
}

async function* checkTwoObjects(harness: Harness): AsyncGenerator<Check> {
  yield* checkObjectTexts(harness, () => givesNothingFor(doubledTexts));
  const { value } = flatObject;
  for (const form of objectForms(harness.adapter)) {
    yield checkBlocks(harness, form, {
      at: "two texts, an object each",
      blocks: [{ text: json }, { text: other }],
    });
    yield checkBlocks(harness, form, {
      at: "two calls, an object each",
      blocks: [objectCall(value), objectCall({ title: "Order 8" }, "call_output_2")],
    });
  }
}

const describeOutput = (turn: Turn): string =>
  "output" in turn && turn.output !== undefined
    ? "the turn has an output"
    : `${turn.stopReason} without an output`;

/** The turn of a request that asks for an object and offers tools. */
async function checkTurnBesideCall(harness: Harness): Promise<Check> {
  const { wire } = harness;
  const { output } = askForObject("text");
  const reply = finishedObjectReply(wire, "tool-input", [{ text: json }, readCall]);
  const { bytes } = render(wire, wire.frames(reply));
  const actual = describeOutput(await harness.ask(bytes, { request: { output } }));
  const expected = "tool-use without an output";
  return withBytes(
    { at: "an object and a call, in a request with tools", expected, actual },
    bytes,
  );
}

async function* checkBesideCalls(harness: Harness): AsyncGenerator<Check> {
  const { value } = flatObject;
  for (const form of objectForms(harness.adapter)) {
    const own: Reply["blocks"][number] = form === "text" ? { text: json } : objectCall(value);
    yield checkBlocks(harness, form, { at: "an object before a call", blocks: [own, readCall] });
    yield checkBlocks(harness, form, { at: "a call before an object", blocks: [readCall, own] });
  }
  if (harness.adapter.outputFormat === "always") yield checkTurnBesideCall(harness);
}

const digits = "12345678901234567890";
/** What parsing would change, and what it keeps. */
const exactTexts: readonly ObjectText[] = Object.entries({
  '{"title":"a","of":9007199254740993}': givesNothing,
  [`{"of":{"ids":[${digits}]}}`]: givesNothing,
  '{"of":-9007199254740993}': givesNothing,
  '{"__proto__":{"title":"a"}}': givesNothing,
  '{"of":{"__proto__":null}}': givesNothing,
  '{"of":9007199254740991}': givesOut({ of: 9007199254740991 }),
  '{"of":1e21}': givesOut({ of: 1e21 }),
  [`{"of":"${digits}"}`]: givesOut({ of: digits }),
}).map(([text, expected]) => ({ text, expected }));

/** The first object in a text: the shortest beginning at a bracket that is JSON. */
function firstObject(text: string): unknown {
  const from = text.indexOf("{");
  for (let end = text.indexOf("}", from); end >= 0; end = text.indexOf("}", end + 1)) {
    const value = tryParseJson(text.slice(from, end + 1));
    if (isObject(value)) return value;
  }
  return undefined;
}

const takeFirstObject = changeObjects((reply) => {
  const value = reply.status === "invalid" ? firstObject(reply.turn.text) : undefined;
  return value === undefined ? reply : giveOut(reply.turn, value);
});

/** Clauses about texts that are not exactly one object. */
export const outputTextClauses: ClauseTable = {
  "output.prose": {
    rule: "A finished reply gives an object out only if its text, or the input of its call, is exactly one JSON object. Prose, a fence, a text around it, another JSON value and almost-JSON give nothing out.",
    level: "must",
    references: {
      "elizaOS/eliza#29010":
        "the first fenced block of a text won, so an example became the answer",
    },
    adapter: {
      whyNotAsked: whyNoObjectText,
      check: (harness) => checkObjectTexts(harness, () => givesNothingFor(proseTexts)),
    },
    mutants: {
      "takes the first object inside a text": takeFirstObject,
      "takes any JSON for an object": changeObjects((reply) => {
        const value = tryParseJson(objectTextOf(reply.turn));
        return reply.status !== "done" && value !== undefined ? giveOut(reply.turn, value) : reply;
      }),
    },
  },
  "output.two": {
    rule: "A reply with two objects gives none out: nothing says which of them is the answer.",
    level: "must",
    references: {
      "affromero/flight-finder#208":
        "the model wrote another object behind its answer, and the first one that looked right won",
      "pydantic/pydantic-ai#4406":
        "of several calls of the output tool the first was used, and the others were dropped silently",
    },
    adapter: { check: checkTwoObjects },
    mutants: {
      "takes the first of two objects in a text": takeFirstObject,
      "takes the object of the first of two calls": changeObjects((reply) => {
        const [first, second] = reply.turn.calls;
        return first !== undefined && first.name === second?.name
          ? giveOut(reply.turn, first.input)
          : reply;
      }),
    },
  },
  "output.beside-calls": {
    rule: "An object beside a tool call is not the answer: the reply goes on with the call, and gives no object out.",
    level: "must",
    references: {
      "openai/openai-agents-python#1689":
        "a run ended with the object that the model had written before a call, and the call never ran",
    },
    adapter: { check: checkBesideCalls },
    mutants: {
      "takes the object beside a call": changeObjects((reply) => {
        const value =
          firstObject(reply.turn.text) ??
          reply.turn.calls.find(({ name }) => name !== readCall.name)?.input;
        return reply.turn.calls.length > 0 && value !== undefined
          ? giveOut(reply.turn, value)
          : reply;
      }),
    },
  },
  "output.lossy": {
    rule: "An object that would change when it is parsed (an integer beyond a double, a __proto__ key) is not given out. Any other number is given out as it is.",
    level: "must",
    references: {
      "earendil-works/pi#8943":
        "integers beyond 2^53 were silently rounded, and the rounded ones were used",
    },
    adapter: {
      whyNotAsked: whyNoObjectText,
      check: (harness) => checkObjectTexts(harness, () => exactTexts),
    },
    mutants: {
      "rounds the integers of an object": changeObjects((reply) => {
        const value = tryParseJson(reply.turn.withheld[0]?.inputText ?? reply.turn.text);
        return reply.status !== "done" && isObject(value) ? giveOut(reply.turn, value) : reply;
      }),
    },
  },
};
