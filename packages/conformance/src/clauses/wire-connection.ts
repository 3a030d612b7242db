import type { ClauseTable } from "../clause.ts";
import { evenlySpread, prefixLengths, render, smallSample } from "../harness/bytes.ts";
import { type Check, exchangeOf, expectedWhenCut, outline } from "../harness/check.ts";
import type { Harness } from "../harness/harness.ts";
import { checkReply } from "../harness/harness.ts";
import { callShapes, repliesFor, textOnly } from "../harness/scenarios.ts";
import { expectOnlyRuns } from "../loop/checks.ts";
import { resets } from "../loop/cut-scripts.ts";
import type { AdapterSubject } from "../subject.ts";
import type { Fixture } from "../wire.ts";
import { alterTurn, changeAdapter, changeTurns, ignoreErrors } from "./mutants.ts";

async function* checkResetsOfReplies(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  for (const reply of repliesFor(wire, [textOnly, ...callShapes.slice(0, 4)]))
    yield* checkResets(harness, exchangeOf(wire, reply));
  for (const { name, frames, turn } of wire.fixtures ?? []) {
    const sent = { chunks: [render(wire, frames).bytes], fault: "reset" } as const;
    yield checkReply(harness, `${name}, reset after all bytes`, sent, {
      expected: (actual) =>
        !wire.ends && actual.stopReason === "interrupted"
          ? expectedWhenCut(turn, actual)
          : outline(turn),
    });
  }
}

/** The reply, with a connection that breaks at each place in turn. */
export async function* checkResets(
  harness: Harness,
  { name, frames, turn }: Fixture,
): AsyncGenerator<Check> {
  const rendered = render(harness.wire, frames);
  const { completeLength } = rendered;
  const ownEnd = harness.wire.ends ? rendered.edges[frames.upToTerminal.length] : undefined;
  // Without an own end the events after the terminal must arrive, too.
  const requiredLength =
    ownEnd === undefined && frames.after
      ? rendered.bytes.length - rendered.tailLength
      : completeLength;
  for (const length of prefixLengths(rendered, { ...harness, exhaustive: false })) {
    const sent = { chunks: [rendered.bytes.subarray(0, length)], fault: "reset" } as const;
    const mayDoubt = length < (ownEnd ?? Number.POSITIVE_INFINITY);
    yield checkReply(harness, `${name}, reset after ${length} of ${completeLength} bytes`, sent, {
      expected: (actual) =>
        length < requiredLength || (mayDoubt && actual.stopReason === "interrupted")
          ? expectedWhenCut(turn, actual)
          : outline(turn),
    });
  }
}

/**
 * Long enough for the bytes that are sent before the silence. Over a network it may be too short,
 * so no complete reply is tried there.
 */
const stallIdleMs = 25;

async function* checkStalls(harness: Harness): AsyncGenerator<Check> {
  const { wire, host } = harness;
  for (const one of repliesFor(wire, [textOnly, ...callShapes.slice(0, 2)])) {
    const { name, frames, turn } = exchangeOf(wire, one);
    const { bytes, edges } = render(wire, frames);
    const unfinished = edges.slice(0, wire.ends ? frames.upToTerminal.length : -1);
    const lengths = wire.ends && !host.usesNetwork ? edges : unfinished;
    for (const length of evenlySpread(lengths, smallSample(harness))) {
      const sent = { chunks: [bytes.subarray(0, length)], fault: "stall" } as const;
      yield checkReply(harness, `${name}, silent after ${length} bytes`, sent, {
        expected: (actual) =>
          unfinished.includes(length) ? expectedWhenCut(turn, actual) : outline(turn),
        options: { idleMs: stallIdleMs },
      });
    }
  }
}

/** Reports every reply as interrupted whose body did not end by itself. */
function loseUnendedReplies(sound: AdapterSubject): AdapterSubject {
  let isLost = false;
  const watchBody = changeAdapter(({ open }) => ({
    open: async (request, signal) => {
      const batches = await open(request, signal);
      return {
        async *[Symbol.asyncIterator]() {
          isLost = true;
          yield* batches;
          isLost = false;
        },
      };
    },
  }));
  const interruptLost = changeTurns((turn) =>
    isLost ? alterTurn(turn, { stopReason: "interrupted", calls: [] }) : turn,
  );
  return interruptLost(watchBody(sound));
}

/** Clauses about connections that break or fall silent. */
export const connectionClauses: ClauseTable = {
  "wire.reset": {
    rule: "A connection that breaks before the protocol's own end interrupts the reply, even if a native stop reason of a finished reply came. After that end it changes nothing.",
    references: {
      "BerriAI/litellm#32159":
        "a connection that was cut behind a load balancer was passed on as a clean end",
    },
    forLoops: {
      rule: "If the connection breaks before the native stop reason, nothing of the reply runs.",
      pages: "stream",
    },
    adapter: { check: checkResetsOfReplies },
    loop: expectOnlyRuns(resets),
    mutants: {
      "takes a broken connection for the end of the reply": ignoreErrors("network"),
      "discards a complete reply because its connection broke": loseUnendedReplies,
    },
  },
  "wire.stall": {
    rule: "A connection that falls silent before the terminal is given up after the idle time, and nothing of the reply runs. After the protocol's own end silence changes nothing.",
    references: {
      "https://github.com/anthropics/anthropic-sdk-typescript#timeouts":
        "the time-out ends with the headers, so a silent body hangs without end",
    },
    adapter: { check: checkStalls },
    mutants: {
      "takes silence for the end of the reply": ignoreErrors("timeout"),
      "discards a complete reply because of the silence after it": loseUnendedReplies,
    },
  },
};
