import { render } from "../../bytes.ts";
import type { Check, Clause } from "../../clause.ts";
import { outline, wholeTurn } from "../../expect.ts";
import { places } from "../../places.ts";
import { inserted, withUnknownFields } from "../../rewrite.ts";
import { type Exchange, type Harness, readsFrames } from "../../rig.ts";
import { callShapes, said } from "../../scenarios.ts";

const strangers = ['{"type":"x_new_event","x_field":{"a":[1,2]}}', '{"x_new":true}', "{}"];

export const strange: Clause = {
  id: "wire.strangers",
  rule: "Events and fields that nobody knows yet change nothing, wherever they come.",
  level: "must",
  because:
    "https://platform.claude.com/docs/en/build-with-claude/streaming: new event types may be added, handle unknown ones gracefully",
  async *prove(rig) {
    for (const { name, frames, turn } of rig.exchanges) {
      yield readsFrames(rig, `${name}, an unknown field in every event`, {
        frames: withUnknownFields(frames),
        expected: outline(turn),
      });
    }
    for (const { name, reply } of said(rig.wire, callShapes))
      yield* amongStrangers(rig, {
        name,
        frames: rig.wire.frames(reply),
        turn: wholeTurn(rig.wire, reply),
      });
  },
};

/** The reply, with an event that nobody knows in each place in turn. */
export async function* amongStrangers(
  rig: Harness,
  { name, frames, turn }: Exchange,
): AsyncGenerator<Check> {
  const between = places(render({ upToTerminal: frames.upToTerminal }), rig).filter((at) => at > 0);
  for (const stranger of strangers)
    for (const at of between)
      yield readsFrames(rig, `${name}, ${stranger} as event ${at}`, {
        frames: inserted(frames, at, stranger),
        expected: outline(turn),
      });
}
