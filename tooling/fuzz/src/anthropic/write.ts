import fc from "fast-check";
import type { Frame } from "../bytes.ts";
import {
  callsOf,
  chooseStop,
  type Intent,
  intents,
  jsonWith,
  objectOf,
  type Part,
  splitText,
  stepFacts,
  tokenCounts,
  withoutFreeForm,
} from "../intent.ts";
import { isObject, jsonValue } from "../json.ts";
import type { GeneratedReply } from "../protocol.ts";
import { truthOf } from "../settle.ts";
import { anthropicMeaningsOf, anthropicStops } from "./stops.ts";
import { type AnthropicStyle, anthropicStyles } from "./style.ts";

export const anthropicReplies: fc.Arbitrary<GeneratedReply> = fc
  .tuple(intents, anthropicStyles)
  .map(([intent, style]) => generateAnthropic(withoutFreeForm(intent), style));

interface AnthropicEnding {
  readonly stop: string;
  readonly sequence: string | null;
  readonly output: number | undefined;
}

function generateAnthropic(intent: Intent, style: AnthropicStyle): GeneratedReply {
  const asks = callsOf(intent).length > 0;
  const right = asks ? "tool_use" : "end_turn";
  const stop = chooseStop(intent, right, anthropicStops);
  const ending = {
    stop,
    sequence: style.sequence || stop === "stop_sequence" ? " vast" : null,
    output: tokenCounts[intent.tokens],
  };
  const blocks = intent.parts.flatMap((part, position) => sentBlocks(part, position));
  return {
    frames: style.whole
      ? [anthropicMessage(blocks, ending, style)]
      : anthropicStream(blocks, ending, style),
    whole: style.whole,
    host: style.host,
    truth: anthropicTruth(intent, style, ending),
    source: { intent, style },
  };
}

function anthropicTruth(
  intent: Intent,
  { whole, finishReason }: AnthropicStyle,
  { stop, sequence, output }: AnthropicEnding,
): GeneratedReply["truth"] {
  return truthOf(intent, {
    call: ({ input }, position) => ({
      id: `toolu_${position}`,
      text: whole ? objectOf(input) : input,
    }),
    stops: [
      ...anthropicMeaningsOf(stop, sequence),
      ...(finishReason === "length" ? ["length" as const] : []),
    ],
    output,
    ...stepFacts(intent),
  });
}

interface SentBlock {
  readonly start: Readonly<Record<string, unknown>>;
  /** The type and member of the deltas, if the content is streamed. */
  readonly pieces?: { readonly type: string; readonly member: string; readonly text: string };
  readonly last?: Readonly<Record<string, unknown>>;
}

function sentBlocks(part: Part, position: number): readonly SentBlock[] {
  switch (part.kind) {
    case "text":
      return [
        {
          start: { type: "text", text: "" },
          pieces: { type: "text_delta", member: "text", text: part.text },
        },
      ];
    case "thinking":
      return [
        {
          start: { type: "thinking", thinking: "", signature: "" },
          pieces: { type: "thinking_delta", member: "thinking", text: part.text },
          last: { type: "signature_delta", signature: `sig${position}` },
        },
      ];
    case "call":
      return [
        inputBlock({ type: "tool_use", id: `toolu_${position}`, name: part.tool }, part.input),
      ];
    case "free":
      return [];
    case "step": {
      const id = `srvtoolu_${position}`;
      const result = { type: "web_search_tool_result", tool_use_id: id, content: [] };
      return [
        inputBlock({ type: "server_tool_use", id, name: "web_search" }, '{"query":"x"}'),
        ...(part.answered ? [{ start: result }] : []),
      ];
    }
  }
}
const inputBlock = (start: SentBlock["start"], text: string): SentBlock => ({
  start,
  pieces: { type: "input_json_delta", member: "partial_json", text },
});

const anthropicUsage = (output: number | undefined): object =>
  output === undefined ? {} : { usage: { output_tokens: output } };
