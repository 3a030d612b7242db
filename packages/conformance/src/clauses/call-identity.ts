import type { AssistantMessage, Message, Turn } from "@fullstop/core";
import type { ClauseTable } from "../clause.ts";
import { waysFor } from "../harness/bytes.ts";
import { type Check, describeCall, outline, withBytes } from "../harness/check.ts";
import {
  answerWith,
  checkReply,
  defaultRequest,
  type Harness,
  type Sent,
  withResults,
} from "../harness/harness.ts";
import { tryParseJson } from "../harness/json.ts";
import {
  callShapes,
  finishedCalls,
  isReplyCall,
  readCall,
  type Scenario,
  tokensForStop,
  writeCall,
} from "../harness/scenarios.ts";
import { checkReplies, lackOfWays, waysOf } from "../harness/ways.ts";
import type { Reply, ReplyCall, Wire } from "../wire.ts";
import { alterTurn, changeEvents, changeTurns } from "./mutants.ts";

/** Calls of the tool `read` with these ids, each with another input. */
const readCalls = (ids: readonly string[]): readonly ReplyCall[] =>
  ids.map((id, index) => ({ name: "read", id, input: { path: `/${index}` } }));

async function* checkRepeatedCalls(harness: Harness): AsyncGenerator<Check> {
  const otherInput = { ...readCall, input: { path: "/srv/other.txt" } };
  const otherName = { ...readCall, name: "list" };
  const otherId = { ...readCall, id: "call_read_9" };
  const cases = [
    { at: "the same call twice", blocks: [readCall, readCall], calls: [readCall] },
    {
      at: "the same call twice, with another between",
      blocks: [readCall, writeCall, readCall],
      calls: [readCall, writeCall],
    },
    {
      at: "the same id, another input",
      blocks: [readCall, otherInput],
      calls: [readCall, otherInput],
    },
    {
      at: "the same id, another name",
      blocks: [readCall, otherName],
      calls: [readCall, otherName],
    },
    { at: "the same input, another id", blocks: [readCall, otherId], calls: [readCall, readCall] },
  ];
  for (const { at, blocks, calls } of cases) {
    const expected = outline({ stopReason: "tool-use", calls });
    yield* checkReplies(harness, at, finishedCalls(harness.wire, blocks), expected);
  }
}

const listCalls = (lines: readonly string[]): string =>
  lines.length === 0 ? "no call" : lines.toSorted().join(" and ");

/** All calls of a turn: those that may run and those that are withheld. */
const reportedCalls = ({ calls, withheld }: Turn): string =>
  listCalls([
    ...calls.map(describeCall),
    ...withheld.map(
      ({ name, inputText }) =>
        `${name} ${JSON.stringify(tryParseJson(inputText || "{}") ?? inputText)}`,
    ),
  ]);

const callsOfOneTool: readonly Pick<Scenario, "name" | "blocks">[] = [
  ["", ""],
  ["same", "same"],
  ["", "call_b"],
  ["call_a", "", "call_c"],
].map((ids) => ({
  name: `calls of one tool with the ids ${JSON.stringify(ids)}`,
  blocks: readCalls(ids),
}));

/**
 * The reply, the reply without its terminal, the reply with an error in place of its terminal, and
 * the JSON body: each with the end of its name.
 */
function formsOf(wire: Wire, reply: Reply): readonly (readonly [suffix: string, sent: Sent])[] {
  const withoutTerminal = wire.frames(reply).upToTerminal.slice(0, -1);
  const error = wire.errors?.[0]?.frame;
  const whole = [...waysOf({ wire }, reply)].slice(1);
  const withError = { upToTerminal: [...withoutTerminal, error ?? ""] };
  return [
    ["", reply],
    [", without its terminal", { upToTerminal: withoutTerminal }],
    ...(error === undefined
      ? []
      : [[", with an error in place of its terminal", withError] as const]),
    ...whole,
  ];
}

async function* checkEveryCallReported(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  const shapes = [...callShapes.slice(0, 6), ...callsOfOneTool];
  for (const [shapeNumber, { name, blocks }] of shapes.entries()) {
    const expected = listCalls(blocks.filter(isReplyCall).map(describeCall));
    const stops = [...new Set(Object.values(wire.nativeStops))];
    for (const stop of waysFor(stops, shapeNumber, harness)) {
      const forms = formsOf(wire, { blocks, stop, output: tokensForStop(wire, stop) });
      // In other steps than the stop reasons, so that each of them comes in several forms.
      for (const [suffix, sent] of waysFor(forms, Math.floor(shapeNumber / 2), harness)) {
        const at = `${name}, under "${stop}"${suffix}`;
        yield checkReply(harness, at, sent, { expected, describe: reportedCalls });
      }
    }
  }
  yield* lackOfWays(harness);
}

