import fc from "fast-check";
import type { Frame } from "../bytes.ts";
import { rarely } from "../chances.ts";
import {
  callsOf,
  cutUp,
  type Intent,
  intents,
  jsonWith,
  type Part,
  pieceSizes,
  textOf,
  tokenCounts,
} from "../intent.ts";
import { isObject, jsonValue } from "../json.ts";
import type { Written } from "../protocol.ts";
import type { Said } from "../reading.ts";
import { settle } from "../settle.ts";
import { meaningsOf, words } from "./words.ts";

/** What hosts of the protocol do in their own way. */
interface Manner {
  readonly host: "anthropic" | "without-stop";
  readonly whole: boolean;
  readonly sizes: readonly number[];
  /** The whole input comes with its block. */
  readonly atOnce: boolean;
  readonly blankFirst: boolean;
  /** What stands for an input that is still to come. */
  readonly nothing: "object" | "text" | "absent";
  readonly pings: boolean;
  readonly strangers: boolean;
  readonly startTwice: boolean;
  readonly doneBehind: boolean;
  /** A stop sequence beside the word. */
  readonly sequence: boolean;
}
const manners: fc.Arbitrary<Manner> = fc.record({
  host: fc.constantFrom("anthropic", "anthropic", "anthropic", "without-stop"),
  whole: rarely,
  sizes: pieceSizes,
  atOnce: rarely,
  blankFirst: fc.boolean(),
  nothing: fc.constantFrom("object", "object", "text", "absent"),
  pings: fc.boolean(),
  strangers: rarely,
  startTwice: rarely,
  doneBehind: rarely,
  sequence: rarely,
});

export const replies: fc.Arbitrary<Written> = fc
  .tuple(intents, manners)
  .map(([intent, manner]) => write(withoutFree(intent), manner));

/** Free-form tools take an object here. */
const withoutFree = (intent: Intent): Intent => ({
  ...intent,
  parts: intent.parts.map((part) =>
    part.kind === "free"
      ? { kind: "call", tool: "read", input: JSON.stringify({ path: part.input }) }
      : part,
  ),
});

interface Ending {
  readonly word: string;
  readonly sequence: string | null;
  readonly output: number | undefined;
}

function write(intent: Intent, manner: Manner): Written {
  const asks = callsOf(intent).length > 0;
  const right = asks ? "tool_use" : "end_turn";
  const word = intent.honest ? right : (words[intent.word % words.length] ?? right);
  const ending = {
    word,
    sequence: manner.sequence || word === "stop_sequence" ? " vast" : null,
    output: tokenCounts[intent.tokens],
  };
  const blocks = intent.parts.flatMap((part, n) => blocksOf(part, n));
  return {
    frames: manner.whole ? [wholeOf(blocks, ending)] : streamOf(blocks, ending, manner),
    whole: manner.whole,
    host: manner.host,
    truth: truthOf(intent, manner, ending),
    from: { intent, manner },
  };
}

function truthOf(
  intent: Intent,
  { whole }: Manner,
  { word, sequence, output }: Ending,
): Written["truth"] {
  const steps = intent.parts.filter((part) => part.kind === "step");
  return settle({
    calls: intent.parts.flatMap((part, n): Said[] => {
      if (part.kind !== "call") return [];
      const text = whole && !isObject(jsonValue(part.input)) ? "{}" : part.input;
      return [{ name: part.tool, id: `toolu_${n}`, text, free: false, restated: false }];
    }),
    text: textOf(intent),
    end: "came",
    words: meaningsOf(word, sequence),
    output,
    uncapped: steps.length > 0,
    working: steps.some(({ answered }) => !answered),
    closes: true,
  });
}

interface Block {
  readonly start: Readonly<Record<string, unknown>>;
  /** The delta that brings a piece, for what comes in pieces. */
  readonly pieces?: { readonly type: string; readonly member: string; readonly text: string };
  readonly last?: Readonly<Record<string, unknown>>;
}

