import type { ClauseTable } from "../clause.ts";
import { jsonAnswer, render, utf8 } from "../harness/bytes.ts";
import { type Check, withBytes } from "../harness/check.ts";
import { outline } from "../harness/expect.ts";
import type { Harness } from "../harness/harness.ts";
import type { Answer } from "../harness/host.ts";
import { bodyWithInput, finishedReply, withInputText } from "../harness/inputs.ts";
import { replaceJson } from "../harness/mutate.ts";
import { fewTokens, nativeStopForCalls, readCall } from "../harness/scenarios.ts";
import type { Frames, ReplyCall } from "../wire.ts";
import { alterTurn, changeTurns, ignoreReasons } from "./mutants.ts";

const markedCall: ReplyCall = { name: "read", id: "call_read_1", input: { path: "/srv/marked" } };

/** How a turn with each of these inputs is reported. */
const numberInputs: Readonly<Record<string, string>> = {
  '{"lines":9007199254740993}': "malformed-tool-call, runs nothing: number-too-large",
  '{"of":{"ids":[12345678901234567890]}}': "malformed-tool-call, runs nothing: number-too-large",
  '{"__proto__":{"path":"/etc"}}': "malformed-tool-call, runs nothing: unsupported",
  '{"a":{"__proto__":null}}': "malformed-tool-call, runs nothing: unsupported",
  '{"lines":9007199254740991}': 'tool-use, runs read {"lines":9007199254740991}',
  '{"lines":1e21}': 'tool-use, runs read {"lines":1e+21}',
};

/** Without it a runtime cannot see a number as it was before it was parsed. https://tc39.es/proposal-json-parse-with-source/ */
const keepsDigits = "rawJSON" in JSON;

/** The reply with this input, streamed and as one JSON body. If the input is JSON and not text, only on runtimes that keep the digits. */
function* answersWithInput(
  harness: Harness,
  text: string,
): Generator<readonly [suffix: string, answer: Answer]> {
  const streamed = withInputText(harness, [markedCall], text);
  if (streamed !== undefined) yield ["", { chunks: [render(streamed).bytes] }];
  if (!keepsDigits) return;
  if (streamed === undefined) yield ["", streamWithJson(harness, text)];
  const body = bodyWithInput(harness, markedCall, text);
  if (body !== undefined) yield [", not streamed", body];
}

function streamWithJson(harness: Harness, text: string): Answer {
  const { upToTerminal, ...rest } = finishedReply(harness, [markedCall]);
  const from = JSON.stringify(markedCall.input);
  const changed = upToTerminal.map((payload) => replaceJson(payload, from, text) ?? payload);
  return { chunks: [render({ ...rest, upToTerminal: changed }).bytes] };
}

async function* checkLossyInputs(harness: Harness): AsyncGenerator<Check> {
  for (const [text, expected] of Object.entries(numberInputs)) {
    for (const [suffix, answer] of answersWithInput(harness, text)) {
      const turn = await harness.ask(answer);
      const reasons = turn.withheld.map(({ reason }) => `: ${reason}`).join("");
      const [bytes] = answer.chunks;
      const at = `read with the input ${text}${suffix}`;
      yield withBytes({ at, expected, actual: outline(turn) + reasons }, bytes);
    }
  }
}

/** The harness offers this tool with a required property. */
const saveCall: ReplyCall = { name: "save", id: "call_save_1", input: { path: "/srv/out.txt" } };

const emptySaveCall = { ...saveCall, input: {} };

const emptyReadCall = { ...readCall, input: {} };

interface RequiredCase {
  readonly at: string;
  readonly blocks: readonly ReplyCall[];
  /** The calls that must run. */
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

function* framesOfCase(
  harness: Harness,
  { at, blocks }: RequiredCase,
): Generator<readonly [at: string, frames: Frames]> {
  yield [at, finishedReply(harness, blocks)];
  const braces = blocks[0] === emptySaveCall ? withInputText(harness, [saveCall], "{}") : undefined;
  if (braces !== undefined) yield [`${at}, written as {}`, braces];
}

async function* checkRequiredInputs(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  const read = async (answer: Parameters<Harness["ask"]>[0]): Promise<string> => {
    const turn = await harness.ask(answer);
    return `${outline(turn)}: ${[...new Set(turn.withheld.map(({ reason }) => reason))].join()}`;
  };
  for (const one of requiredCases) {
    const { runs, blocks } = one;
    const expected =
      runs.length > 0
        ? `${outline({ stopReason: "tool-use", calls: runs })}: `
        : "malformed-tool-call, runs nothing: input-missing";
    for (const [at, frames] of framesOfCase(harness, one)) {
      const { bytes } = render(frames);
      yield withBytes({ at, expected, actual: await read(bytes) }, bytes);
    }
    const stop = nativeStopForCalls(wire) ?? "";
    const body = wire.whole?.({ blocks, stop, output: fewTokens });
    if (body === undefined) continue;
    const actual = await read(jsonAnswer(body));
    yield withBytes({ at: `${one.at}, not streamed`, expected, actual }, utf8(body));
  }
}

/** Clauses about the value of an input. */
export const callValueClauses: ClauseTable = {
  "call.lossy-input": {
    rule: "An input that would change when it is parsed (an integer beyond a double, a __proto__ key) never runs, streamed or not, and the rest of the reply is still read. Any other number runs as it is.",
    level: "must",
    references: [
      {
        issue: "earendil-works/pi#8943",
        note: "integers beyond 2^53 were silently rounded, and the call ran",
      },
    ],
    adapter: { check: checkLossyInputs },
    mutants: [
      { wrong: "rounds integers", subject: ignoreReasons("number-too-large") },
      {
        wrong: "loses the reply around a large number",
        subject: changeTurns((turn) =>
          Object.values(turn.calls[0]?.input ?? {}).some(
            (value) => typeof value === "number" && value > Number.MAX_SAFE_INTEGER,
          )
            ? alterTurn(turn, { stopReason: "interrupted", calls: [] })
            : turn,
        ),
      },
    ],
  },
  "call.required": {
    rule: "A call with an empty input does not run if its tool requires a property, streamed or not. It runs if the tool requires none.",
    level: "must",
    references: [
      { issue: "vllm-project/vllm#53269" },
      {
        issue: "NousResearch/hermes-agent#89246",
        note: "`{}` comes in place of an input that was cut",
      },
    ],
    adapter: { check: checkRequiredInputs },
    mutants: [
      {
        wrong: "runs an empty input for a tool that needs one",
        subject: ignoreReasons("input-missing"),
      },
    ],
  },
};
