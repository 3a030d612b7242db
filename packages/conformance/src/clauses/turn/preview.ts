import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { withBytes } from "../../harness/harness.ts";

export const preview: Clause = {
  id: "turn.preview",
  rule: "What people watch while a reply arrives is its text, piece by piece, no more and no less.",
  level: "should",
  because: "mastra#24211: tools started from what was streamed, and a retry ran them again",
  async *check(harness) {
    for (const { name, frames } of harness.exchanges) {
      const { bytes } = render(frames);
      const pieces: string[] = [];
      const turn = await harness.ask(bytes, {
        onPreview: (event) => event.type === "text" && pieces.push(event.text),
      });
      yield withBytes({ at: name, expected: turn.text, actual: pieces.join("") }, bytes);
    }
  },
};