const describeIds = ({ calls }: Turn): string => {
  const ids = calls.map(({ id }) => id);
  return ids.length === new Set(ids).size && ids.every((id) => id.trim() !== "")
    ? `${ids.length} unique ids`
    : `the ids ${JSON.stringify(ids)}`;
};

const callIdsOf = ({ content }: AssistantMessage): readonly string[] =>
  content.flatMap((block) => (block.type === "tool-call" ? [block.id] : []));

const callIdsIn = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) => (message.role === "assistant" ? callIdsOf(message) : []));

async function* checkIds(harness: Harness): AsyncGenerator<Check> {
  for (const nativeIds of [
    ["call_a", "call_b"],
    ["same", "same"],
    ["", ""],
    ["", "call_1_0"],
    ["call_1_1", "call_1_1"],
    ["read:0", "read:0", "read:0"],
  ]) {
    const at = `calls with the ids ${JSON.stringify(nativeIds)}`;
    const expected = `${nativeIds.length} unique ids`;
    const reply = finishedCalls(harness.wire, readCalls(nativeIds));
    yield* checkReplies(harness, at, reply, { expected, describe: describeIds });
  }
  for (const nativeId of ["read:0", "", "call_1_0"]) {
    const reply = finishedCalls(harness.wire, readCalls([nativeId]));
    for (const [suffix, sent] of waysOf(harness, reply)) {
      const { answer, bytes } = answerWith(harness.wire, sent);
      let { messages } = defaultRequest;
      for (let turns = 1; turns <= 3; turns++)
        messages = withResults(messages, await harness.ask(answer, { request: { messages } }));
      const at = `three turns with the id ${JSON.stringify(nativeId)}${suffix}`;
      const actual = `${new Set(callIdsIn(messages)).size} ids`;
      yield withBytes({ at, expected: "3 ids", actual }, bytes);
    }
  }
}

const nativeIdAt = ({ message }: Turn, index: number): string => {
  const calls = message?.content.flatMap((one) => (one.type === "tool-call" ? [one] : [])) ?? [];
  return calls[index]?.nativeId ?? "";
};

export const callIdentityClauses: ClauseTable = {
  "call.said-twice": {
    rule: "A call that is sent twice (same id, name and input) runs once. Two calls that differ in one of these both run.",
    references: {
      "QuantumNous/new-api#6278": "a gateway repeats the call under another index",
      "HKUDS/nanobot#3943": "hosts give two calls one id",
    },
    adapter: { check: checkRepeatedCalls },
    mutants: {
      "makes the ids of duplicates unique": changeEvents(() => () => {
        let count = 0;
        return (event) => [
          event.type === "tool-input-start" ? { ...event, id: `${event.id}_${count++}` } : event,
        ];
      }),
    },
  },
  "call.none-lost": {
    rule: "Every call that was sent runs or is withheld. A call that is sent twice counts once.",
    references: {
      "NousResearch/hermes-agent#62940, su-kaka/gcli2api#406":
        "parallel calls without ids and under one index became one",
    },
    adapter: { check: checkEveryCallReported },
    mutants: {
      "takes a second call without an id for the first one": changeEvents(() => () => {
        const nameless: unknown[] = [];
        return (event) => {
          if (event.type === "tool-input-start" && !event.id) nameless.push(event.key);
          return "key" in event && nameless.slice(1).includes(event.key) ? [] : [event];
        };
      }),
      "forgets the calls that it withheld": changeTurns((turn) =>
        turn.withheld.length > 0 ? alterTurn(turn, { withheld: [] }) : turn,
      ),
    },
  },
  "call.ids-unique": {
    rule: "Every call has an id that is unique in the whole history, also if the provider gave none, the same one twice, or one of an earlier turn.",
    references: {
      "NousResearch/hermes-agent#88324":
        "hosts reuse read:0 in each turn, and 196 of 374 results were lost",
    },
    adapter: { check: checkIds },
    mutants: {
      "uses the provider's ids as its own": changeTurns((turn) =>
        alterTurn(turn, {
          calls: turn.calls.map((call, index) => ({ ...call, id: nativeIdAt(turn, index) })),
        }),
      ),
    },
  },
};
