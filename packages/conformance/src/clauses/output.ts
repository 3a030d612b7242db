import type { TurnRequest } from "@fullstop/core";
import { outputToolName } from "@fullstop/core/adapter";
import type { ClauseTable } from "../clause.ts";
import type { Bytes } from "../framing/framing.ts";
import { evenlySpread, newBeginnings } from "../harness/bytes.ts";
import type { Check } from "../harness/check.ts";
import { type Harness, sentBody } from "../harness/harness.ts";
import { type Answer, jsonBody } from "../harness/host.ts";
import { isObject, nestedValues, tryParseJson } from "../harness/json.ts";
import { objectScenarios, whyNoFormat, whyNoObjectText } from "../harness/objects.ts";
import { describeObject, givesOut, givesUnfinished, looseSchema } from "../harness/read-object.ts";
import { changeRequests } from "./mutants.ts";
import {
  type AskedForObject,
  askForObjects,
  changeObjects,
  closeBrackets,
  isNotGiven,
  isUnfinished,
  type ObjectCase,
  objectTextOf,
  parseObject,
  renderObjects,
  takeObject,
  textCase,
} from "./output-checks.ts";

const spellings = [
  ' \n{ "title" : "a" }\n',
  '{\n\t"title": "\\u00e6 \\ud83e\\uddca \\/"\r\n}',
  '{"author":"b","title":"a"}',
  '{"notes":[1.0,-0,1e3,9007199254740991]}',
  "{ }",
];

const answerIn = (bytes: Bytes, isWhole: true | undefined): Answer => ({
  chunks: [bytes],
  ...(isWhole && { isWhole, headers: jsonBody }),
});

function* wholeObjects(asked: AskedForObject): Generator<ObjectCase> {
  for (const { at, rendered, isWhole, expected } of renderObjects(asked))
    yield { at, sent: answerIn(rendered.bytes, isWhole), expected };
  for (const text of spellings)
    yield textCase(asked, text, { expected: givesOut(JSON.parse(text)) });
}

/** Whether a value inside the body describes each property of the schema. Some APIs take it as a text. */
const holdsSchema = (body: unknown): boolean =>
  [...nestedValues(body)]
    .map(readText)
    .some(
      (value) =>
        isObject(value) &&
        isObject(value["properties"]) &&
        Object.keys(looseSchema.properties).every((key) =>
          Object.hasOwn(value["properties"] as object, key),
        ),
    );

const readText = (value: unknown): unknown =>
  typeof value === "string" ? tryParseJson(value) : value;

async function* checkFormatSent(harness: Harness): AsyncGenerator<Check> {
  const request: Partial<TurnRequest> = { output: { schema: looseSchema }, tools: undefined };
  const body = tryParseJson(await sentBody(harness, request));
  const expected = "the schema, and no tool";
  const hasTool = JSON.stringify(body)?.includes(outputToolName) === true;
  const actual = holdsSchema(body) && !hasTool ? expected : "a request without the schema";
  yield { at: "a request for an object", expected, actual };
  const violations = harness.wire
    .violations(body, harness.host.received())
    .filter(({ level }) => level !== "should")
    .map(({ message }) => message);
  const none = "no rule is broken";
  yield { at: "its body", expected: none, actual: violations.join(", ") || none };
}

function* cutObjects(asked: AskedForObject): Generator<ObjectCase> {
  const tried: Uint8Array[] = [];
  for (const { at, rendered, isWhole } of renderObjects(asked))
    for (const bytes of newBeginnings(rendered, asked, tried))
      yield {
        at: `${at} cut after ${bytes.length} of ${rendered.completeLength} bytes,`,
        sent: answerIn(bytes, isWhole),
        expected: givesUnfinished,
        describe: describeObject,
      };
}

/** Of a long text the first and the last beginnings, and some between them. */
const edgeLength = 24;
const fewBeginnings = (all: readonly string[]): readonly string[] =>
  all.filter(
    (_, index) => index < edgeLength || index >= all.length - edgeLength || index % 97 === 0,
  );

