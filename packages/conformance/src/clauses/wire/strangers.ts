import { render } from "../../harness/bytes.ts";
import type { Clause, Check } from "../../clause.ts";
import { outline, expectedTurnOf } from "../../harness/expect.ts";
import { eventPositions } from "../../harness/places.ts";
import { insertFrame, addUnknownFields } from "../../harness/mutate.ts";
import { type Exchange, type Harness, checkFrames } from "../../harness/harness.ts";
import { callShapes, repliesFor } from "../../harness/scenarios.ts";

const strangers = ['{"type":"x_new_event","x_field":{"a":[1,2]}}', '{"x_new":true}', "{}"];

export const strange: Clause = {
  id: "wire.strangers",
  rule: "Events and fields that nobody knows yet change nothing, wherever they come.",
  level: "must",
  because:
    "https://platform.claude.com/docs/en/build-with-claude/streaming: new event types may be added, handle unknown ones gracefully",
  async *check(harness) {
    for (const { name, frames, turn } of harness.exchanges) {
      yield checkFrames(harness, `${name}, an unknown field in every event`, {
        frames: addUnknownFields(frames),
        expected: outline(turn),
      });
    }
    for (const { name, reply } of repliesFor(harness.wire, callShapes))
      yield* amongStrangers(harness, {
        name,
        frames: harness.wire.frames(reply),
        turn: expectedTurnOf(harness.wire, reply),
      });
  },
};

/** The reply, with an event that nobody knows in each place in turn. */
export async function* amongStrangers(
  harness: Harness,
  { name, frames, turn }: Exchange,
): AsyncGenerator<Check> {
  const between = eventPositions(render({ upToTerminal: frames.upToTerminal }), harness).filter(
    (at) => at > 0,
  );
  for (const stranger of strangers)
    for (const at of between)
      yield checkFrames(harness, `${name}, ${stranger} as event ${at}`, {
        frames: insertFrame(frames, at, stranger),
        expected: outline(turn),
      });
}
