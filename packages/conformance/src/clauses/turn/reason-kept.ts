import type { NativeStop } from "@fullstop/core";
import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { withBytes } from "../../harness/harness.ts";
import { repliesFor } from "../../harness/scenarios.ts";

export const reasonKept: Clause = {
  id: "turn.reason-kept",
  rule: "The provider's own word stands beside the shared reason, on the turn and on the message that is stored.",
  level: "must",
  because:
    "hermes-agent#42314: a dropped connection was told as an output limit, and people turned the wrong knob",
  async *check(harness) {
    for (const { name, reply } of repliesFor(harness.wire)) {
      const { bytes } = render(harness.wire.frames(reply));
      const turn = await harness.ask(bytes);
      yield withBytes(
        { at: name, expected: reply.stop, actual: wordOf(turn.native, reply.stop) },
        bytes,
      );
      if (turn.message === undefined) continue;
      const actual = `${turn.message.stopReason}, ${wordOf(turn.message.native, reply.stop)}`;
      yield withBytes(
        { at: `${name}, its message`, expected: `${turn.stopReason}, ${reply.stop}`, actual },
        bytes,
      );
    }
  },
};

/** With its detail, where a wire's word has one: `incomplete:max_output_tokens`. */
function wordOf(native: NativeStop | undefined, word: string): string {
  const { stop = "none", detail } = native ?? {};
  return word === `${stop}:${detail}` ? word : stop;
}
