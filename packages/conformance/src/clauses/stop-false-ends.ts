import type { ClaimedStop } from "@fullstop/core/adapter";
import type { ClauseTable } from "../clause.ts";
import { render, smallSample, waysFor } from "../harness/bytes.ts";
import {
  type Check,
  expectedOutline,
  expectedTurnOf,
  isFinished,
  outline,
} from "../harness/check.ts";
import { checkReply, type Harness } from "../harness/harness.ts";
import { basicCallShapes, callShapes, cap, repliesFor, textOnly } from "../harness/scenarios.ts";
import { checkReplies } from "../harness/ways.ts";
import { expectOnlyRuns } from "../loop/checks.ts";
import { loopAround } from "../loop/small-loop.ts";
import { reachedCap } from "../loop/stop-scripts.ts";
import {
  alterTurn,
  changeEvents,
  changeFrames,
  changeTurns,
  ignoreReasons,
  loseUsage,
  wholeOnly,
} from "./mutants.ts";

async function* checkSecondReplies(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  const expected = "interrupted, runs nothing";
  for (const { name, reply } of repliesFor(wire, callShapes.slice(0, 4))) {
    const { upToTerminal, after } = wire.frames(reply);
    const withoutTerminal = { upToTerminal: [...upToTerminal, ...upToTerminal.slice(0, -1)] };
    const twice = { upToTerminal: [...upToTerminal, ...upToTerminal] };
    yield checkReply(harness, `${name}, and again without its terminal`, withoutTerminal, expected);
    if (wire.ends || after === undefined) continue;
    yield checkReply(harness, `${name}, and again, without what ends the stream`, twice, expected);
    const [streamEnd = ""] = after.slice(-1);
    const foreignEnd = [...upToTerminal.slice(0, -1), streamEnd, ...upToTerminal.slice(-1)];
    yield checkReply(
      harness,
      `${name}, cut, and the terminal of another reply behind what ends the stream`,
      { upToTerminal: foreignEnd, after: [streamEnd] },
      expected,
    );
  }
}

const joinStreams = changeFrames((payloads) =>
  payloads.filter((payload, at) => !payloads.slice(at + 1).includes(payload)),
);

/** How long the reader waits, which must not matter. If `exhaustive`, longer than readers do. */
const openStreamIdleMs = ({ exhaustive }: Harness): number => (exhaustive ? 3000 : 25);

const allOrNothing = "all of it, or nothing";

async function* checkOpenStreams(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  const [second] = repliesFor(wire, callShapes.slice(3, 4));
  for (const { name, reply } of repliesFor(wire, [textOnly, ...basicCallShapes])) {
    const first = render(wire, { upToTerminal: wire.frames(reply).upToTerminal }).bytes;
    yield checkReply(
      harness,
      `${name}, and nothing more`,
      { chunks: [first], fault: "stall" },
      { expected: "interrupted, runs nothing", options: { idleMs: openStreamIdleMs(harness) } },
    );
    if (second === undefined) continue;
    const rest = render(wire, wire.frames(second.reply)).bytes;
    const sentCalls = [reply, second.reply].flatMap((sent) => expectedTurnOf(wire, sent).calls);
    // The rest is sent when the reader asks for more, so the result does not depend on a clock.
    yield checkReply(
      harness,
      `${name}, and more after it`,
      { chunks: [first, rest] },
      {
        expected: allOrNothing,
        describe: (turn) =>
          turn.calls.length === sentCalls.length || !isFinished(turn)
            ? allOrNothing
            : outline(turn),
        shown: rest,
      },
    );
  }
}

const finishedStops: readonly ClaimedStop[] = ["tool-use", "stop"];

async function* checkTokensAroundCap(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  for (const stop of finishedStops.flatMap((reason) => wire.nativeStops[reason] ?? [])) {
    for (const [number, { name, blocks }] of [...callShapes, textOnly].entries()) {
      for (const output of waysFor([cap - 1, cap, cap + 1], number, harness)) {
        const reply = { blocks, stop, output };
        const expected = output < cap ? expectedOutline(wire, reply) : "length, runs nothing";
        const at = `${name}, "${stop}" after ${output} of ${cap} tokens`;
        yield* checkReplies(harness, at, reply, expected);
      }
    }
  }
}

