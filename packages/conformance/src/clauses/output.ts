import type { TurnRequest } from "@fullstop/core";
import { outputToolName } from "@fullstop/core/adapter";
import type { ClauseTable } from "../clause.ts";
import { type Check, withBytes } from "../harness/check.ts";
import { type Harness, sentBody } from "../harness/harness.ts";
import { isObject, nestedValues, tryParseJson } from "../harness/json.ts";
import { whyNoFormat } from "../harness/objects.ts";
import { describeGiven, givesOut, looseSchema, objectForms } from "../harness/read-object.ts";
import { checkObjectTexts, type ObjectText, renderObjects } from "./output-checks.ts";
import { changeObjects, giveOut } from "./output-mutants.ts";

const spellings: readonly ObjectText[] = [
  ' \n{ "title" : "a" }\n',
  '{\n\t"title": "\\u00e6 \\ud83e\\uddca \\/"\r\n}',
  '{"author":"b","title":"a"}',
  '{"notes":[1.0,-0,1e3,9007199254740991]}',
  "{ }",
].map((text) => ({ text, expected: givesOut(JSON.parse(text)) }));

async function* checkWholeObjects(harness: Harness): AsyncGenerator<Check> {
  for (const form of objectForms(harness.adapter)) {
    for (const { at, rendered, headers, expected } of renderObjects(harness, form)) {
      const reply = await harness.readObject({ headers, chunks: [rendered.bytes] }, form);
      yield withBytes({ at, expected, actual: describeGiven(reply) }, rendered.bytes);
    }
  }
  yield* checkObjectTexts(harness, () => spellings);
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

const structuredOutputs =
  "https://platform.claude.com/docs/en/build-with-claude/structured-outputs";

/** Clauses about the object that a request asks for: whole, cut, and how it is asked for. */
export const outputClauses: ClauseTable = {
  "output.whole": {
    rule: "The object of a finished reply is given out as the model wrote it, streamed or not: each member, and an empty object too.",
    level: "must",
    references: {
      [structuredOutputs]:
        "the text of a finished reply is the object, and it conforms to the schema",
    },
    adapter: { check: checkWholeObjects },
    mutants: {
      "takes an empty object for a missing one": changeObjects((reply) =>
        reply.status === "done" && JSON.stringify(reply.value) === "{}"
          ? { status: "invalid", issues: ["no object"], turn: reply.turn }
          : reply,
      ),
      "drops the members that are null": changeObjects((reply) =>
        reply.status === "done"
          ? giveOut(
              reply.turn,
              JSON.parse(JSON.stringify(reply.value), (_, value) => value ?? undefined),
            )
          : reply,
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
      "claims a format and sends none": (sound) => ({
        ...sound,
        adapter: (endpoint) => {
          const adapter = sound.adapter(endpoint);
          return {
            ...adapter,
            open: ({ output: _, ...request }, signal) => adapter.open(request, signal),
          };
        },
      }),
    },
  },
};
