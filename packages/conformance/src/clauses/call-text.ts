import type { ClauseTable } from "../clause.ts";
import { render } from "../harness/bytes.ts";
import { type Check, expectedTurnOf, outline, withBytes } from "../harness/check.ts";
import type { Harness } from "../harness/harness.ts";
import { tokensForStop } from "../harness/scenarios.ts";
import { changeTurns, runWithheld } from "./mutants.ts";

const callsAsText = [
  '<tool_call>{"name":"read","arguments":{"path":"/srv"}}</tool_call>',
  '<invoke name="read"><parameter name="path">/srv</parameter></invoke>',
  "<function=read><parameter=path>/srv</parameter></function>",
  '[TOOL_CALLS][{"name":"read","arguments":{"path":"/srv"}}]',
];

async function* checkCallsAsText(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  for (const stop of new Set(Object.values(wire.nativeStops))) {
    for (const text of callsAsText) {
      const reply = { blocks: [{ text }], stop, output: tokensForStop(wire, stop) };
      const { bytes } = render(wire, wire.frames(reply));
      const turn = await harness.ask(bytes);
      const expected = `${outline(expectedTurnOf(wire, reply))}: ${text}`;
      const actual = `${outline(turn)}: ${turn.text}`;
      yield withBytes({ at: `${text}, under "${stop}"`, expected, actual }, bytes);
    }
  }
}

/** Clauses about text that looks like a call. */
export const callTextClauses: ClauseTable = {
  "call.leaked-markup": {
    rule: "A call that is written as text is text: it never runs, and it is reported as it came, under every native stop reason.",
    level: "must",
    references: {
      "anthropics/claude-code#71508, Avarok-Cybersecurity/atlas#205":
        "markup of calls leaks into the text, of cut replies too",
    },
    adapter: { check: checkCallsAsText },
    mutants: {
      "makes calls of text that looks like one": changeTurns((turn) => {
        const [, inputText] = /"arguments":(\{.*?\})/.exec(turn.text) ?? [];
        return inputText === undefined
          ? turn
          : runWithheld(turn, [{ id: "leaked-1", name: "read", inputText, reason: "stop-reason" }]);
      }),
    },
  },
};
