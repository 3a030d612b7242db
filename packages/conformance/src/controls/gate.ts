import type {
  AssistantMessage,
  ErrorKind,
  Turn,
  WithheldCall,
  WithheldReason,
} from "@fullstop/core";
import { parseJson } from "../harness/bytes.ts";
import { altered, type Control, readingAs } from "./control.ts";

/** What a repairing parser makes of any text. */
function repaired(text: string): unknown {
  for (const end of ["", "}", '"}', "null}", '":null}']) {
    const value = parseJson(text + end);
    if (value !== undefined) return value;
  }
  return {};
}

const block = ({
  id,
  name = "",
  inputText,
}: WithheldCall): AssistantMessage["content"][number] => ({
  type: "tool-call",
  id,
  name,
  inputText,
});
const withCalls = (
  { message, text }: Turn,
  withheld: readonly WithheldCall[],
): AssistantMessage => ({
  role: "assistant",
  ...message,
  content: [
    ...(message?.content ?? (text === "" ? [] : [{ type: "text", text }])),
    ...withheld.map(block),
  ],
});

/** Gives out what the gate withheld. */
const promoted = (turn: Turn, calls: readonly WithheldCall[] = turn.withheld): Turn =>
  altered(turn, {
    stopReason: "tool-use",
    calls: calls.map(({ id, name, inputText }) => ({ id, name, input: repaired(inputText) })),
    withheld: [],
    message: withCalls(turn, calls),
  });

/** A gate without the rules that say one of these. */
const forgiving = (...rules: readonly WithheldReason[]): Control["subject"] =>
  readingAs((turn) =>
    turn.withheld.some(({ reason: why }) => rules.includes(why)) ? promoted(turn) : turn,
  );

/** A gate for which an error of this kind is the end of a reply. */
const overlooking = (...kinds: readonly ErrorKind[]): Control["subject"] =>
  readingAs((turn) => {
    if (!("error" in turn) || !kinds.includes(turn.error.kind)) return turn;
    return turn.withheld.length > 0 ? promoted(turn) : altered(turn, { stopReason: "stop" });
  });

