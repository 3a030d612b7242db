import { render, utf8 } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline } from "../../harness/expect.ts";
import { finishedReply, withInputText } from "../../harness/inputs.ts";
import { withBytes, type Harness } from "../../harness/harness.ts";
import { readCall, nativeStopForCalls } from "../../harness/scenarios.ts";
import { fewTokens } from "../../harness/tokens.ts";
import type { Frames, ReplyCall } from "../../wire.ts";

/** A tool that the harness offers with a required property. */
const save: ReplyCall = { name: "save", id: "call_save_1", input: { path: "/srv/out.txt" } };
const empty = { ...save, input: {} };
const optional = { ...readCall, input: {} };

interface Tried {
  readonly at: string;
  readonly blocks: readonly ReplyCall[];
  readonly runs: readonly ReplyCall[];
}
const cases: readonly Tried[] = [
  { at: "no input for a tool that requires one", blocks: [empty], runs: [] },
  {
    at: "no input for a tool that requires one, beside a whole call",
    blocks: [readCall, empty],
    runs: [],
  },
  { at: "no input for a tool without a required property", blocks: [optional], runs: [optional] },
  { at: "an input for a tool that requires one", blocks: [save], runs: [save] },
];
const expected = (calls: readonly ReplyCall[]): string =>
  calls.length > 0
    ? `${outline({ stopReason: "tool-use", calls })}: `
    : "malformed-tool-call, runs nothing: input-missing";

function* framesOf(
  harness: Harness,
  { at, blocks, runs }: Tried,
): Generator<readonly [at: string, frames: Frames, runs: Tried["runs"]]> {
  yield [at, finishedReply(harness, blocks), runs];
  const braces = blocks[0] === empty ? withInputText(harness, [save], "{}") : undefined;
  if (braces !== undefined) yield [`${at}, written as {}`, braces, runs];
}

export const required: Clause = {
  id: "call.required",
  rule: "A call with an empty input does not run if its tool requires a property, streamed or not. It runs if the tool requires none.",
  level: "must",
  because: "vllm#53269, hermes-agent#89246: `{}` comes in place of an input that was cut",
  async *check(harness) {
    const { wire } = harness;
    const found = async (answer: Parameters<Harness["ask"]>[0]): Promise<string> => {
      const turn = await harness.ask(answer);
      return `${outline(turn)}: ${[...new Set(turn.withheld.map(({ reason: why }) => why))].join()}`;
    };
    for (const one of cases) {
      for (const [at, frames, runs] of framesOf(harness, one)) {
        const { bytes } = render(frames);
        yield withBytes({ at, expected: expected(runs), actual: await found(bytes) }, bytes);
      }
      const body = wire.whole?.({
        blocks: one.blocks,
        stop: nativeStopForCalls(wire) ?? "",
        output: fewTokens,
      });
      if (body === undefined) continue;
      const actual = await found({
        chunks: [utf8(body)],
        headers: { "content-type": "application/json" },
      });
      yield withBytes(
        { at: `${one.at}, not streamed`, expected: expected(one.runs), actual },
        utf8(body),
      );
    }
  },
};
