import type { ClaimedStop, StopTable } from "@fullstop/core/adapter";
import type { ClauseTable } from "../clause.ts";
import {
  finishedObjectReply,
  flatObject,
  type ObjectEnd,
  objectReply,
  objectScenarios,
} from "../harness/objects.ts";
import { describeObject, givesNothing, givesOut, givesUnfinished } from "../harness/read-object.ts";
import { cap, fewTokens, tokensForStop } from "../harness/scenarios.ts";
import type { Wire } from "../wire.ts";
import { changeAdapter, changeEvents } from "./mutants.ts";
import {
  type AskedForObject,
  askForObjects,
  changeObjects,
  isUnfinished,
  type ObjectCase,
  takeObject,
} from "./output-checks.ts";

/** The objects of the suite in replies that end so. */
const endedObjects = (
  { wire, form }: AskedForObject,
  at: string,
  end: ObjectEnd,
  isFinished = false,
): readonly ObjectCase[] =>
  objectScenarios.map(({ name, value }) => ({
    at: `${name}, ${at},`,
    sent: objectReply(wire, form, value, end),
    expected: isFinished ? givesOut(value) : givesUnfinished,
    describe: describeObject,
  }));

/** The native stop reasons of a finished reply in this form. */
const stopsOfObjects = ({ wire: { nativeStops }, form }: AskedForObject): readonly string[] => {
  const reasons: readonly ClaimedStop[] = form === "text" ? ["stop"] : ["tool-use", "stop"];
  return [...new Set(reasons.flatMap((reason) => nativeStops[reason] ?? []))];
};

/** The object of a host that is known to report cut replies as finished. */
function relabelledObjects({ wire, form, adapter }: AskedForObject): readonly ObjectCase[] {
  const { value } = flatObject;
  const relabels = { mislabelsTruncation: true } as const;
  const relabelled = (at: string, output: number, more: Partial<ObjectCase>): ObjectCase => ({
    at: `a host that relabels cuts, ${at},`,
    sent: objectReply(wire, form, value, { output }),
    expected: givesUnfinished,
    describe: describeObject,
    options: { adapter: relabels },
    ...more,
  });
  const withoutCap = { adapter: { ...relabels, maxTokens: {} }, request: { maxTokens: undefined } };
  return [
    relabelled(`a cap of ${cap}`, fewTokens, { expected: givesOut(value) }),
    relabelled("a usage of 0", 0, {}),
    ...(adapter.capRequired
      ? []
      : [relabelled("no cap known", fewTokens, { options: withoutCap })]),
  ];
}

/** Finished replies that used one token less than the cap, all of it, and one token more. */
const objectsAroundCap = (asked: AskedForObject): readonly ObjectCase[] => [
  ...stopsOfObjects(asked).flatMap((stop) =>
    [cap - 1, cap, cap + 1].flatMap((output) =>
      endedObjects(
        asked,
        `"${stop}" after ${output} of ${cap} tokens`,
        { stop, output },
        output < cap,
      ),
    ),
  ),
  ...relabelledObjects(asked),
];

const declined: readonly ClaimedStop[] = ["refusal", "content-filter"];
const stopsOfOtherClauses: readonly string[] = ["stop", "tool-use", ...declined];

/** Whole objects under the native stop reasons under which no reply is finished, with the usage of a cut reply and with a small one. */
const objectsUnderReasons = (asked: AskedForObject): readonly ObjectCase[] => {
  const { wire } = asked;
  const stops = Object.entries(wire.nativeStops).flatMap(([reason, stop]) =>
    stopsOfOtherClauses.includes(reason) ? [] : [stop],
  );
  return [...stops, "a-later-reason"].flatMap((stop) =>
    [...new Set([tokensForStop(wire, stop), fewTokens])].flatMap((output) =>
      endedObjects(asked, `under ${JSON.stringify(stop)} after ${output} tokens`, { stop, output }),
    ),
  );
};

const declinedStops = ({ nativeStops }: Wire): readonly (readonly [ClaimedStop, string])[] =>
  declined.flatMap((reason) => {
    const native = nativeStops[reason];
    return native === undefined ? [] : [[reason, native] as const];
  });

/** The reply in a model's words, and an object that the model wrote nevertheless. */
const refusalTexts = ["I cannot help with that.", JSON.stringify(flatObject.value)];

const refusedObjects = ({ wire, form }: AskedForObject): readonly ObjectCase[] =>
  declinedStops(wire).flatMap(([reason, stop]) =>
    refusalTexts.map((text) => ({
      at: `${text}, under "${stop}",`,
      sent: { ...finishedObjectReply(wire, form, [{ text }]), stop },
      expected: `${givesUnfinished}, ${reason}`,
      describe: (read) => `${describeObject(read)}, ${read.turn.stopReason}`,
    })),
  );

/** A table in which every native stop reason means a finished reply. */
const finishedTable = (stops: StopTable): StopTable =>
  Object.fromEntries(
    Object.entries(stops).map(([native, claim]) => [native, claim === null ? null : "stop"]),
  );

export const outputEndClauses: ClauseTable = {
  "output.at-cap": {
    rule: "A reply that used up the output cap gives no object out under any native stop reason, however whole the object looks. One token below the cap it does. A host that is known to relabel cut replies must prove by its usage that the cap was not reached.",
    references: {
      "jundot/omlx#2817": "a reply that was cut at the cap was reported as `completed`",
      "vllm-project/vllm#53269": "cut inputs come closed, as finished ones",
    },
    adapter: { check: askForObjects(objectsAroundCap) },
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
    adapter: { check: askForObjects(objectsUnderReasons) },
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
      check: askForObjects(refusedObjects),
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
