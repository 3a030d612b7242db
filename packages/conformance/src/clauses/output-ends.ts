import type { ClaimedStop, StopTable } from "@fullstop/core/adapter";
import type { ClauseTable } from "../clause.ts";
import type { Check } from "../harness/check.ts";
import type { AskOptions, Harness } from "../harness/harness.ts";
import {
  finishedObjectReply,
  flatObject,
  type ObjectEnd,
  objectReply,
  objectScenarios,
} from "../harness/objects.ts";
import {
  describeObject,
  givesNothing,
  givesOut,
  givesUnfinished,
  type ObjectForm,
  objectForms,
} from "../harness/read-object.ts";
import { cap, fewTokens, tokensForStop } from "../harness/scenarios.ts";
import type { Wire } from "../wire.ts";
import { changeAdapter, changeEvents } from "./mutants.ts";
import { changeObjects, checkObject, isUnfinished, takeObject } from "./output-checks.ts";

/** A reply with an object, and how it must be reported. */
interface EndedObject {
  readonly at: string;
  readonly value: object;
  readonly end: ObjectEnd;
  readonly expected: string;
  readonly options?: Pick<AskOptions, "request" | "adapter">;
}

const checkEnd = (
  harness: Harness,
  form: ObjectForm,
  { at, value, end, ...rest }: EndedObject,
): Promise<Check> =>
  checkObject(harness, form, {
    ...rest,
    at: `${at} as ${form}`,
    sent: objectReply(harness.wire, form, value, end),
    describe: describeObject,
  });

/** The native stop reasons of a finished reply in this form. */
const stopsOfObjects = ({ nativeStops }: Wire, form: ObjectForm): readonly string[] => {
  const reasons: readonly ClaimedStop[] = form === "text" ? ["stop"] : ["tool-use", "stop"];
  return [...new Set(reasons.flatMap((reason) => nativeStops[reason] ?? []))];
};

/** Finished replies that used one token less than the cap, all of it, and one token more. */
const endsAroundCap = (wire: Wire, form: ObjectForm): readonly EndedObject[] =>
  stopsOfObjects(wire, form).flatMap((stop) =>
    objectScenarios.flatMap(({ name, value }) =>
      [cap - 1, cap, cap + 1].map((output) => ({
        at: `${name}, "${stop}" after ${output} of ${cap} tokens`,
        value,
        end: { stop, output },
        expected: output < cap ? givesOut(value) : givesUnfinished,
      })),
    ),
  );

async function* checkAroundCap(harness: Harness): AsyncGenerator<Check> {
  for (const form of objectForms(harness.adapter)) {
    for (const ended of endsAroundCap(harness.wire, form)) yield checkEnd(harness, form, ended);
    yield* checkRelabels(harness, form);
  }
}

/** The object of a host that is known to report cut replies as finished. */
async function* checkRelabels(harness: Harness, form: ObjectForm): AsyncGenerator<Check> {
  const { value } = flatObject;
  const adapter = { mislabelsTruncation: true } as const;
  const relabels = (at: string, output: number, expected: string): EndedObject => ({
    at: `a host that relabels cuts, ${at}`,
    value,
    end: { output },
    expected,
    options: { adapter },
  });
  yield checkEnd(harness, form, relabels(`a cap of ${cap}`, fewTokens, givesOut(value)));
  yield checkEnd(harness, form, relabels("a usage of 0", 0, givesUnfinished));
  if (harness.adapter.capRequired) return;
  yield checkEnd(harness, form, {
    ...relabels("no cap known", fewTokens, givesUnfinished),
    options: { adapter: { ...adapter, maxTokens: {} }, request: { maxTokens: undefined } },
  });
}

const declined: readonly ClaimedStop[] = ["refusal", "content-filter"];
const isObjectStop = (reason: string): boolean => reason === "stop" || reason === "tool-use";

/** The native stop reasons under which no reply is finished. Refusals have a clause of their own. */
const unfinishedStops = ({ nativeStops }: Wire): readonly string[] =>
  Object.entries(nativeStops).flatMap(([reason, native]) =>
    isObjectStop(reason) || declined.some((other) => other === reason) ? [] : [native],
  );

