import { render } from "../../bytes.ts";
import type { Clause } from "../../clause.ts";
import { compared } from "../../rig.ts";

export const preview: Clause = {
  id: "turn.preview",
  rule: "What people watch while a reply arrives is its text, piece by piece, no more and no less.",
  level: "should",
  because: "mastra#24211: previews that differ from the reply made tools start early",
  async *prove(rig) {
    for (const { name, frames } of rig.exchanges) {
      const { bytes } = render(frames);
      let text = "";
      const turn = await rig.ask(bytes, { onPreview: (event) => (event.type === "text" ? (text += event.text) : undefined) });
      yield compared({ at: name, expected: turn.text, actual: text }, bytes);
    }
  },
};
