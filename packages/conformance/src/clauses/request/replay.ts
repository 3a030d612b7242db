import { json, render } from "../../bytes.ts";
import type { Clause } from "../../clause.ts";
import { nextMessages, parts, sameJson, sent } from "../../history.ts";
import { compared, question } from "../../rig.ts";

export const replay: Clause = {
  id: "request.replay",
  rule: "What a provider wants back (signatures, server calls and their results, containers) comes back as it was, and orphans of it do not.",
  level: "must",
  because:
    "claude-code#63284, openai-agents-js#1280, big-AGI#1010: changed or lost blocks are a 400, or lost work",
  unless: ({ wire }) =>
    wire.fixtures?.some(({ replays, omits }) => replays ?? omits)
      ? undefined
      : "the wire has no fixture with `replays` or `omits`",
  async *prove(rig) {
    for (const { name, frames, replays = [], omits = [] } of rig.wire.fixtures ?? []) {
      const { bytes } = render(frames);
      const turn = await rig.ask(bytes);
      const body = [
        ...parts(json(await sent(rig, { messages: nextMessages(question.messages, turn) }))),
      ];
      const holds = (wanted: unknown): string =>
        body.some((part) => sameJson(part, wanted)) ? "there" : "not there";
      for (const wanted of replays)
        yield compared(
          { at: `${name}: ${JSON.stringify(wanted)}`, expected: "there", actual: holds(wanted) },
          bytes,
        );
      for (const orphan of omits)
        yield compared(
          {
            at: `${name}: ${JSON.stringify(orphan)}`,
            expected: "not there",
            actual: holds(orphan),
          },
          bytes,
        );
    }
  },
};