/** Whole objects under these reasons, with the usage of a cut reply and with a small one. */
const unfinishedEnds = (wire: Wire): readonly EndedObject[] =>
  [...unfinishedStops(wire), "a-later-reason"].flatMap((stop) =>
    [...new Set([tokensForStop(wire, stop), fewTokens])].flatMap((output) =>
      objectScenarios.map(({ name, value }) => ({
        at: `${name} under ${JSON.stringify(stop)} after ${output} tokens`,
        value,
        end: { stop, output },
        expected: givesUnfinished,
      })),
    ),
  );

async function* checkReasons(harness: Harness): AsyncGenerator<Check> {
  for (const form of objectForms(harness.adapter))
    for (const ended of unfinishedEnds(harness.wire)) yield checkEnd(harness, form, ended);
}

const declinedStops = ({ nativeStops }: Wire): readonly (readonly [ClaimedStop, string])[] =>
  declined.flatMap((reason) => {
    const native = nativeStops[reason];
    return native === undefined ? [] : [[reason, native] as const];
  });

/** The reply in a model's words, and an object that the model wrote nevertheless. */
const refusalTexts = ["I cannot help with that.", JSON.stringify(flatObject.value)];

async function* checkRefusals(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  for (const [reason, stop] of declinedStops(wire)) {
    for (const form of objectForms(harness.adapter)) {
      for (const text of refusalTexts) {
        yield checkObject(harness, form, {
          at: `${text} as ${form}, under "${stop}"`,
          sent: { ...finishedObjectReply(wire, form, [{ text }]), stop },
          expected: `${givesUnfinished}, ${reason}`,
          describe: (read) => `${describeObject(read)}, ${read.turn.stopReason}`,
        });
      }
    }
  }
}

/** A table in which every native stop reason means a finished reply. */
const finishedTable = (stops: StopTable): StopTable =>
  Object.fromEntries(
    Object.entries(stops).map(([native, claim]) => [native, claim === null ? null : "stop"]),
  );

/** Clauses about how a reply with an object ended. */
export const outputEndClauses: ClauseTable = {
  "output.at-cap": {
    rule: "A reply that used up the output cap gives no object out under any native stop reason, however whole the object looks. One token below the cap it does. A host that is known to relabel cut replies must prove by its usage that the cap was not reached.",
    references: {
      "jundot/omlx#2817": "a reply that was cut at the cap was reported as `completed`",
      "vllm-project/vllm#53269": "cut inputs come closed, as finished ones",
    },
    adapter: { check: checkAroundCap },
    mutants: {
      "does not count tokens": changeEvents(
        () => () => (event) => (event.type === "usage" ? [] : [event]),
      ),
      "believes the native stop reason of an object at the cap": takeObject(
        (reply) => isUnfinished(reply) && reply.turn.stopReason === "length",
      ),
    },
  },
  "output.reasons": {
    rule: "A whole object under a native stop reason that does not mean a finished reply is not given out: what follows it may have been cut away. The reply is reported as unfinished.",
    references: {
      "mastra-ai/mastra#24442":
        "an object was given out although the reply had ended with `length`",
      "567-labs/instructor#2601":
        "the check of the stop reason was lost when the code was written anew",
    },
    adapter: { check: checkReasons },
    mutants: {
      "takes every native stop reason for that of a finished reply": changeAdapter(({ stops }) => ({
        stops: finishedTable(stops),
      })),
      "ignores the native stop reason of an object": takeObject(
        (reply) => isUnfinished(reply) && reply.turn.native !== undefined,
      ),
    },
  },
  "output.refusal": {
    rule: "A refusal and a filtered reply give no object out, also if their text is one. They are reported by their stop reason, not as an object that does not fit.",
    references: {
      "anthropics/anthropic-sdk-python#1850":
        "the text of a refusal was validated against the schema, and the stop reason was lost",
      "langchain-ai/langchain#39747": "a refusal was reported as a reply that cannot be parsed",
    },
    adapter: {
      whyNotAsked: ({ wire }) =>
        declinedStops(wire).length === 0
          ? "the wire has no native stop reason of a refusal or a filter"
          : undefined,
      check: checkRefusals,
    },
    mutants: {
      "validates the text of a refusal": changeObjects((reply) =>
        reply.status === "unfinished" && declined.some((stop) => stop === reply.turn.stopReason)
          ? { status: "invalid", issues: [givesNothing], turn: reply.turn }
          : reply,
      ),
      "takes a refusal for a finished reply": changeAdapter(({ stops }) => ({
        stops: finishedTable(stops),
      })),
    },
  },
};
