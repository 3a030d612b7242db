import type { Turn } from "@fullstop/core";
import type { ClauseTable } from "../clause.ts";
import { render } from "../harness/bytes.ts";
import { type Check, withBytes } from "../harness/check.ts";
import { expectedTurnOf, outline } from "../harness/expect.ts";
import { checkFrames, type Harness } from "../harness/harness.ts";
import { basicCallShapes, callShapes, repliesFor, textOnly } from "../harness/scenarios.ts";
import { changeEvents } from "./mutants.ts";

async function* checkSecondReplies(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  const expected = "interrupted, runs nothing";
  for (const { name, reply } of repliesFor(wire, callShapes.slice(0, 4))) {
    const { upToTerminal, after } = wire.frames(reply);
    const withoutTerminal = { upToTerminal: [...upToTerminal, ...upToTerminal.slice(0, -1)] };
    yield checkFrames(harness, `${name}, and again without its terminal`, {
      frames: withoutTerminal,
      expected,
    });
    if (wire.ends || after === undefined) continue;
    yield checkFrames(harness, `${name}, and again, without what ends the stream`, {
      frames: { upToTerminal: [...upToTerminal, ...upToTerminal] },
      expected,
    });
  }
}

/** How long the reader waits. The result must not depend on it. With `exhaustive` it is longer than readers wait after an end. */
const openStreamIdleMs = ({ exhaustive }: Harness): number => (exhaustive ? 3000 : 25);

const isFinished = ({ stopReason }: Turn): boolean =>
  stopReason === "stop" || stopReason === "tool-use";

const allOrNothing = "all of it, or nothing";

async function* checkOpenStreams(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  const [second] = repliesFor(wire, callShapes.slice(3, 4));
  for (const { name, reply } of repliesFor(wire, [textOnly, ...basicCallShapes])) {
    const first = render({ upToTerminal: wire.frames(reply).upToTerminal }).bytes;
    const silent = await harness.ask(
      { chunks: [first], fault: "stall" },
      { idleMs: openStreamIdleMs(harness) },
    );
    yield withBytes(
      {
        at: `${name}, and nothing more`,
        expected: "interrupted, runs nothing",
        actual: outline(silent),
      },
      first,
    );
    if (second === undefined) continue;
    const rest = render(wire.frames(second.reply)).bytes;
    const sentCalls = [reply, second.reply].flatMap((sent) => expectedTurnOf(wire, sent).calls);
    // The rest is sent when the reader asks for more, so the result does not depend on a clock.
    const turn = await harness.ask({ chunks: [first, rest] });
    const isRight = turn.calls.length === sentCalls.length || !isFinished(turn);
    yield withBytes(
      {
        at: `${name}, and more after it`,
        expected: allOrNothing,
        actual: isRight ? allOrNothing : outline(turn),
      },
      rest,
    );
  }
}

/** Clauses about ends that more content can revoke. */
export const stopRevokedClauses: ClauseTable = {
  "stop.content-after": {
    rule: "Content after an end revokes it: if a second reply begins there, nothing of the first runs, unless the protocol's own end came before.",
    level: "must",
    references: [
      { issue: "BerriAI/litellm#2195" },
      {
        issue: "jcode#1326",
        note: "hosts put `stop` on every chunk, and were cut between two parallel calls",
      },
    ],
    adapter: { check: checkSecondReplies },
    mutants: [
      {
        wrong: "reads nothing after the first stop reason",
        subject: changeEvents(() => () => {
          let ended = false;
          return (event) => {
            if (ended) return [];
            ended = event.type === "stop" && !event.provisional;
            return [event];
          };
        }),
      },
    ],
  },
  "stop.open-stream": {
    rule: "If a protocol ends only with its stream, silence after a native stop reason proves nothing: a stream that stays open is not a finished reply, and a stream that goes on is read on.",
    level: "must",
    references: [
      {
        issue: "0xPlaygrounds/rig#2328",
        note: "Gemini sends a `STOP` in the middle of a reply, and goes on after its own tool has run",
      },
    ],
    adapter: {
      whyNotAsked: ({ wire }) => (wire.ends ? "the terminal is the protocol's own end" : undefined),
      check: checkOpenStreams,
    },
    mutants: [
      {
        wrong: "takes a short silence after a stop reason for the end of the stream",
        // The decoder still reports the terminal as an end, and the wire does not know it as one.
        subject: ({ wire: { ends: _, ...wire }, ...sound }) => ({ ...sound, wire }),
      },
    ],
  },
};
