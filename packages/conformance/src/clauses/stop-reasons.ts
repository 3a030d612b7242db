import type { Turn } from "@fullstop/core";
import type { ClauseTable, Mutant } from "../clause.ts";
import { checkTurn } from "../fixtures/compare.ts";
import { waysFor } from "../harness/bytes.ts";
import { type Check, claimedStopOf, outline } from "../harness/check.ts";
import type { Harness } from "../harness/harness.ts";
import { isObject, tryParseJson } from "../harness/json.ts";
import {
  basicCallShapes,
  callShapes,
  fewTokens,
  readCall,
  textOnly,
} from "../harness/scenarios.ts";
import { checkReplies, checkUnderUsages, lackOfWays } from "../harness/ways.ts";
import { expectOnlyRuns } from "../loop/checks.ts";
import { runBeginnings, runBelowCap, runTwoCalls } from "../loop/mutants.ts";
import { loopAround } from "../loop/small-loop.ts";
import { completeReplies, nativeStops, unknownStops } from "../loop/stop-scripts.ts";
import { referencesAbout } from "../reference.ts";
import {
  alterTurn,
  assumeCalls,
  both,
  changeBodies,
  changeEvents,
  changeTurns,
  ignoreReasons,
  loseUsage,
  relabelCap,
  runWithheld,
  wholeOnly,
} from "./mutants.ts";
import { isBlank } from "./stop-contradictions.ts";

async function* checkCompleteReplies(harness: Harness): AsyncGenerator<Check> {
  for (const exchange of harness.exchanges) yield* checkTurn(harness, exchange);
  yield* lackOfWays(harness);
}

/** The native stop reasons of the wire. In a small sample that of the cap, and one of the others. */
function stopsFor(harness: Harness, number: number): readonly string[] {
  const { length, ...others } = harness.wire.nativeStops;
  return [...(length ? [length] : []), ...waysFor(Object.values(others), number, harness)];
}

async function* checkNativeStops(harness: Harness): AsyncGenerator<Check> {
  const { wire, adapter } = harness;
  for (const [number, { name, blocks }] of callShapes.entries()) {
    for (const stop of stopsFor(harness, number)) {
      const reply = { blocks, stop, output: fewTokens };
      yield* checkUnderUsages(harness, `${name}, under "${stop}"`, reply, number);
    }
  }
  for (const [stop, claim] of Object.entries(adapter.stops)) {
    const isKnownToWire = claimedStopOf(wire, stop) !== "unknown";
    if (claim === "stop" || claim === "tool-use" || isKnownToWire) continue;
    const reply = { blocks: [readCall], stop, output: fewTokens };
    yield* checkReplies(harness, `one call, under "${stop}", which only the adapter lists`, reply, {
      expected: "0 calls",
      describe: ({ calls }) => `${calls.length} calls`,
    });
  }
}

const unlistedStops = [
  "x_never_heard_of",
  "STOP",
  "tool-calls",
  "constructor",
  "__proto__",
  "toString",
];

async function* checkUnlistedStops(harness: Harness): AsyncGenerator<Check> {
  const known = harness.adapter.stops;
  const stops = unlistedStops.filter((native) => !Object.hasOwn(known, native));
  for (const [number, stop] of stops.entries()) {
    for (const { name, blocks } of waysFor([textOnly, ...basicCallShapes], number, harness)) {
      const reply = { blocks, stop, output: fewTokens };
      yield* checkReplies(harness, `${name}, under "${stop}"`, reply, {
        expected: `unknown, runs nothing, native stop reason ${stop}`,
        describe: (turn) => `${outline(turn)}, native stop reason ${turn.native?.stop}`,
      });
    }
  }
}

/** A gate that runs the calls of some replies at the cap. */
const runAtCap = (does: (turn: Turn) => boolean): Mutant["subject"] =>
  changeTurns((turn) => (turn.stopReason === "length" && does(turn) ? runWithheld(turn) : turn));

/** No reader takes an object with a space inside for a placeholder. */
const withoutPlaceholders = changeBodies((text) =>
  text.replaceAll(/("(?:arguments|partial_json)":)"\{\}"/g, '$1"{ }"'),
);

/** Leaves numbers in the place of a text out. */
const withoutNumbers = changeBodies((text) =>
  text.replaceAll(/"content":[\d.]+/g, '"content":null'),
);

const withoutOtherChoices = changeBodies((text) =>
  text.replaceAll(/\{"(?:id|candidates)":.*\}/g, (written) => {
    const event = tryParseJson(written);
    if (!isObject(event)) return written;
    const lists = ["choices", "candidates"].flatMap((name) => {
      const list: unknown = event[name];
      return Array.isArray(list) ? [[name, list.filter(isFirst)] as const] : [];
    });
    return JSON.stringify({ ...event, ...Object.fromEntries(lists) });
  }),
);

const isFirst = (choice: unknown): boolean => !isObject(choice) || (choice["index"] ?? 0) === 0;

