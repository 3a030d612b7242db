import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline } from "../../harness/expect.ts";
import type { Answer } from "../../harness/host.ts";
import { finishedReply, withInputText, bodyWithInput } from "../../harness/inputs.ts";
import { replaceJson } from "../../harness/mutate.ts";
import { withBytes, type Harness } from "../../harness/harness.ts";
import type { ReplyCall } from "../../wire.ts";

const call: ReplyCall = { name: "read", id: "call_read_1", input: { path: "/srv/marked" } };
const runs = "tool-use, runs read ";
/** What each input must read as; the whole of what is parsed where it loses nothing. */
const inputs: Readonly<Record<string, string>> = {
  '{"lines":9007199254740993}': "number-too-large",
  '{"of":{"ids":[12345678901234567890]}}': "number-too-large",
  '{"__proto__":{"path":"/etc"}}': "unsupported",
  '{"a":{"__proto__":null}}': "unsupported",
  '{"lines":9007199254740991}': `${runs}{"lines":9007199254740991}`,
  '{"lines":1e21}': `${runs}{"lines":1e+21}`,
};

/** Without it a runtime cannot tell what a number was before it was parsed. https://tc39.es/proposal-json-parse-with-source/ */
const keepsDigits = "rawJSON" in JSON;

/** The reply with this input, streamed and in one piece; where its input is JSON and no text, only on runtimes that keep the digits. */
function* ways(harness: Harness, text: string): Generator<readonly [way: string, answer: Answer]> {
  const streamed = withInputText(harness, [call], text);
  if (streamed !== undefined) yield ["", { chunks: [render(streamed).bytes] }];
  const asJson = streamed === undefined && keepsDigits ? asObject(harness, text) : undefined;
  if (asJson !== undefined) yield ["", asJson];
  const whole = bodyWithInput(harness, call, text);
  if (whole !== undefined && keepsDigits) yield [", not streamed", whole];
}

function asObject(harness: Harness, text: string): Answer {
  const { upToTerminal, ...rest } = finishedReply(harness, [call]);
  const other = upToTerminal.map(
    (payload) => replaceJson(payload, JSON.stringify(call.input), text) ?? payload,
  );
  return { chunks: [render({ ...rest, upToTerminal: other }).bytes] };
}

export const lossyInput: Clause = {
  id: "call.lossy-input",
  rule: "An input that would change when parsed (an integer beyond a double, a __proto__ key) never runs, streamed or not, and the reply around it is read; any other number runs as it is.",
  level: "must",
  because: "pi#8943: integers beyond 2^53 were silently rounded, and the call ran",
  async *check(harness) {
    for (const [text, told] of Object.entries(inputs)) {
      const expected = told.startsWith(runs) ? told : `malformed-tool-call, runs nothing: ${told}`;
      for (const [way, answer] of ways(harness, text)) {
        const turn = await harness.ask(answer);
        const why = turn.withheld.map((withheld) => `: ${withheld.reason}`).join("");
        const [bytes] = answer.chunks;
        yield withBytes(
          { at: `read with the input ${text}${way}`, expected, actual: outline(turn) + why },
          bytes,
        );
      }
    }
  },
};
