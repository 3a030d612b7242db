import { parseJson, render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { nextMessages, parts, sameJson, sentBody } from "../../harness/history.ts";
import { withBytes, defaultRequest } from "../../harness/harness.ts";

export const replay: Clause = {
  id: "request.replay",
  rule: "What a provider wants back (signatures, server calls and their results, containers) comes back as it was, and orphans of it do not.",
  level: "must",
  because:
    "claude-code#63284, openai-agents-js#1280, big-AGI#1010: changed or lost blocks are a 400, or lost work",
  whyNotAsked: ({ wire }) =>
    wire.samples?.some(({ replays, omits }) => replays ?? omits)
      ? undefined
      : "the wire has no sample that wants anything back",
  async *check(harness) {
    for (const { name, frames, replays = [], omits = [] } of harness.wire.samples ?? []) {
      const { bytes } = render(frames);
      const turn = await harness.ask(bytes);
      const body = [
        ...parts(
          parseJson(
            await sentBody(harness, { messages: nextMessages(defaultRequest.messages, turn) }),
          ),
        ),
      ];
      const holds = (wanted: unknown): string =>
        body.some((part) => sameJson(part, wanted)) ? "there" : "not there";
      for (const wanted of replays)
        yield withBytes(
          { at: `${name}: ${JSON.stringify(wanted)}`, expected: "there", actual: holds(wanted) },
          bytes,
        );
      for (const orphan of omits)
        yield withBytes(
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