export const stopReasonClauses: ClauseTable = {
  "stop.whole": {
    rule: "A complete reply reads as what it says, streamed or not: its stop reason, and all of its calls in order.",
    references: {
      "vercel/workflow#1387":
        "three parallel calls under `stop` were discarded, and the run was called complete",
    },
    forLoops: {
      rule: "All calls of a complete reply run, each once, and no others.",
      references: [],
      pages: "calls",
    },
    adapter: { check: checkCompleteReplies },
    loop: expectOnlyRuns(completeReplies),
    loopMutants: {
      "runs the first call of a reply only": loopAround(
        changeTurns((turn) => alterTurn(turn, { calls: turn.calls.slice(0, 1) })),
      ),
      "runs two calls of a reply at most, and makes up the results of the others": runTwoCalls,
      "runs the beginning of an input above 400 characters": runBeginnings,
    },
    mutants: {
      "drops calls under the stop reason of a finished text": changeTurns((turn, { wire }) =>
        turn.native?.stop === wire.nativeStops.stop && turn.calls.length > 0
          ? alterTurn(turn, { stopReason: "stop", calls: [] })
          : turn,
      ),
      "runs calls after an end that forbids them": ignoreReasons("stop-sequence"),
      "takes an empty object before an input for a part of it": withoutPlaceholders,
      "does not look for calls in other choices or candidates": withoutOtherChoices,
      "reads no content that is a number": withoutNumbers,
    },
  },
  "stop.words": {
    rule: "Under a native stop reason that is not for a finished reply nothing runs, even if the calls are complete. Under one that is, all calls run.",
    references: {
      "strands-agents/harness-sdk#4139": "`has calls` outranked length, filter and refusal",
    },
    forLoops: {
      rule: "Under a native stop reason of the vendor that is not for a finished reply nothing runs, even if the calls are complete.",
      references: {
        "earendil-works/pi#6285":
          "a program ran the calls of a reply at the cap if their arguments parsed, and took that back",
        "vllm-project/vllm#46303":
          "at a cap of 10 tokens only the name had come, and the call had the arguments `{}`",
        "OpenRouterTeam/typescript-agent#125":
          "the calls of a reply at the cap are one batch that the model did not finish",
        "ai-dynamo/dynamo#13791":
          "a server kept `length` for a call that was cut, so that clients see it",
        "strands-agents/harness-sdk#4139": "`has calls` outranked length, filter and refusal",
      },
      pages: "stops",
    },
    adapter: { check: checkNativeStops },
    loop: expectOnlyRuns(nativeStops),
    loopMutants: {
      "runs calls under the stop reason of the cap if the usage is below the cap": runBelowCap,
    },
    mutants: {
      "lets the presence of calls outrank the stop reason": ignoreReasons("stop-reason"),
      "runs a call without input under the stop reason of the cap": runAtCap(({ withheld }) =>
        withheld.every(({ inputText }) => inputText === "{}" || inputText === ""),
      ),
      "runs the only call beside a text under the stop reason of the cap": runAtCap(
        ({ withheld, text }) => withheld.length === 1 && text !== "",
      ),
      "lists the stop reason of the cap as that of calls": relabelCap,
      "lists the stop reason of the cap as that of calls, and loses the usage": both(
        relabelCap,
        loseUsage,
      ),
      "lists the stop reason of the cap as that of calls in one piece": wholeOnly(relabelCap),
      "lists the stop reason of the cap as that of calls in one piece, and loses the usage":
        wholeOnly(both(relabelCap, loseUsage)),
    },
  },
  "stop.unknown-word": {
    rule: "Under a native stop reason that the adapter does not list nothing runs. The turn's stop reason is `unknown`, and the turn holds the native one.",
    references: {
      "https://platform.claude.com/docs/en/api/versioning":
        "new values may be added to enum-like outputs",
    },
    forLoops: {
      rule: "Under a native stop reason that the vendor does not list nothing runs.",
      level: "should",
      references: referencesAbout("anthropic-messages", {
        "https://platform.claude.com/docs/en/api/versioning":
          "new values may be added to enum-like outputs",
      }),
      pages: "stops",
    },
    adapter: { check: checkUnlistedStops },
    loop: expectOnlyRuns(unknownStops),
    mutants: {
      "takes an unknown stop reason for a finished answer": changeEvents(
        ({ wire }, { stops }) =>
          () =>
          (event) => {
            const isUnknown =
              event.type === "stop" &&
              !isBlank(event.native) &&
              !Object.hasOwn(stops, event.native);
            return [isUnknown ? { ...event, native: wire.nativeStops.stop ?? "" } : event];
          },
      ),
      "takes an unknown stop reason of a reply in one piece for that of calls": wholeOnly(
        assumeCalls((native, stops) => !isBlank(native) && !Object.hasOwn(stops, native)),
      ),
    },
  },
};
