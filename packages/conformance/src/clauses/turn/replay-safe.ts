import type { Turn } from "@fullstop/core";
import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { eventBoundaries } from "../../harness/places.ts";
import { withBytes } from "../../harness/harness.ts";

/** The calls that history would keep. */
const stored = ({ message }: Turn): string =>
  JSON.stringify(
    message?.content.flatMap((block) => (block.type === "tool-call" ? [block.id] : [])) ?? [],
  );

export const replaySafe: Clause = {
  id: "turn.replay-safe",
  rule: "The message of a turn holds the calls that run and no other: a withheld call never enters history.",
  level: "must",
  because: "claude-code#8210, letta#3273: a call that nobody answered bricks the conversation",
  async *check(harness) {
    for (const { name, frames } of harness.exchanges) {
      const rendered = render(frames);
      for (const length of eventBoundaries(rendered, harness)) {
        const bytes = rendered.bytes.subarray(0, length);
        const turn = await harness.ask(bytes);
        const expected = JSON.stringify(turn.calls.map(({ id }) => id));
        yield withBytes(
          { at: `${name}, ${length} bytes of it`, expected, actual: stored(turn) },
          bytes,
        );
      }
    }
  },
};
