import type { ClauseTable } from "../clause.ts";
import { checkTurn } from "../fixtures/compare.ts";
import { jsonAnswer, render, utf8 } from "../harness/bytes.ts";
import { type Check, claimedStopOf, expectedTurnOf, outline, withBytes } from "../harness/check.ts";
import { checkFrames, type Harness } from "../harness/harness.ts";
import {
  basicCallShapes,
  callShapes,
  fewTokens,
  readCall,
  repliesFor,
  textOnly,
  tokensForStop,
} from "../harness/scenarios.ts";
import { expectOnlyRuns } from "../loop/checks.ts";
import { scripts } from "../loop/scripts.ts";
import { alterTurn, changeEvents, changeTurns, ignoreReasons } from "./mutants.ts";

async function* checkCompleteReplies(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  for (const exchange of harness.exchanges) yield* checkTurn(harness, exchange);
  for (const { name, reply } of repliesFor(wire)) {
    const body = wire.whole?.(reply);
    if (body === undefined) continue;
    const actual = outline(await harness.ask(jsonAnswer(body)));
    const expected = outline(expectedTurnOf(wire, reply));
    yield withBytes({ at: `${name}, not streamed`, expected, actual }, utf8(body));
  }
}

async function* checkNativeStops(harness: Harness): AsyncGenerator<Check> {
  const { wire, adapter } = harness;
  for (const { name, blocks } of callShapes) {
    for (const stop of Object.values(wire.nativeStops)) {
      const reply = { blocks, stop, output: tokensForStop(wire, stop) };
      yield checkFrames(harness, `${name}, under "${stop}"`, {
        frames: wire.frames(reply),
        expected: outline(expectedTurnOf(wire, reply)),
      });
    }
  }
  for (const [stop, claim] of Object.entries(adapter.stops)) {
    const isKnownToWire = claimedStopOf(wire, stop) !== "unknown";
    if (claim === "stop" || claim === "tool-use" || isKnownToWire) continue;
    const reply = { blocks: [readCall], stop, output: tokensForStop(wire, stop) };
    const { bytes } = render(wire.frames(reply));
    const { calls } = await harness.ask(bytes);
    yield withBytes(
      {
        at: `one call, under "${stop}", which only the adapter lists`,
        expected: "0 calls",
        actual: `${calls.length} calls`,
      },
      bytes,
    );
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
  const { wire, adapter } = harness;
  for (const stop of unlistedStops.filter((native) => !Object.hasOwn(adapter.stops, native))) {
    for (const { name, blocks } of [textOnly, ...basicCallShapes]) {
      const { bytes } = render(wire.frames({ blocks, stop, output: fewTokens }));
      const turn = await harness.ask(bytes);
      yield withBytes(
        {
          at: `${name}, under "${stop}"`,
          expected: `unknown, runs nothing, native stop reason ${stop}`,
          actual: `${outline(turn)}, native stop reason ${turn.native?.stop}`,
        },
        bytes,
      );
    }
  }
}

async function* checkBlankStops(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  for (const stop of ["", "null", " "]) {
    for (const { name, blocks } of [textOnly, ...basicCallShapes]) {
      const at = `${name}, its native stop reason ${JSON.stringify(stop)}`;
      yield checkFrames(harness, at, {
        frames: wire.frames({ blocks, stop, output: fewTokens }),
        expected: "interrupted, runs nothing",
      });
    }
  }
}

async function* checkStopForCallsWithoutCall(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  const stop = wire.nativeStops["tool-use"] ?? "";
  for (const [name, blocks] of [
    ["no block at all", []],
    ["text only", [{ text: "I will call a tool." }]],
  ] as const) {
    yield checkFrames(harness, `${name}, under "${stop}"`, {
      frames: wire.frames({ blocks, stop, output: fewTokens }),
      expected: "malformed-tool-call, runs nothing",
    });
  }
}

const isBlank = (native: string): boolean => native.trim() === "" || native === "null";

/** Clauses about the stop reason of a reply. */
export const stopReasonClauses: ClauseTable = {
  "stop.whole": {
    rule: "A complete reply reads as what it says, streamed or not: its stop reason, and all of its calls in order.",
    level: "must",
    references: [
      {
        issue: "vercel/workflow#1387",
        note: "three parallel calls under `stop` were discarded, and the run was called complete",
      },
    ],
    adapter: { check: checkCompleteReplies },
    loop: expectOnlyRuns(scripts.complete),
    mutants: [
      {
        wrong: "drops calls under the stop reason of a finished text",
        subject: changeTurns((turn, { wire }) =>
          turn.native?.stop === wire.nativeStops.stop && turn.calls.length > 0
            ? alterTurn(turn, { stopReason: "stop", calls: [] })
            : turn,
        ),
      },
      {
        wrong: "runs calls after an end that forbids them",
        subject: ignoreReasons("stop-sequence"),
      },
    ],
  },
  "stop.words": {
    rule: "Under a native stop reason that is not for a finished reply nothing runs, even if the calls are complete. Under one that is, all calls run.",
    level: "must",
    references: [
      { issue: "cursor-byok#423" },
      {
        issue: "strands-agents/harness-sdk#4139",
        note: "`has calls` outranked length, filter and refusal",
      },
    ],
    adapter: { check: checkNativeStops },
    loop: expectOnlyRuns(scripts.nativeStops),
    mutants: [
      {
        wrong: "lets the presence of calls outrank the stop reason",
        subject: ignoreReasons("stop-reason"),
      },
    ],
  },
  "stop.unknown-word": {
    rule: "Under a native stop reason that the adapter does not list nothing runs. The turn's stop reason is `unknown`, and the turn holds the native one.",
    level: "must",
    references: [
      {
        url: "https://platform.claude.com/docs/en/api/versioning",
        note: "new values may be added to enum-like outputs",
      },
    ],
    adapter: { check: checkUnlistedStops },
    loop: expectOnlyRuns(scripts.unknownStop),
    mutants: [
      {
        wrong: "takes an unknown stop reason for a finished answer",
        subject: changeEvents(({ wire }, { stops }) => () => (event) => {
          const isUnknown =
            event.type === "stop" && !isBlank(event.native) && !Object.hasOwn(stops, event.native);
          return [isUnknown ? { ...event, native: wire.nativeStops.stop ?? "" } : event];
        }),
      },
    ],
  },
  "stop.no-word": {
    rule: "A reply that ends with a blank native stop reason is interrupted, and nothing of it runs.",
    level: "must",
    references: [
      { issue: "workbuddy-gateway#3" },
      { issue: "farion1231/cc-switch#5093", note: "hosts send an empty stop reason" },
      { issue: "earendil-works/pi#6225", note: "NVIDIA NIM sends none at all" },
    ],
    adapter: { check: checkBlankStops },
    loop: expectOnlyRuns(scripts.emptyStop),
    mutants: [
      {
        wrong: "takes a blank stop reason for a finished answer",
        subject: changeEvents(({ wire }) => () => (event) => [
          event.type === "stop" && isBlank(event.native)
            ? { ...event, native: wire.nativeStops.stop ?? "" }
            : event,
        ]),
      },
    ],
  },
  "stop.no-call": {
    rule: "A reply with the native stop reason for calls but without any call is not a finished answer: the model tried to call a tool and failed.",
    level: "must",
    references: [
      { issue: "mastra-ai/mastra#14187" },
      { issue: "earendil-works/pi#9681", note: "such a reply loops or hangs" },
    ],
    adapter: {
      whyNotAsked: ({ wire }) =>
        wire.nativeStops["tool-use"] === undefined
          ? "the wire has no native stop reason for calls"
          : undefined,
      check: checkStopForCallsWithoutCall,
    },
    mutants: [
      {
        wrong: "takes the stop reason for calls as an answer if there is no call",
        subject: changeTurns((turn) =>
          turn.stopReason === "malformed-tool-call" && turn.withheld.length === 0
            ? alterTurn(turn, { stopReason: "stop" })
            : turn,
        ),
      },
    ],
  },
};
