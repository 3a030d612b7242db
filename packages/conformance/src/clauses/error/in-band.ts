import { errorRules } from "@fullstop/core";
import { render, utf8 } from "../../harness/bytes.ts";
import type { Clause, Check } from "../../clause.ts";
import { errorKindOf, outline } from "../../harness/expect.ts";
import { insertFrame } from "../../harness/mutate.ts";
import { withBytes, type Harness } from "../../harness/harness.ts";
import { expectOnlyRuns } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";
import { callShapes, textOnly, repliesFor } from "../../harness/scenarios.ts";
import type { Frames, InBandError } from "../../wire.ts";

/** The error in each place of a reply, as the last thing that came and with the rest behind it. */
const places = (
  frames: Frames,
  frame: string,
): readonly { readonly at: string; readonly frames: Frames }[] =>
  [...frames.upToTerminal.keys(), frames.upToTerminal.length].flatMap((n) => {
    const all = insertFrame(frames, n, frame);
    return [
      { at: `as event ${n}`, frames: all },
      { at: `as event ${n}, the last`, frames: { upToTerminal: all.upToTerminal.slice(0, n + 1) } },
    ];
  });

async function* told(harness: Harness, error: InBandError): AsyncGenerator<Check> {
  const expected = `${errorRules[error.kind].stop}, runs nothing, ${error.kind}`;
  for (const type of harness.wire.whole === undefined
    ? []
    : ["application/json", "text/plain", "text/event-stream"]) {
    const turn = await harness.ask({
      headers: { "content-type": type },
      chunks: [utf8(error.frame)],
    });
    const actual = `${outline(turn)}, ${errorKindOf(turn, error.kind)}`;
    yield withBytes(
      { at: `${error.frame} instead of a reply, called ${type}`, expected, actual },
      utf8(error.frame),
    );
  }
  for (const { name, reply } of repliesFor(harness.wire, [textOnly, ...callShapes.slice(0, 3)])) {
    for (const { at, frames } of places(harness.wire.frames(reply), error.frame)) {
      const { bytes } = render(frames);
      const turn = await harness.ask(bytes);
      yield withBytes(
        {
          at: `${name}, ${error.frame} ${at}`,
          expected,
          actual: `${outline(turn)}, ${errorKindOf(turn, error.kind)}`,
        },
        bytes,
      );
    }
  }
}

export const inBand: Clause = {
  id: "error.in-band",
  rule: "An error inside a reply counts wherever it comes: nothing runs, and its kind is told.",
  level: "must",
  because:
    "https://platform.claude.com/docs/en/build-with-claude/streaming#error-events: an overloaded_error comes inside a 200",
  run: expectOnlyRuns(scripts.inBand),
  whyNotAsked: ({ wire }) =>
    wire.errors === undefined ? "the wire has no error inside a reply" : undefined,
  async *check(harness) {
    for (const error of harness.wire.errors ?? []) yield* told(harness, error);
  },
};
