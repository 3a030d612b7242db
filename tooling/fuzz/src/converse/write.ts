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
import type { Fields } from "../json.ts";
import type { GeneratedReply } from "../protocol.ts";
import { truthOf } from "../settle.ts";
import { converseMeaning, converseStops } from "./stops.ts";
import { type ConverseStyle, converseStyles } from "./style.ts";

export const converseReplies: fc.Arbitrary<GeneratedReply> = fc
  .tuple(intents, converseStyles)
  .map(([intent, style]) => generateConverse(withoutFreeForm(intent), style));

interface ConverseEnding {
  readonly stop: string;
  readonly output: number | undefined;
}

function generateConverse(intent: Intent, style: ConverseStyle): GeneratedReply {
  const right = callsOf(intent).length > 0 ? "tool_use" : "end_turn";
  const stop = chooseStop(intent, right, converseStops);
  const hasUsage = style.whole || style.host === "bedrock";
  const ending = { stop, output: hasUsage ? tokenCounts[intent.tokens] : undefined };
  const blocks = intent.parts.flatMap((part, position) => blocksOf(part, position, style));
  return {
    frames: style.whole ? [converseMessage(blocks, ending)] : converseStream(blocks, ending, style),
    whole: style.whole,
    host: style.host,
    truth: converseTruth(intent, style, ending),
    source: { intent, style },
  };
}

function converseTruth(
  intent: Intent,
  { whole }: ConverseStyle,
  { stop, output }: ConverseEnding,
): GeneratedReply["truth"] {
  return truthOf(intent, {
    call: ({ input }, position) => ({
      id: `tooluse_${position}`,
      text: whole ? objectOf(input) : input,
    }),
    stops: [converseMeaning(stop)],
    output,
    ...stepFacts(intent),
  });
}

/** A block, as a stream sends it and as a reply in one piece has it. */
interface ConverseBlock {
  readonly kind: Part["kind"];
  readonly start?: Fields;
  readonly deltas: readonly Fields[];
  readonly whole: Fields;
  /** The text of the input that `whole` has a hole for. */
  readonly input?: string;
}

/** The name of the hole for an input. */
const hole = (position: number): string => `@${position}@`;

function blocksOf(part: Part, position: number, style: ConverseStyle): readonly ConverseBlock[] {
  const split = (text: string): readonly string[] => splitText(text, style.sizes);
  switch (part.kind) {
    case "text":
      return [
        {
          kind: "text",
          deltas: split(part.text).map((text) => ({ text })),
          whole: { text: part.text },
        },
      ];
    case "thinking":
      return [style.redacted ? redactedBlock() : thinkingBlock(split(part.text), position)];
    case "call":
      return [callBlock(part, position, split)];
    case "free":
      return [];
    case "step":
      return stepBlocks(part.answered, `tooluse_${position}`);
  }
}

function callBlock(
  { tool, input }: Extract<Part, { readonly kind: "call" }>,
  position: number,
  split: (text: string) => readonly string[],
): ConverseBlock {
  const start = { toolUseId: `tooluse_${position}`, name: tool };
  return {
    kind: "call",
    start: { toolUse: start },
    deltas: split(input).map((piece) => ({ toolUse: { input: piece } })),
    whole: { toolUse: { ...start, input: hole(position) } },
    input: objectOf(input),
  };
}

function thinkingBlock(texts: readonly string[], position: number): ConverseBlock {
  const signature = `sig${position}`;
  return {
    kind: "thinking",
    deltas: [...texts.map((text) => ({ text })), { signature }].map((reasoningContent) => ({
      reasoningContent,
    })),
    whole: { reasoningContent: { reasoningText: { text: texts.join(""), signature } } },
  };
}

function redactedBlock(): ConverseBlock {
  const block = { reasoningContent: { redactedContent: "c2VjcmV0" } };
  return { kind: "thinking", deltas: [block], whole: block };
}

/** A tool that the service runs. */
function stepBlocks(isAnswered: boolean, toolUseId: string): readonly ConverseBlock[] {
  const call = { toolUseId, name: "nova_code_interpreter", type: "server_tool_use" };
  const result = { toolUseId, type: "nova_code_interpreter_result" };
  const content = [{ json: { stdOut: "4" } }];
  return [
    {
      kind: "step",
      start: { toolUse: call },
      deltas: [{ toolUse: { input: '{"snippet":"2+2"}' } }],
      whole: { toolUse: { ...call, input: { snippet: "2+2" } } },
    },
    ...(isAnswered
      ? [
          {
            kind: "step",
            start: { toolResult: result },
            deltas: [{ toolResult: content }],
            whole: { toolResult: { ...result, content } },
          } as const,
        ]
      : []),
  ];
}

function usageOf(output: number | undefined): Fields {
  const usage = { inputTokens: 9, outputTokens: output, totalTokens: 9 + (output ?? 0) };
  return { ...(output !== undefined && { usage }), metrics: { latencyMs: 420 } };
}

function converseStream(
  blocks: readonly ConverseBlock[],
  { stop, output }: ConverseEnding,
  style: ConverseStyle,
): readonly Frame[] {
  const frame = (name: string, payload: Fields): Frame => ({
    name,
    data: JSON.stringify({ ...payload, ...(style.padding && { p: "abcdefgh" }) }),
  });
  const stops = blocks.map(({ kind }, contentBlockIndex) => ({
    isLate: style.stops !== "each" && kind === "call",
    isOpen: style.openTexts && kind === "text",
    frame: frame("contentBlockStop", { contentBlockIndex }),
  }));
  const late = stops.filter(({ isLate }) => isLate).map((one) => one.frame);
  const ending = [
    frame("messageStop", { stopReason: stop }),
    ...(style.host === "bedrock" ? [frame("metadata", usageOf(output))] : []),
  ];
  return [
    frame("messageStart", { role: "assistant" }),
    ...blocks.flatMap((block, index) => [
      ...(style.unknownEvents ? [frame("surprise", { text: "x" })] : []),
      ...converseFrames(block, { index, style, frame }),
      ...stops
        .slice(index, index + 1)
        .flatMap((one) => (one.isLate || one.isOpen ? [] : one.frame)),
    ]),
    ...(style.stops === "late" ? late : late.toReversed()),
    ...(style.metadataFirst ? ending.toReversed() : ending),
  ];
}

interface Placed {
  readonly index: number;
  readonly style: ConverseStyle;
  frame(name: string, payload: Fields): Frame;
}

function converseFrames(
  { kind, start, deltas }: ConverseBlock,
  { index: contentBlockIndex, style, frame }: Placed,
): readonly Frame[] {
  const isBlankFirst = style.blankFirst && kind === "call";
  return [
    ...(start ? [frame("contentBlockStart", { start, contentBlockIndex })] : []),
    ...[...(isBlankFirst ? [{ toolUse: { input: "" } }] : []), ...deltas].map((delta) =>
      frame("contentBlockDelta", { delta, contentBlockIndex }),
    ),
  ];
}

function converseMessage(
  blocks: readonly ConverseBlock[],
  { stop, output }: ConverseEnding,
): Frame {
  const holes = new Map(
    blocks.flatMap(({ whole, input }) =>
      input === undefined ? [] : [[String((whole["toolUse"] as Fields)["input"]), input] as const],
    ),
  );
  const content = blocks.map(({ whole }) => whole);
  const message = { role: "assistant", content };
  return {
    data: jsonWith({ output: { message }, stopReason: stop, ...usageOf(output) }, holes),
  };
}