/** The beginnings of each text. An empty input of a tool is left out: it may be a whole object. */
const cutTexts = (asked: AskedForObject): readonly ObjectCase[] =>
  objectScenarios.flatMap(({ name, value }) => {
    const { form, exhaustive, sample } = asked;
    const text = JSON.stringify(value);
    const all = Array.from(text, (_, length) => text.slice(0, length)).filter(
      (beginning) => form === "text" || beginning !== "",
    );
    return evenlySpread(exhaustive ? all : fewBeginnings(all), sample).map((beginning) =>
      textCase(asked, beginning, { at: `${name}, ${beginning.length} characters of it,` }),
    );
  });

const structuredOutputs =
  "https://platform.claude.com/docs/en/build-with-claude/structured-outputs";

/** Clauses about the object that a request asks for: whole, cut, and how it is asked for. */
export const outputClauses: ClauseTable = {
  "output.whole": {
    rule: "The object of a finished reply is given out as the model wrote it, streamed or not: each member, and an empty object too.",
    references: {
      [structuredOutputs]:
        "the text of a finished reply is the object, and it conforms to the schema",
    },
    adapter: { check: askForObjects(wholeObjects) },
    mutants: {
      "takes an empty object for a missing one": changeObjects((reply) =>
        reply.status === "done" && JSON.stringify(reply.value) === "{}"
          ? { status: "invalid", issues: ["no object"], turn: reply.turn }
          : reply,
      ),
      "drops the members that are null": takeObject(
        (reply) => !isNotGiven(reply),
        (reply) =>
          "value" in reply &&
          JSON.parse(JSON.stringify(reply.value), (_, value) => value ?? undefined),
      ),
    },
  },
  "output.sent": {
    rule: "An adapter that claims a format for objects sends the schema in it, and the request keeps the vendor's rules.",
    level: "should",
    references: {
      [structuredOutputs]:
        "without the schema in the request nothing makes the model write an object",
    },
    adapter: { whyNotAsked: whyNoFormat, check: checkFormatSent },
    mutants: {
      "claims a format and sends none": changeRequests(({ output: _, ...request }) => request),
    },
  },
  "output.cut": {
    rule: "A reply that ends before its terminal gives no object out, wherever it is cut: not if its beginning satisfies the schema, and not if its last bracket has come. It is reported as unfinished, not as an object that does not fit.",
    references: {
      "livekit/agents#4974":
        "the stream was cut inside the object, and a repair was to close its brackets",
      "567-labs/instructor#2601":
        "the members that a cut reply lacked were filled with `None`, and the value looked like a real one",
      "TanStack/ai#1426":
        "a cut reply was reported as JSON that cannot be parsed, so people looked for the fault in the schema",
    },
    adapter: { check: askForObjects(cutObjects) },
    mutants: {
      "closes the brackets of an object that was cut": takeObject(isUnfinished, closeBrackets),
      "takes an object when its last bracket has come": takeObject(isUnfinished),
      "reports a cut reply as an object that does not fit": changeObjects(({ turn, ...reply }) =>
        reply.status === "unfinished"
          ? { status: "invalid", issues: ["Unexpected end of JSON input"], turn }
          : { turn, ...reply },
      ),
    },
  },
  "output.cut-text": {
    rule: "The beginning of an object in a finished reply gives no object out, and nothing of it is repaired: no bracket is closed, no member is filled in, and no part of it is taken for the whole.",
    references: {
      "mastra-ai/mastra#24442":
        "a cut object was closed and given out as the complete one, without an error or a warning",
      "juspay/neurolink#1304":
        "a bracket pair inside a string of a cut object was given out in its place",
    },
    adapter: { whyNotAsked: whyNoObjectText, check: askForObjects(cutTexts) },
    mutants: {
      "closes the brackets of the object in a finished reply": takeObject(
        isNotGiven,
        closeBrackets,
      ),
      "takes an object inside the beginning of another": takeObject(isNotGiven, ({ turn }) =>
        parseObject(/\{[^{}]*\}/.exec(objectTextOf(turn))?.[0]),
      ),
    },
  },
};
