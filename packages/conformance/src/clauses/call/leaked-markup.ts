import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline, expectedTurnOf } from "../../harness/expect.ts";
import { withBytes } from "../../harness/harness.ts";
import { tokensForStop } from "../../harness/scenarios.ts";

const written = [
  '<tool_call>{"name":"read","arguments":{"path":"/srv"}}</tool_call>',
  '<invoke name="read"><parameter name="path">/srv</parameter></invoke>',
  "<function=read><parameter=path>/srv</parameter></function>",
  '[TOOL_CALLS][{"name":"read","arguments":{"path":"/srv"}}]',
];

export const leakedMarkup: Clause = {
  id: "call.leaked-markup",
  rule: "A call that is written as text is text: it never runs, and is told as it came, under every word.",
  level: "must",
  because:
    "free-claude-code#979, MTPLX#249: markup of calls leaks into the text, out of cut replies too",
  async *check(harness) {
    for (const stop of new Set(Object.values(harness.wire.nativeStops))) {
      for (const text of written) {
        const reply = { blocks: [{ text }], stop, output: tokensForStop(harness.wire, stop) };
        const { bytes } = render(harness.wire.frames(reply));
        const turn = await harness.ask(bytes);
        const expected = `${outline(expectedTurnOf(harness.wire, reply))}: ${text}`;
        yield withBytes(
          { at: `${text}, under "${stop}"`, expected, actual: `${outline(turn)}: ${turn.text}` },
          bytes,
        );
      }
    }
  },
};
