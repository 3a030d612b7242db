import type { ClauseTable } from "../clause.ts";
import { type Check, isFinished, outline } from "../harness/check.ts";
import { checkReply, type Harness } from "../harness/harness.ts";
import { basicCallShapes, fewTokens, textOnly } from "../harness/scenarios.ts";
import {
  checkReplies,
  type WrittenReply,
  withoutNativeStop,
  withoutUsage,
} from "../harness/ways.ts";
import { expectOnlyRuns } from "../loop/checks.ts";
import { loopAround, smallLoop } from "../loop/small-loop.ts";
import { blankStops, stopsWithoutCalls, unforcedTextStops } from "../loop/stop-scripts.ts";
import { onlyForCalls } from "../loop/text-inputs.ts";
import {
  alterTurn,
  assumeCalls,
  changeEvents,
  changeTurns,
  ignoreReasons,
  wholeOnly,
} from "./mutants.ts";

async function* checkBlankStops(harness: Harness): AsyncGenerator<Check> {
  for (const stop of ["", "null", " "]) {
    for (const { name, blocks } of [textOnly, ...basicCallShapes]) {
      const at = `${name}, its native stop reason ${JSON.stringify(stop)}`;
      const reply = { blocks, stop, output: fewTokens };
      yield checkReply(harness, at, reply, interrupted);
      yield* checkUnproven(harness, at, withoutUsage(harness.wire, reply));
    }
  }
  for (const { name, blocks } of [textOnly, ...basicCallShapes]) {
    const reply = { blocks, stop: "", output: fewTokens };
    const at = `${name}, without a native stop reason`;
    yield* checkUnproven(harness, at, withoutNativeStop(harness.wire, reply));
  }
}

const interrupted = "interrupted, runs nothing";

/**
 * In one piece, without a usage. With a usage below the cap a reply in one piece may be finished: it
 * was put together when the model had ended.
 */
const checkUnproven = (
  harness: Harness,
  at: string,
  { body }: WrittenReply,
): AsyncGenerator<Check> =>
  checkReplies(
    harness,
    `${at}, without a usage`,
    { frames: undefined, body },
    { expected: (turn) => (isFinished(turn) ? interrupted : outline(turn)) },
  );

async function* checkStopForCallsWithoutCall(harness: Harness): AsyncGenerator<Check> {
  const stop = harness.wire.nativeStops["tool-use"] ?? "";
  for (const [name, blocks] of [
    ["no block at all", []],
    ["text only", [{ text: "I will call a tool." }]],
  ] as const) {
    const reply = { blocks, stop, output: fewTokens };
    yield* checkReplies(
      harness,
      `${name}, under "${stop}"`,
      reply,
      "malformed-tool-call, runs nothing",
    );
  }
}

export const isBlank = (native: string): boolean => native.trim() === "" || native === "null";

/** Clauses about native stop reasons that are blank, or that the rest of the reply contradicts. */
export const stopContradictionClauses: ClauseTable = {
  "stop.text-word": {
    rule: "A call of a complete reply also runs under the native stop reason of a finished text.",
    // The vendor sends it only if the request forces a call, and then `stop.whole` asks it.
    level: "should",
    references: {
      "vercel/workflow#1387":
        "three parallel calls under `stop` were discarded, and the run was called complete",
    },
    loop: expectOnlyRuns(unforcedTextStops),
    loopMutants: {
      "drops calls under the stop reason of a finished text": loopAround(
        changeTurns((turn, { wire }) =>
          turn.native?.stop === wire.nativeStops.stop
            ? alterTurn(turn, { stopReason: "stop", calls: [] })
            : turn,
        ),
      ),
    },
  },
  "stop.without-calls": {
    rule: "Under a native stop reason beside which no public recording of the vendor has a call, a call that comes all the same does not run.",
    level: "should",
    references: {
      "epam/ai-dial-adapter-vertexai#149": "under Gemini's SAFETY the content is usually missing",
      "NousResearch/hermes-agent#83886":
        "a report, without a recording, of a parsed call beside MALFORMED_FUNCTION_CALL",
      "BerriAI/litellm#28843":
        "says the opposite, without a recording: a call under SAFETY is valid, and runs",
    },
    loop: expectOnlyRuns(onlyForCalls(stopsWithoutCalls)),
    loopMutants: {
      "runs calls under a stop reason that comes without calls": ({ wire, ...sound }) => {
        const { "content-filter": blocked = "" } = wire.nativeStops;
        const other = { ...wire, stopsWithoutCalls: [blocked] };
        return smallLoop(ignoreReasons("stop-reason")({ ...sound, wire: other }));
      },
    },
  },
  "stop.no-word": {
    rule: "A reply that ends with a blank native stop reason is interrupted, and nothing of it runs. A reply in one piece that has none, and no usage, is not finished.",
    references: {
      "CangShui/workbuddy-gateway#3, farion1231/cc-switch#5093": "hosts send an empty stop reason",
      "earendil-works/pi#6225": "NVIDIA NIM sends none at all",
    },
    forLoops: {
      rule: "Under a blank native stop reason, and without one, nothing runs.",
      level: "should",
    },
    adapter: { check: checkBlankStops },
    loop: expectOnlyRuns(blankStops),
    loopMutants: {
      "runs calls without a stop reason": loopAround(ignoreReasons("no-terminal")),
    },
    mutants: {
      "takes a blank stop reason for a finished answer": changeEvents(
        ({ wire }) =>
          () =>
          (event) => [
            event.type === "stop" && isBlank(event.native)
              ? { ...event, native: wire.nativeStops.stop ?? "" }
              : event,
          ],
      ),
      "takes a missing stop reason of a reply in one piece for that of calls": wholeOnly(
        assumeCalls(isBlank),
      ),
    },
  },
  "stop.no-call": {
    rule: "A reply with the native stop reason for calls but without any call is not a finished answer: the model tried to call a tool and failed.",
    references: { "mastra-ai/mastra#14187, earendil-works/pi#9681": "such a reply loops or hangs" },
    adapter: {
      whyNotAsked: ({ wire }) =>
        wire.nativeStops["tool-use"] === undefined
          ? "the wire has no native stop reason for calls"
          : undefined,
      check: checkStopForCallsWithoutCall,
    },
    mutants: {
      "takes the stop reason for calls as an answer, although the reply has no call": changeTurns(
        (turn) =>
          turn.stopReason === "malformed-tool-call" && turn.withheld.length === 0
            ? alterTurn(turn, { stopReason: "stop" })
            : turn,
      ),
    },
  },
};