const eventFrame = (
  event: Readonly<Record<string, unknown>> & { readonly type: string },
): Frame => ({
  name: event.type,
  data: JSON.stringify(event),
});

const otherWord = ({ finishReason }: AnthropicStyle): object =>
  ({ absent: {}, null: { finish_reason: null }, length: { finish_reason: "length" } })[
    finishReason
  ];

function anthropicStream(
  blocks: readonly SentBlock[],
  ending: AnthropicEnding,
  style: AnthropicStyle,
): readonly Frame[] {
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude",
    content: [],
    usage: { input_tokens: 9, output_tokens: 1 },
  };
  const start = eventFrame({ type: "message_start", message });
  const between = [
    ...(style.pings ? [eventFrame({ type: "ping" })] : []),
    ...(style.unknownEvents ? [eventFrame({ type: "surprise", index: 0, text: "x" })] : []),
  ];
  const delta = {
    stop_reason: ending.stop,
    stop_sequence: ending.sequence,
    ...otherWord(style),
  };
  return [
    ...(style.startTwice ? [start, start] : [start]),
    ...blocks.flatMap((block, index) => [...between, ...blockFrames(block, index, style)]),
    eventFrame({ type: "message_delta", delta, ...anthropicUsage(ending.output) }),
    ...(style.host === "without-stop" ? [] : [eventFrame({ type: "message_stop" })]),
    ...(style.doneAfterEnd ? [{ data: "[DONE]" }] : []),
  ];
}

function blockFrames(
  { start, pieces, last }: SentBlock,
  index: number,
  style: AnthropicStyle,
): readonly Frame[] {
  const delta = (change: Readonly<Record<string, unknown>>): Frame =>
    eventFrame({ type: "content_block_delta", index, delta: change });
  const stop = eventFrame({ type: "content_block_stop", index });
  if (pieces === undefined)
    return [eventFrame({ type: "content_block_start", index, content_block: start }), stop];
  const { type, member, text } = pieces;
  const isInput = member === "partial_json";
  const atOnce = isInput && style.inputInStart && isObject(jsonValue(text));
  const begun = isInput ? { ...start, ...inputAtStart(style, atOnce) } : start;
  const head = jsonWith(
    { type: "content_block_start", index, content_block: begun },
    new Map([["@", text]]),
  );
  return [
    { name: "content_block_start", data: head },
    ...blankDeltas(style, type, member).map(delta),
    ...(isInput && style.blankFirst ? [delta({ type, [member]: "" })] : []),
    ...(atOnce
      ? []
      : splitText(text, style.sizes).map((piece) => delta({ type, [member]: piece }))),
    ...(last ? [delta(last)] : []),
    stop,
  ];
}

function blankDeltas(
  { blanks }: AnthropicStyle,
  type: string,
  member: string,
): readonly Readonly<Record<string, unknown>>[] {
  const foreign =
    type === "text_delta"
      ? { type: "input_json_delta", partial_json: "" }
      : { type: "text_delta", text: "" };
  return { none: [], null: [{ type, [member]: null }], foreign: [foreign] }[blanks];
}

function inputAtStart({ emptyInput }: AnthropicStyle, atOnce: boolean): object {
  if (atOnce) return { input: "@" };
  if (emptyInput === "absent") return {};
  return { input: emptyInput === "object" ? {} : "" };
}

function anthropicMessage(
  blocks: readonly SentBlock[],
  { stop, sequence, output }: AnthropicEnding,
  style: AnthropicStyle,
): Frame {
  const holes = new Map<string, string>();
  const content = blocks.map(({ start, pieces, last }, position) => {
    if (pieces === undefined) return start;
    if (pieces.member !== "partial_json")
      return { ...start, [pieces.member]: pieces.text, ...(last && { signature: "sig" }) };
    holes.set(`@${position}@`, objectOf(pieces.text));
    return { ...start, input: `@${position}@` };
  });
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude",
    content,
    stop_reason: stop,
    stop_sequence: sequence,
    ...otherWord(style),
  };
  return { data: jsonWith({ ...message, ...anthropicUsage(output) }, holes) };
}
