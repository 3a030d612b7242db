import type { ClaimedStop } from "@fullstop/core/adapter";
import type { ClauseTable } from "../clause.ts";
import { render } from "../harness/bytes.ts";
import { type Check, withBytes } from "../harness/check.ts";
import { expectedTurnOf, outline } from "../harness/expect.ts";
import { checkFrames, type Harness } from "../harness/harness.ts";
import { callShapes, cap, repliesFor, textOnly } from "../harness/scenarios.ts";
import { expectOnlyRuns } from "../loop/checks.ts";
import { scripts } from "../loop/scripts.ts";
import { smallLoop } from "../loop/small-loop.ts";
import { alterTurn, changeTurns, ignoreReasons } from "./mutants.ts";

const finishedStops: readonly ClaimedStop[] = ["tool-use", "stop"];

async function* checkTokensAroundCap(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  for (const stop of finishedStops.flatMap((reason) => wire.nativeStops[reason] ?? [])) {
    for (const { name, blocks } of [...callShapes, textOnly]) {
      for (const output of [cap - 1, cap, cap + 1]) {
        const reply = { blocks, stop, output };
        yield checkFrames(harness, `${name}, "${stop}" after ${output} of ${cap} tokens`, {
          frames: wire.frames(reply),
          expected: output < cap ? outline(expectedTurnOf(wire, reply)) : "length, runs nothing",
        });
      }
    }
  }
}

async function* checkMislabelingHost(harness: Harness): AsyncGenerator<Check> {
  const { wire, adapter } = harness;
  const withheld = "length, runs nothing";
  const mislabelsTruncation = { mislabelsTruncation: true } as const;
  for (const { name, reply } of repliesFor(wire, callShapes)) {
    const { bytes } = render(wire.frames(reply));
    if (!adapter.capRequired) {
      const turn = await harness.ask(bytes, {
        request: { maxTokens: undefined },
        adapter: { ...mislabelsTruncation, maxTokens: {} },
      });
      const at = `${name}, no cap known`;
      yield withBytes({ at, expected: withheld, actual: outline(turn) }, bytes);
    }
    const withoutUsage = render(wire.frames({ ...reply, output: 0 })).bytes;
    const uncounted = await harness.ask(withoutUsage, { adapter: mislabelsTruncation });
    yield withBytes(
      { at: `${name}, a usage of 0`, expected: withheld, actual: outline(uncounted) },
      withoutUsage,
    );
    const belowCap = await harness.ask(bytes, { adapter: mislabelsTruncation });
    const expected = outline(expectedTurnOf(wire, reply));
    const at = `${name}, a cap of ${cap}`;
    yield withBytes({ at, expected, actual: outline(belowCap) }, bytes);
  }
}

/** Clauses about replies that reached the output cap. */
export const stopCapClauses: ClauseTable = {
  "stop.cap": {
    rule: "A reply that used up the output cap was cut, with calls or without, under any native stop reason: it runs nothing and is not a complete answer. One token below the cap the native stop reason holds.",
    level: "must",
    references: [
      { issue: "vllm-project/vllm#53269" },
      {
        issue: "NousResearch/hermes-agent#108558",
        note: "a cut at the cap is relabelled as finished; llama.cpp's Responses report `completed` for a text that was cut in the middle of a sentence, too",
      },
    ],
    adapter: { check: checkTokensAroundCap },
    mutants: [
      { wrong: "runs calls at the cap", subject: ignoreReasons("cap-reached") },
      {
        wrong: "takes a text that was cut at the cap for the complete answer",
        subject: changeTurns((turn, { wire }) =>
          turn.stopReason === "length" &&
          turn.withheld.length === 0 &&
          turn.native?.stop === wire.nativeStops.stop
            ? alterTurn(turn, { stopReason: "stop" })
            : turn,
        ),
      },
    ],
  },
  "stop.cap-unproven": {
    rule: "On a host that is known to report cut replies as finished, calls run only if a usage below a known cap proves that the reply was not cut.",
    level: "must",
    references: [
      {
        issue: "vllm-project/vllm#53269",
        note: "cut calls come closed, under the stop reason for calls; without a cap to compare with this cannot be seen",
      },
      { issue: "LocalAI#9927", note: "a usage of 0 counts nothing" },
    ],
    adapter: { check: checkMislabelingHost },
    mutants: [
      {
        wrong: "believes a host that relabels cut replies",
        subject: ignoreReasons("cap-unproven"),
      },
    ],
  },
  "stop.used-up": {
    rule: "A run does not believe the stop reason of a finished reply whose usage reached the cap that the run itself sent.",
    level: "should",
    references: [
      { issue: "vllm-project/vllm#53269" },
      {
        issue: "NousResearch/hermes-agent#108558",
        note: "a cut at the cap is relabelled as finished",
      },
    ],
    loop: expectOnlyRuns(scripts.reachedCap),
    loopMutants: [
      {
        wrong: "believes the stop reason of a finished reply at the cap",
        subject: (sound) => smallLoop(ignoreReasons("cap-reached")(sound)),
      },
    ],
  },
};
