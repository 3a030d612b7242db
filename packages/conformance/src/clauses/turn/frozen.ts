import type { Turn } from "@fullstop/core";
import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { withBytes } from "../../harness/harness.ts";

/** Where a value can still be written to. An error is an object of its own. */
function* writable(value: unknown, at: string): Generator<string> {
  if (typeof value !== "object" || value === null || value instanceof Error) return;
  if (!Object.isFrozen(value)) yield at;
  for (const [key, inner] of Object.entries(value)) yield* writable(inner, `${at}.${key}`);
}
const found = (turn: Turn): string => [...writable(turn, "turn")].join(", ") || "nothing";

export const frozen: Clause = {
  id: "turn.frozen",
  rule: "A turn that was read cannot be changed by those who are shown it: its calls, their inputs and what joins history are frozen.",
  level: "must",
  because: "pydantic-ai#6968: what ran was not what was approved",
  async *check(harness) {
    for (const { name, frames } of harness.exchanges) {
      const { bytes } = render(frames);
      yield withBytes(
        { at: name, expected: "nothing", actual: found(await harness.ask(bytes)) },
        bytes,
      );
    }
  },
};