export const gateControls: readonly Control[] = [
  {
    wrong: "runs the calls of an aborted reply",
    caughtBy: "stop.abort",
    subject: forgiving("aborted"),
  },
  { wrong: "runs calls at the cap", caughtBy: "stop.cap", subject: forgiving("cap-reached") },
  {
    wrong: "takes a text that was cut at the cap for the whole answer",
    caughtBy: "stop.cap",
    subject: readingAs((turn, { wire }) =>
      turn.stopReason === "length" &&
      turn.withheld.length === 0 &&
      turn.native?.stop === wire.nativeStops.stop
        ? altered(turn, { stopReason: "stop" })
        : turn,
    ),
  },
  {
    wrong: "believes a host that relabels",
    caughtBy: "stop.cap-unproven",
    subject: forgiving("cap-unproven"),
  },
  {
    wrong: "runs calls without a terminal",
    caughtBy: "stop.cut",
    subject: forgiving("no-terminal"),
  },
  {
    wrong: "takes the end of the file for the end of the reply",
    caughtBy: "stop.cut",
    subject: readingAs((turn) =>
      turn.stopReason === "interrupted" && turn.withheld.length === 0
        ? altered(turn, { stopReason: "stop" })
        : turn,
    ),
  },
  {
    wrong: "takes the word for calls as an answer where no call is",
    caughtBy: "stop.no-call",
    subject: readingAs((turn) =>
      turn.stopReason === "malformed-tool-call" && turn.withheld.length === 0
        ? altered(turn, { stopReason: "stop" })
        : turn,
    ),
  },
  {
    wrong: "drops calls under the word for a finished text",
    caughtBy: "stop.whole",
    subject: readingAs((turn, { wire }) =>
      turn.native?.stop === wire.nativeStops.stop && turn.calls.length > 0
        ? altered(turn, { stopReason: "stop", calls: [] })
        : turn,
    ),
  },
  {
    wrong: "runs calls after an ending that forbids them",
    caughtBy: "stop.whole",
    subject: forgiving("stop-sequence"),
  },
  {
    wrong: "lets the presence of calls outrank the word",
    caughtBy: "stop.words",
    subject: forgiving("stop-reason"),
  },
  {
    wrong: "runs calls that were never closed",
    caughtBy: "call.closed",
    subject: forgiving("not-closed"),
  },
  {
    wrong: "repairs inputs that were cut",
    caughtBy: "call.cut-input",
    subject: forgiving("input-cut"),
  },
  {
    wrong: "turns an unreadable input into an empty one",
    caughtBy: "call.invalid-json",
    subject: forgiving("invalid-json"),
  },
  {
    wrong: "takes any JSON for an input",
    caughtBy: "call.not-object",
    subject: forgiving("not-an-object"),
  },
  {
    wrong: "makes calls of what looks like one in the text",
    caughtBy: "call.leaked-markup",
    subject: readingAs((turn) => {
      const [, inputText] = /"arguments":(\{.*?\})/.exec(turn.text) ?? [];
      return inputText === undefined
        ? turn
        : promoted(turn, [{ id: "leaked-1", name: "read", inputText, reason: "stop-reason" }]);
    }),
  },
  {
    wrong: "rounds integers",
    caughtBy: "call.lossy-input",
    subject: forgiving("number-too-large"),
  },
  {
    wrong: "loses the reply around a large number",
    caughtBy: "call.lossy-input",
    subject: readingAs((turn) =>
      Object.values(turn.calls[0]?.input ?? {}).some(
        (value) => typeof value === "number" && value > Number.MAX_SAFE_INTEGER,
      )
        ? altered(turn, { stopReason: "interrupted", calls: [] })
        : turn,
    ),
  },
  {
    wrong: "runs an empty input for a tool that needs one",
    caughtBy: "call.required",
    subject: forgiving("input-missing"),
  },
  {
    wrong: "forgets the calls that it withheld",
    caughtBy: "call.none-lost",
    subject: readingAs((turn) =>
      turn.withheld.length > 0 ? altered(turn, { withheld: [] }) : turn,
    ),
  },
  {
    wrong: "gives out turns that others can write into",
    caughtBy: "turn.frozen",
    subject: readingAs((turn) => altered(turn, { calls: [...turn.calls] })),
  },
  { wrong: "runs calls without a name", caughtBy: "call.named", subject: forgiving("no-name") },
  {
    wrong: "runs the usable calls of a plan",
    caughtBy: "call.siblings",
    subject: readingAs((turn) => {
      const usable = turn.withheld.filter(
        ({ inputText, reason: why }) =>
          why !== "no-terminal" && parseJson(inputText) instanceof Object,
      );
      return usable.length > 0 ? promoted(turn, usable) : turn;
    }),
  },
  {
    wrong: "takes the provider's ids for its own",
    caughtBy: "call.ids-unique",
    subject: readingAs((turn) =>
      altered(turn, { calls: turn.calls.map((call, n) => ({ ...call, id: nativeId(turn, n) })) }),
    ),
  },
  {
    wrong: "writes the parsed input into history",
    caughtBy: "call.input-exact",
    subject: readingAs((turn) =>
      altered(turn, {
        message: turn.message && { ...turn.message, content: turn.message.content.map(rewritten) },
      }),
    ),
  },
  {
    wrong: "takes a broken connection for the end of the reply",
    caughtBy: "wire.reset",
    subject: overlooking("network"),
  },
  {
    wrong: "takes silence for the end of the reply",
    caughtBy: "wire.stall",
    subject: overlooking("timeout"),
  },
  {
    wrong: "takes a page or nothing at all for an empty answer",
    caughtBy: "wire.not-a-reply",
    subject: overlooking("malformed-reply", "cut"),
  },
  { wrong: "keeps withheld calls in history", caughtBy: "turn.replay-safe", subject: keeping() },
  { wrong: "keeps calls that nobody answers", caughtBy: "turn.history", subject: keeping() },
  {
    wrong: "keeps the inputs of withheld calls in the next request",
    caughtBy: "request.withheld",
    subject: keeping(),
  },
  {
    wrong: "forgets the text of what failed",
    caughtBy: "turn.text-kept",
    subject: readingAs((turn) => (turn.message === undefined ? altered(turn, { text: "" }) : turn)),
  },
  {
    wrong: "forgets the provider's own word",
    caughtBy: "turn.reason-kept",
    subject: readingAs((turn) => altered(turn, { native: undefined })),
  },
];

function keeping(): Control["subject"] {
  return readingAs((turn) =>
    turn.withheld.length > 0 ? altered(turn, { message: withCalls(turn, turn.withheld) }) : turn,
  );
}

const nativeId = ({ message }: Turn, n: number): string => {
  const blocks = message?.content.flatMap((one) => (one.type === "tool-call" ? [one] : [])) ?? [];
  return blocks[n]?.nativeId ?? "";
};

const rewritten = (
  one: AssistantMessage["content"][number],
): AssistantMessage["content"][number] =>
  one.type === "tool-call" ? { ...one, inputText: JSON.stringify(JSON.parse(one.inputText)) } : one;
