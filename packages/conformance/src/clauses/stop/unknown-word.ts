import { render } from "../../bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline } from "../../expect.ts";
import { compared } from "../../rig.ts";
import { runs } from "../../run/proofs.ts";
import { scripts } from "../../run/scripts.ts";
import { callShapes, justText } from "../../scenarios.ts";
import { fewTokens } from "../../tokens.ts";

const invented = ["x_never_heard_of", "STOP", "tool-calls", "constructor", "__proto__", "toString"];

export const unknownWord: Clause = {
  id: "stop.unknown-word",
  rule: "A word that the adapter does not list runs nothing, is called unknown, and is told to the caller.",
  level: "must",
  because:
    "https://platform.claude.com/docs/en/api/versioning: new values may be added to enum-like outputs",
  run: runs(scripts.unknownWord),
  async *prove(rig) {
    for (const stop of invented.filter((word) => !Object.hasOwn(rig.adapter.stops, word))) {
      for (const { name, blocks } of [justText, ...callShapes.slice(0, 3)]) {
        const { bytes } = render(rig.wire.frames({ blocks, stop, output: fewTokens }));
        const turn = await rig.ask(bytes);
        const actual = `${outline(turn)}, the word ${turn.native?.stop}`;
        yield compared(
          {
            at: `${name}, under "${stop}"`,
            expected: `unknown, runs nothing, the word ${stop}`,
            actual,
          },
          bytes,
        );
      }
    }
  },
};
