import { validateHistory } from "@fullstop/core";
import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { nextMessages } from "../../harness/history.ts";
import { edgesOf } from "../../harness/places.ts";
import { compared, question } from "../../harness/harness.ts";

export const history: Clause = {
  id: "turn.history",
  rule: "A history with the turn in it is whole: each of its calls has one result, next to it, and its ids are its own.",
  level: "must",
  because:
    "letta#3273, adk-python#3970: a conversation that holds a call without its result is lost",
  async *prove(rig) {
    for (const { name, frames } of rig.exchanges) {
      const rendered = render(frames);
      for (const length of edgesOf(rendered, rig)) {
        const bytes = rendered.bytes.subarray(0, length);
        const flaws = validateHistory(nextMessages(question.messages, await rig.ask(bytes)));
        const actual =
          flaws.length === 0
            ? "no flaw"
            : flaws.map(({ at, rule, id }) => `message ${at}: ${rule} ${id ?? ""}`).join(", ");
        yield compared(
          { at: `${name}, ${length} bytes of it`, expected: "no flaw", actual },
          bytes,
        );
      }
    }
  },
};
