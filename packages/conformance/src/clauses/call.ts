import type { ClauseTable } from "../clause.ts";
import { render } from "../harness/bytes.ts";
import { type Check, withBytes } from "../harness/check.ts";
import { expectedTurnOf, outline } from "../harness/expect.ts";
import { checkFrames, type Harness } from "../harness/harness.ts";
import { finishedReply, whyNoInputText, withInputText } from "../harness/inputs.ts";
import { tryParseJson } from "../harness/json.ts";
import {
  callShapes,
  isReplyCall,
  readCall,
  repliesFor,
  tokensForStop,
  writeCall,
} from "../harness/scenarios.ts";
import { expectOnlyRuns } from "../loop/checks.ts";
import { scripts } from "../loop/scripts.ts";
import { changeTurns, ignoreReasons, runWithheld } from "./mutants.ts";

const malformed = "malformed-tool-call, runs nothing";

async function* checkUnclosedCalls(harness: Harness): AsyncGenerator<Check> {
  for (const { name, reply } of repliesFor(harness.wire, callShapes)) {
    const frames = harness.wire.unclosed?.({ ...reply, blocks: reply.blocks.filter(isReplyCall) });
    if (frames === undefined) continue;
    yield checkFrames(harness, `${name}, the last of them left open`, {
      frames,
      expected: malformed,
    });
  }
}

async function* checkBlankNames(harness: Harness): AsyncGenerator<Check> {
  for (const name of ["", " "]) {
    const nameless = { ...readCall, name };
    for (const blocks of [[nameless], [writeCall, nameless], [nameless, writeCall]]) {
      const at = `${blocks.length} calls, one of them named ${JSON.stringify(name)}`;
      yield checkFrames(harness, at, {
        frames: finishedReply(harness, blocks),
        expected: malformed,
      });
    }
  }
}

async function* checkSiblings(harness: Harness): AsyncGenerator<Check> {
  for (const text of ['{"path":"/sr', "{'path':1}", "[]", "null"]) {
    const first = withInputText(harness, [readCall, writeCall], text);
    const second = withInputText(harness, [writeCall, readCall], text);
    for (const frames of [first, second]) {
      if (frames === undefined) continue;
      const at = `a complete call beside one with the input ${text}`;
      yield checkFrames(harness, at, { frames, expected: malformed });
    }
  }
}

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
      const { bytes } = render(wire.frames(reply));
      const turn = await harness.ask(bytes);
      const expected = `${outline(expectedTurnOf(wire, reply))}: ${text}`;
      const actual = `${outline(turn)}: ${turn.text}`;
      yield withBytes({ at: `${text}, under "${stop}"`, expected, actual }, bytes);
    }
  }
}

/** Clauses about which calls run. */
export const callClauses: ClauseTable = {
  "call.closed": {
    rule: "If the protocol closes each call, a call that was not closed does not run, even if its input is complete JSON.",
    level: "must",
    references: [
      {
        issue: "anthropics/anthropic-sdk-python#1317",
        note: "a block that was left open under a normal end holds half an input",
      },
    ],
    adapter: {
      whyNotAsked: ({ wire }) =>
        wire.unclosed === undefined ? "the wire has no call that is left open" : undefined,
      check: checkUnclosedCalls,
    },
    mutants: [{ wrong: "runs calls that were never closed", subject: ignoreReasons("not-closed") }],
  },
  "call.named": {
    rule: "A call without a name does not run, and neither do the calls beside it.",
    level: "must",
    references: [
      {
        issue: "workbuddy-gateway#3",
        note: "a stub call with a blank name at the end of a stream",
      },
    ],
    adapter: { check: checkBlankNames },
    mutants: [{ wrong: "runs calls without a name", subject: ignoreReasons("no-name") }],
  },
  "call.siblings": {
    rule: "The calls of one reply are one plan: if one is unusable, none runs.",
    level: "must",
    references: [
      {
        issue: "earendil-works/pi#6285",
        note: "one bad call fails the batch, since the calls of a reply depend on each other",
      },
    ],
    adapter: { whyNotAsked: whyNoInputText, check: checkSiblings },
    loop: expectOnlyRuns(scripts.siblingCalls),
    mutants: [
      {
        wrong: "runs the usable calls of a plan",
        subject: changeTurns((turn) => {
          const usable = turn.withheld.filter(
            ({ inputText, reason }) =>
              reason !== "no-terminal" && tryParseJson(inputText) instanceof Object,
          );
          return usable.length > 0 ? runWithheld(turn, usable) : turn;
        }),
      },
    ],
  },
  "call.leaked-markup": {
    rule: "A call that is written as text is text: it never runs, and it is reported as it came, under every native stop reason.",
    level: "must",
    references: [
      { issue: "free-claude-code#979" },
      { issue: "MTPLX#249", note: "markup of calls leaks into the text, of cut replies too" },
    ],
    adapter: { check: checkCallsAsText },
    mutants: [
      {
        wrong: "makes calls of text that looks like one",
        subject: changeTurns((turn) => {
          const [, inputText] = /"arguments":(\{.*?\})/.exec(turn.text) ?? [];
          return inputText === undefined
            ? turn
            : runWithheld(turn, [
                { id: "leaked-1", name: "read", inputText, reason: "stop-reason" },
              ]);
        }),
      },
    ],
  },
};
