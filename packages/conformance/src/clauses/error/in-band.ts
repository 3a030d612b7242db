import { errorRules } from "@fullstop/core";
import { render } from "../../bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline } from "../../expect.ts";
import { inserted } from "../../rewrite.ts";
import { compared } from "../../rig.ts";
import { callShapes, justText, said } from "../../scenarios.ts";

export const inBand: Clause = {
  id: "error.in-band",
  rule: "An error inside a reply counts wherever it comes: nothing runs, and its kind is told.",
  level: "must",
  because: "vLLM and Ollama send an error behind complete calls in a 200; BotNexus kept the calls of such a reply in history",
  unless: ({ wire }) => (wire.errors === undefined ? "the wire has no error inside a reply" : undefined),
  async *prove(rig) {
    for (const { frame, kind } of rig.wire.errors ?? []) {
      for (const { name, reply } of said(rig.wire, [justText, ...callShapes.slice(0, 3)])) {
        const frames = rig.wire.frames(reply);
        for (let at = 0; at <= frames.upToTerminal.length; at++) {
          for (const cut of [true, false]) {
            const all = inserted(frames, at, frame);
            const { bytes } = render(cut ? { upToTerminal: all.upToTerminal.slice(0, at + 1) } : all);
            const turn = await rig.ask(bytes);
            const actual = `${outline(turn)}, ${"error" in turn ? turn.error.kind : errorRules[kind].stop === turn.stopReason ? kind : "no error"}`;
            yield compared({ at: `${name}, ${frame} as event ${at}${cut ? ", the last" : ""}`, expected: `${errorRules[kind].stop}, runs nothing, ${kind}`, actual }, bytes);
          }
        }
      }
    }
  },
};
