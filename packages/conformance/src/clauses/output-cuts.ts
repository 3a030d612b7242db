import type { ClauseTable } from "../clause.ts";
import { commonPrefixLength, evenlySpread, prefixLengths } from "../harness/bytes.ts";
import { type Check, withBytes } from "../harness/check.ts";
import type { Harness } from "../harness/harness.ts";
import { isObject, tryParseJson } from "../harness/json.ts";
import { objectScenarios, whyNoObjectText } from "../harness/objects.ts";
import {
  describeObject,
  givesNothing,
  givesUnfinished,
  type ObjectForm,
  objectForms,
} from "../harness/read-object.ts";
import {
  checkObjectTexts,
  type ObjectText,
  type RenderedObject,
  renderObjects,
} from "./output-checks.ts";
import { changeObjects, closeBrackets, giveOut, objectTextOf } from "./output-mutants.ts";

async function* checkCutReplies(harness: Harness): AsyncGenerator<Check> {
  for (const form of objectForms(harness.adapter)) {
    const tried: Uint8Array[] = [];
    for (const object of renderObjects(harness, form)) {
      const { bytes, completeLength } = object.rendered;
      const known = commonPrefixLength(bytes, tried);
      tried.push(bytes.subarray(0, completeLength - 1));
      yield* checkPrefixes(harness, form, { ...object, known });
    }
  }
}

interface CutObject extends RenderedObject {
  /** Prefixes up to this length were tried before. */
  readonly known: number;
}

async function* checkPrefixes(
  harness: Harness,
  form: ObjectForm,
  { at, rendered, headers, known }: CutObject,
): AsyncGenerator<Check> {
  const { completeLength } = rendered;
  for (const length of prefixLengths(rendered, harness)) {
    if (length >= completeLength) break;
    if (length <= known) continue;
    const bytes = rendered.bytes.subarray(0, length);
    const reply = await harness.readObject({ headers, chunks: [bytes] }, form);
    const where = `${at}, cut after ${length} of ${completeLength} bytes`;
    const actual = describeObject(reply);
    yield withBytes({ at: where, expected: givesUnfinished, actual }, bytes);
  }
}

/** Every beginning of a text. An empty input of a tool is left out: it may be a whole object. */
const beginningsOf = (text: string, form: ObjectForm): readonly string[] => {
  const shortest = form === "text" ? 0 : 1;
  return Array.from({ length: text.length - shortest }, (_, index) =>
    text.slice(0, index + shortest),
  );
};

/** Of a long text the first and the last beginnings, and some between them. */
const edgeLength = 24;
const fewBeginnings = (all: readonly string[]): readonly string[] =>
  all.filter(
    (_, index) => index < edgeLength || index >= all.length - edgeLength || index % 97 === 0,
  );

const cutTexts = (form: ObjectForm, { exhaustive, sample }: Harness): readonly ObjectText[] =>
  objectScenarios.flatMap(({ name, value }) => {
    const all = beginningsOf(JSON.stringify(value), form);
    return evenlySpread(exhaustive ? all : fewBeginnings(all), sample).map((text) => ({
      text,
      expected: givesNothing,
      name: `${name}, ${text.length} characters of it,`,
    }));
  });

/** Clauses about objects that were cut. */
export const outputCutClauses: ClauseTable = {
  "output.cut": {
    rule: "A reply that ends before its terminal gives no object out, wherever it is cut: not if its beginning satisfies the schema, and not if its last bracket has come. It is reported as unfinished, not as an object that does not fit.",
    level: "must",
    references: {
      "livekit/agents#4974":
        "the stream was cut inside the object, and a repair was to close its brackets",
      "567-labs/instructor#2601":
        "the members that a cut reply lacked were filled with `None`, and the value looked like a real one",
      "TanStack/ai#1426":
        "a cut reply was reported as JSON that cannot be parsed, so people looked for the fault in the schema",
    },
    adapter: { check: checkCutReplies },
    mutants: {
      "closes the brackets of an object that was cut": changeObjects((reply) =>
        reply.status === "unfinished" ? closeBrackets(reply) : reply,
      ),
      "takes an object when its last bracket has come": changeObjects((reply) => {
        const value = tryParseJson(objectTextOf(reply.turn));
        return reply.status === "unfinished" && isObject(value)
          ? giveOut(reply.turn, value)
          : reply;
      }),
      "reports a cut reply as an object that does not fit": changeObjects(({ turn, ...reply }) =>
        reply.status === "unfinished"
          ? { status: "invalid", issues: ["Unexpected end of JSON input"], turn }
          : { turn, ...reply },
      ),
    },
  },
  "output.cut-text": {
    rule: "The beginning of an object in a finished reply gives no object out, and nothing of it is repaired: no bracket is closed, no member is filled in, and no part of it is taken for the whole.",
    level: "must",
    references: {
      "mastra-ai/mastra#24442":
        "a cut object was closed and given out as the complete one, without an error or a warning",
      "juspay/neurolink#1304":
        "a bracket pair inside a string of a cut object was given out in its place",
    },
    adapter: {
      whyNotAsked: whyNoObjectText,
      check: (harness) => checkObjectTexts(harness, (form) => cutTexts(form, harness)),
    },
    mutants: {
      "closes the brackets of the object in a finished reply": changeObjects((reply) =>
        reply.status === "done" ? reply : closeBrackets(reply),
      ),
      "takes an object inside the beginning of another": changeObjects((reply) => {
        const inner = /\{[^{}]*\}/.exec(objectTextOf(reply.turn))?.[0];
        const value = reply.status === "done" ? undefined : tryParseJson(inner ?? "");
        return isObject(value) ? giveOut(reply.turn, value) : reply;
      }),
    },
  },
};