function blocksOf(part: Part, n: number): readonly Block[] {
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
          last: { type: "signature_delta", signature: `sig${n}` },
        },
      ];
    case "call":
      return [inputBlock({ type: "tool_use", id: `toolu_${n}`, name: part.tool }, part.input)];
    case "free":
      return [];
    case "step": {
      const id = `srvtoolu_${n}`;
      const result = { type: "web_search_tool_result", tool_use_id: id, content: [] };
      return [
        inputBlock({ type: "server_tool_use", id, name: "web_search" }, '{"query":"x"}'),
        ...(part.answered ? [{ start: result }] : []),
      ];
    }
  }
}
const inputBlock = (start: Block["start"], text: string): Block => ({
  start,
  pieces: { type: "input_json_delta", member: "partial_json", text },
});

const usage = (output: number | undefined): object =>
  output === undefined ? {} : { usage: { output_tokens: output } };
const frame = (event: Readonly<Record<string, unknown>> & { readonly type: string }): Frame => ({
  name: event.type,
  data: JSON.stringify(event),
});

function streamOf(blocks: readonly Block[], ending: Ending, manner: Manner): readonly Frame[] {
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude",
    content: [],
    usage: { input_tokens: 9, output_tokens: 1 },
  };
  const start = frame({ type: "message_start", message });
  const between = [
    ...(manner.pings ? [frame({ type: "ping" })] : []),
    ...(manner.strangers ? [frame({ type: "surprise", index: 0, text: "x" })] : []),
  ];
  const delta = { stop_reason: ending.word, stop_sequence: ending.sequence };
  return [
    ...(manner.startTwice ? [start, start] : [start]),
    ...blocks.flatMap((block, index) => [...between, ...blockFrames(block, index, manner)]),
    frame({ type: "message_delta", delta, ...usage(ending.output) }),
    ...(manner.host === "without-stop" ? [] : [frame({ type: "message_stop" })]),
    ...(manner.doneBehind ? [{ data: "[DONE]" }] : []),
  ];
}

function blockFrames(
  { start, pieces, last }: Block,
  index: number,
  manner: Manner,
): readonly Frame[] {
  const delta = (change: Readonly<Record<string, unknown>>): Frame =>
    frame({ type: "content_block_delta", index, delta: change });
  const stop = frame({ type: "content_block_stop", index });
  if (pieces === undefined)
    return [frame({ type: "content_block_start", index, content_block: start }), stop];
  const { type, member, text } = pieces;
  const isInput = member === "partial_json";
  const atOnce = isInput && manner.atOnce && isObject(jsonValue(text));
  const begun = isInput ? { ...start, ...inputAtStart(manner, atOnce) } : start;
  const head = jsonWith(
    { type: "content_block_start", index, content_block: begun },
    new Map([["@", text]]),
  );
  return [
    { name: "content_block_start", data: head },
    ...(isInput && manner.blankFirst ? [delta({ type, [member]: "" })] : []),
    ...(atOnce ? [] : cutUp(text, manner.sizes).map((piece) => delta({ type, [member]: piece }))),
    ...(last ? [delta(last)] : []),
    stop,
  ];
}

function inputAtStart({ nothing }: Manner, atOnce: boolean): object {
  if (atOnce) return { input: "@" };
  if (nothing === "absent") return {};
  return { input: nothing === "object" ? {} : "" };
}

function wholeOf(blocks: readonly Block[], { word, sequence, output }: Ending): Frame {
  const holes = new Map<string, string>();
  const content = blocks.map(({ start, pieces, last }, n) => {
    if (pieces === undefined) return start;
    if (pieces.member !== "partial_json")
      return { ...start, [pieces.member]: pieces.text, ...(last && { signature: "sig" }) };
    holes.set(`@${n}@`, isObject(jsonValue(pieces.text)) ? pieces.text : "{}");
    return { ...start, input: `@${n}@` };
  });
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude",
    content,
    stop_reason: word,
    stop_sequence: sequence,
  };
  return { data: jsonWith({ ...message, ...usage(output) }, holes) };
}
