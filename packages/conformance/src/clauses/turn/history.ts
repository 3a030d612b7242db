import { validateHistory } from "@fullstop/core";
import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { nextMessages } from "../../harness/history.ts";
import { eventBoundaries } from "../../harness/places.ts";
import { withBytes, defaultRequest } from "../../harness/harness.ts";

export const history: Clause = {
  id: "turn.history",
  rule: "A history with the turn in it is whole: each of its calls has one result, next to it, and its ids are its own.",
  level: "must",
  because:
    "letta#3273, adk-python#3970: a conversation that holds a call without its result is lost",
  async *check(harness) {
    for (const { name, frames } of harness.exchanges) {
      const rendered = render(frames);
      for (const length of eventBoundaries(rendered, harness)) {
        const bytes = rendered.bytes.subarray(0, length);
        const flaws = validateHistory(
          nextMessages(defaultRequest.messages, await harness.ask(bytes)),
        );
        const actual =
          flaws.length === 0
            ? "no flaw"
            : flaws.map(({ at, rule, id }) => `message ${at}: ${rule} ${id ?? ""}`).join(", ");
        yield withBytes(
          { at: `${name}, ${length} bytes of it`, expected: "no flaw", actual },
          bytes,
        );
      }
    }
  },
};