async function* checkMislabelingHost(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  const expected = "length, runs nothing";
  const adapter = { mislabelsTruncation: true } as const;
  const shapes = smallSample(harness) === undefined ? callShapes : basicCallShapes;
  for (const { name, reply } of repliesFor(wire, shapes)) {
    if (!harness.adapter.capRequired)
      yield* checkReplies(harness, `${name}, no cap known`, reply, {
        expected,
        options: { request: { maxTokens: undefined }, adapter: { ...adapter, maxTokens: {} } },
      });
    const withoutUsage = { ...reply, output: 0 };
    const options = { adapter };
    yield* checkReplies(harness, `${name}, a usage of 0`, withoutUsage, { expected, options });
    const whole = { expected: expectedOutline(wire, reply), options };
    yield* checkReplies(harness, `${name}, a cap of ${cap}`, reply, whole);
  }
}

/** Clauses about ends that do not count: more content follows, or the output cap was reached. */
export const stopFalseEndClauses: ClauseTable = {
  // A guard lets a reply go at the protocol's own end, so it cannot revoke it: its README says so.
  "stop.content-after": {
    rule: "Content after an end revokes it, also after the protocol's own end: if a second reply begins there, nothing of the first runs.",
    references: {
      "BerriAI/litellm#2195, 1jehuang/jcode#1326":
        "hosts put `stop` on every chunk, and were cut between two parallel calls",
    },
    adapter: { check: checkSecondReplies },
    mutants: {
      "reads nothing after the first stop reason": changeEvents(() => () => {
        let ended = false;
        return (event) => {
          if (ended) return [];
          ended = event.type === "stop" && !event.provisional;
          return [event];
        };
      }),
      "overlooks what ends the stream between two replies": joinStreams,
    },
  },
  "stop.open-stream": {
    rule: "If a protocol ends only with its stream, silence after a native stop reason proves nothing: a stream that stays open is not a finished reply, and a stream that goes on is read on.",
    references: {
      "0xPlaygrounds/rig#2328":
        "Gemini sends a `STOP` in the middle of a reply, and goes on after its own tool has run",
    },
    adapter: {
      whyNotAsked: ({ wire }) => (wire.ends ? "the terminal is the protocol's own end" : undefined),
      check: checkOpenStreams,
    },
    mutants: {
      // The decoder still reports the terminal as an end, and the wire does not know it as one.
      "takes a short silence after a stop reason for the end of the stream": ({
        wire: { ends: _, ...wire },
        ...sound
      }) => ({ ...sound, wire }),
    },
  },
  "stop.cap": {
    rule: "A reply that used up the output cap was cut, with calls or without, under any native stop reason: it runs nothing and is not a complete answer. One token below the cap the native stop reason holds.",
    references: {
      "vllm-project/vllm#53269, NousResearch/hermes-agent#108558":
        "a cut at the cap is relabelled as finished; llama.cpp's Responses report `completed` for a text that was cut in the middle of a sentence, too",
    },
    adapter: { check: checkTokensAroundCap },
    mutants: {
      "runs calls at the cap": ignoreReasons("cap-reached"),
      "runs calls at the cap in one piece": wholeOnly(ignoreReasons("cap-reached")),
      "loses the usage of a reply in one piece": wholeOnly(loseUsage),
      "takes a text that was cut at the cap for the complete answer": changeTurns(
        (turn, { wire }) =>
          turn.stopReason === "length" &&
          turn.withheld.length === 0 &&
          turn.native?.stop === wire.nativeStops.stop
            ? alterTurn(turn, { stopReason: "stop" })
            : turn,
      ),
    },
  },
  "stop.cap-unproven": {
    rule: "On a host that is known to report cut replies as finished, calls run only if a usage below a known cap proves that the reply was not cut.",
    references: {
      "vllm-project/vllm#53269":
        "cut calls come closed, under the stop reason for calls; without a cap to compare with this cannot be seen",
      "mudler/LocalAI#9927": "a usage of 0 counts nothing",
    },
    adapter: { check: checkMislabelingHost },
    mutants: { "believes a host that relabels cut replies": ignoreReasons("cap-unproven") },
  },
  "stop.used-up": {
    rule: "A run does not believe the stop reason of a finished reply whose usage reached the cap that the run itself sent.",
    level: "should",
    references: {
      "vllm-project/vllm#58228":
        "25 of 3,600 generations hit the cap exactly, and each reported the stop reason for calls",
      "vllm-project/vllm#47963": "3 of 998 requests ended so, with arguments that were cut",
      "NousResearch/hermes-agent#108558": "a cut at the cap is relabelled as finished",
    },
    loop: expectOnlyRuns(reachedCap),
    loopMutants: {
      "believes the stop reason of a finished reply at the cap": loopAround(
        ignoreReasons("cap-reached"),
      ),
    },
  },
};
