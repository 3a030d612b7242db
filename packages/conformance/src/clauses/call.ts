import type { Turn } from "@fullstop/core";
import type { ClauseTable } from "../clause.ts";
import { type Check, expectedOutline, outline } from "../harness/check.ts";
import { checkReply, type Harness } from "../harness/harness.ts";
import { tryParseJson } from "../harness/json.ts";
import { checkWrongInput, whyNoWrongInput, withInputText } from "../harness/mutate.ts";
import {
  callShapes,
  finishedCalls,
  isReplyCall,
  readCall,
  repliesFor,
  tokensForStop,
  writeCall,
} from "../harness/scenarios.ts";
import { checkReplies, type WrittenReply } from "../harness/ways.ts";
import { siblingCalls } from "../loop/call-scripts.ts";
import { expectOnlyRuns } from "../loop/checks.ts";
import type { Reply, ReplyCall } from "../wire.ts";
import { changeTurns, ignoreReasons, runWithheld } from "./mutants.ts";

const malformed = "malformed-tool-call, runs nothing";

async function* checkUnclosedCalls(harness: Harness): AsyncGenerator<Check> {
  for (const { name, reply } of repliesFor(harness.wire, callShapes)) {
    const frames = harness.wire.unclosed?.({ ...reply, blocks: reply.blocks.filter(isReplyCall) });
    if (frames !== undefined)
      yield checkReply(harness, `${name}, the last of them left open`, frames, malformed);
  }
}

/** No name, and one with tokens of the model's own format. */
const unusableNames = ["", " ", "read<|channel|>commentary"];

async function* checkUnusableNames(harness: Harness): AsyncGenerator<Check> {
  for (const name of unusableNames) {
    const nameless = { ...readCall, name };
    for (const blocks of [[nameless], [writeCall, nameless], [nameless, writeCall]]) {
      const at = `${blocks.length} calls, one of them named ${JSON.stringify(name)}`;
      yield* checkReplies(harness, at, finishedCalls(harness.wire, blocks), malformed);
    }
  }
}

async function* checkSiblings(harness: Harness): AsyncGenerator<Check> {
  for (const text of ['{"path":"/sr', "{'path':1}", "[]", "null"]) {
    const at = `a complete call beside one with the input ${text}`;
    for (const calls of [
      [readCall, writeCall],
      [writeCall, readCall],
    ] as const)
      yield* checkWrongInput(harness, at, { calls, text }, malformed);
  }
}

/** The harness offers this tool with a required property. */
const saveCall: ReplyCall = { name: "save", id: "call_save_1", input: { path: "/srv/out.txt" } };

const emptySaveCall = { ...saveCall, input: {} };

const emptyReadCall = { ...readCall, input: {} };

interface RequiredCase {
  readonly at: string;
  readonly blocks: readonly ReplyCall[];
  readonly runs: readonly ReplyCall[];
}

const requiredCases: readonly RequiredCase[] = [
  { at: "no input for a tool that requires one", blocks: [emptySaveCall], runs: [] },
  {
    at: "no input for a tool that requires one, beside a complete call",
    blocks: [readCall, emptySaveCall],
    runs: [],
  },
  {
    at: "no input for a tool without a required property",
    blocks: [emptyReadCall],
    runs: [emptyReadCall],
  },
  { at: "an input for a tool that requires one", blocks: [saveCall], runs: [saveCall] },
];

function* repliesOfCase(
  harness: Harness,
  { at, blocks }: RequiredCase,
): Generator<readonly [at: string, sent: Reply | WrittenReply]> {
  yield [at, finishedCalls(harness.wire, blocks)];
  const braces = blocks[0] === emptySaveCall ? withInputText(harness, [saveCall], "{}") : undefined;
  if (braces !== undefined) yield [`${at}, written as {}`, braces];
}

async function* checkRequiredInputs(harness: Harness): AsyncGenerator<Check> {
  const describe = (turn: Turn): string =>
    `${outline(turn)}: ${[...new Set(turn.withheld.map(({ reason }) => reason))].join()}`;
  for (const one of requiredCases) {
    const { runs } = one;
    const expected =
      runs.length > 0
        ? `${outline({ stopReason: "tool-use", calls: runs })}: `
        : `${malformed}: input-missing`;
    for (const [where, sent] of repliesOfCase(harness, one))
      yield* checkReplies(harness, where, sent, { expected, describe });
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
      yield* checkReplies(harness, `${text}, under "${stop}"`, reply, {
        expected: `${expectedOutline(wire, reply)}: ${text}`,
        describe: (turn) => `${outline(turn)}: ${turn.text}`,
      });
    }
  }
}

export const callClauses: ClauseTable = {
  "call.closed": {
    rule: "If the protocol closes a call, a call that was not closed does not run, even if its input is complete JSON.",
    references: {
      "anthropics/anthropic-sdk-python#1317":
        "a block was left open in the middle of its input, under the stop reason `terminated`",
    },
    adapter: {
      whyNotAsked: ({ wire }) =>
        wire.unclosed === undefined ? "the wire has no call that is left open" : undefined,
      check: checkUnclosedCalls,
    },
    mutants: { "runs calls that were never closed": ignoreReasons("not-closed") },
  },
  "call.named": {
    rule: "A call without a name, or with special tokens of the model in its name, does not run, and neither do the calls beside it.",
    references: {
      "CangShui/workbuddy-gateway#3": "a stub call with a blank name at the end of a stream",
      "movieclaw/movieclaw#224": "a server left `<|channel|>commentary` in the names of tools",
    },
    adapter: { check: checkUnusableNames },
    mutants: {
      "runs calls without a name": ignoreReasons("no-name"),
      "runs calls with special tokens in their names": ignoreReasons("name-damaged"),
    },
  },
  "call.siblings": {
    rule: "The calls of one reply are one plan: if one is unusable, none runs.",
    references: {
      "earendil-works/pi#6285":
        "one bad call fails the batch, since the calls of a reply depend on each other",
    },
    forLoops: {
      level: "should",
      references: {
        "earendil-works/pi#6285":
          "one bad call fails the batch, since the calls of a reply depend on each other",
        "NousResearch/hermes-agent#84698": "others run the usable calls on purpose",
      },
    },
    adapter: { whyNotAsked: whyNoWrongInput, check: checkSiblings },
    loop: expectOnlyRuns(siblingCalls),
    mutants: {
      "runs the usable calls of a plan": changeTurns((turn) => {
        const usable = turn.withheld.filter(
          ({ inputText, reason }) =>
            reason !== "no-terminal" && tryParseJson(inputText) instanceof Object,
        );
        return usable.length > 0 ? runWithheld(turn, usable) : turn;
      }),
    },
  },
  "call.required": {
    rule: "A call with an empty input does not run if its tool requires a property, streamed or not. It runs if the tool requires none.",
    references: {
      "vllm-project/vllm#53269, NousResearch/hermes-agent#89246":
        "`{}` comes in place of an input that was cut",
    },
    adapter: { check: checkRequiredInputs },
    mutants: { "runs an empty input for a tool that needs one": ignoreReasons("input-missing") },
  },
  "call.leaked-markup": {
    rule: "A call that is written as text is text: it never runs, and it is reported as it came, under every native stop reason.",
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
