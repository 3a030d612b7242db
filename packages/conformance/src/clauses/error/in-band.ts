import { errorRules } from "@fullstop/core";
import { render, utf8 } from "../../bytes.ts";
import type { Check, Clause } from "../../clause.ts";
import { errorKind, outline } from "../../expect.ts";
import { inserted } from "../../rewrite.ts";
import { compared, type Harness } from "../../rig.ts";
import { runs } from "../../run/proofs.ts";
import { scripts } from "../../run/scripts.ts";
import { callShapes, justText, said } from "../../scenarios.ts";
import type { Frames, InBandError } from "../../wire.ts";

/** The error in each place of a reply, as the last thing that came and with the rest behind it. */
const places = (
  frames: Frames,
  frame: string,
): readonly { readonly at: string; readonly frames: Frames }[] =>
  [...frames.upToTerminal.keys(), frames.upToTerminal.length].flatMap((n) => {
    const all = inserted(frames, n, frame);
    return [
      { at: `as event ${n}`, frames: all },
      { at: `as event ${n}, the last`, frames: { upToTerminal: all.upToTerminal.slice(0, n + 1) } },
    ];
  });

async function* told(rig: Harness, error: InBandError): AsyncGenerator<Check> {
  const expected = `${errorRules[error.kind].stop}, runs nothing, ${error.kind}`;
  for (const type of rig.wire.whole === undefined
    ? []
    : ["application/json", "text/plain", "text/event-stream"]) {
    const turn = await rig.ask({ headers: { "content-type": type }, chunks: [utf8(error.frame)] });
    const actual = `${outline(turn)}, ${errorKind(turn, error.kind)}`;
    yield compared(
      { at: `${error.frame} instead of a reply, called ${type}`, expected, actual },
      utf8(error.frame),
    );
  }
  for (const { name, reply } of said(rig.wire, [justText, ...callShapes.slice(0, 3)])) {
    for (const { at, frames } of places(rig.wire.frames(reply), error.frame)) {
      const { bytes } = render(frames);
      const turn = await rig.ask(bytes);
      yield compared(
        {
          at: `${name}, ${error.frame} ${at}`,
          expected,
          actual: `${outline(turn)}, ${errorKind(turn, error.kind)}`,
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
  run: runs(scripts.inBand),
  unless: ({ wire }) =>
    wire.errors === undefined ? "the wire has no error inside a reply" : undefined,
  async *prove(rig) {
    for (const error of rig.wire.errors ?? []) yield* told(rig, error);
  },
};
