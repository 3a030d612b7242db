import fc from "fast-check";
import type { Frame } from "../bytes.ts";
import {
  callsOf,
  chooseStop,
  type Intent,
  intents,
  intentText,
  jsonWith,
  type Part,
  splitText,
  tokenCounts,
  withoutSteps,
} from "../intent.ts";
import type { Fields } from "../json.ts";
import type { GeneratedReply } from "../protocol.ts";
import { callPieces, type IntendedCall, interleave, type Placeholders } from "./calls.ts";
import { chatStops } from "./hosts.ts";
import { type ChatStyle, chatStyles, consistentChatStyle } from "./style.ts";
import { chatTruth } from "./truth.ts";

export const chatReplies: fc.Arbitrary<GeneratedReply> = fc
  .tuple(intents, chatStyles)
  .map(([intent, style]) =>
    generateChat(
      withoutSteps(intent),
      style.whole ? styleOfBody(style, intent) : consistentChatStyle(style, intent),
    ),
  );

/** A complete message contains each call once. */
function styleOfBody(style: ChatStyle, intent: Intent): ChatStyle {
  const plain = {
    index: "own",
    inputs: "whole",
    legacy: style.legacy === "instead" ? "instead" : "none",
  } as const;
  const settled = consistentChatStyle({ ...style, ...plain }, intent);
  return { ...settled, inputs: "whole", stop: style.stop === "none" ? "none" : "own" };
}

function generateChat(intent: Intent, style: ChatStyle): GeneratedReply {
  const asks = callsOf(intent).length > 0;
  const right = asks ? "tool_calls" : "stop";
  const stop = chooseStop(intent, right, chatStops);
  const context: ReplyContext = { style, holes: new Map(), stop, usage: chatUsage(intent, style) };
  const calls = callsOf(intent).map((part, position): IntendedCall => {
    const free = part.kind === "free";
    return { position, name: free ? "patch" : part.tool, input: part.input, free };
  });
  return {
    frames: style.whole
      ? [chatCompletion(chatMessage(intent, calls, context), context)]
      : chatStream(intent, calls, context),
    whole: style.whole,
    host: style.host,
    truth: chatTruth(intent, { style, stop, calls, text: intentText(intent) + tailText(style) }),
    source: { intent, style },
  };
}

const tailText = ({ whole, tail }: ChatStyle): string => (!whole && tail === "prose" ? "\n" : "");

interface ReplyContext {
  readonly style: ChatStyle;
  readonly holes: Placeholders;
  readonly stop: string;
  readonly usage: Fields | undefined;
}

function chatUsage({ tokens }: Intent, { reasoning }: ChatStyle): Fields | undefined {
  const output = tokenCounts[tokens];
  if (output === undefined) return undefined;
  const details: Readonly<Record<ChatStyle["reasoning"], Fields>> = {
    absent: {},
    none: { completion_tokens_details: { reasoning_tokens: 0 } },
    some: { completion_tokens_details: { reasoning_tokens: 400 } },
  };
  return {
    prompt_tokens: 9,
    completion_tokens: output,
    total_tokens: 9 + output,
    ...details[reasoning],
  };
}

const chunkFrame = (body: Fields, { holes }: ReplyContext): Frame => ({
  data: jsonWith({ id: "chatcmpl-1", model: "model", ...body }, holes),
});

function chatStream(
  intent: Intent,
  calls: readonly IntendedCall[],
  context: ReplyContext,
): readonly Frame[] {
  const { style, usage } = context;
  const deltas = [{ role: "assistant" }, ...contentDeltas(intent, calls, context)];
  const noWord: Readonly<Record<ChatStyle["missingStop"], Fields>> = {
    null: { finish_reason: null },
    empty: { finish_reason: "" },
    absent: {},
  };
  const chunks = deltas.map(
    (delta): Fields => ({ choices: [{ index: 0, delta, ...noWord[style.missingStop] }] }),
  );
  const strangers = style.unknownChunks
    ? [
        { choices: [], prompt_filter_results: [] },
        { choices: null, copilot_references: [] },
      ]
    : [];
  const own =
    usage !== undefined && (style.usage === "own" || style.stop === "none")
      ? [{ choices: [], usage }]
      : [];
  const lower =
    usage !== undefined && style.shrinks && Number(usage["completion_tokens"]) > 0
      ? [{ choices: [], usage: { ...usage, completion_tokens: 1 } }]
      : [];
  const prose =
    style.tail === "prose"
      ? [{ choices: [{ index: 0, delta: { content: "\n" }, ...noWord[style.missingStop] }] }]
      : [];
  const ended = withFinishReason(chunks, context, chatMessage(intent, calls, context));
  const frames = [...strangers, ...ended, ...prose, ...own, ...lower].map((chunk) =>
    chunkFrame(chunk, context),
  );
  return style.done ? [...frames, { data: "[DONE]" }] : frames;
}

/** Adds the stop reason where the host sends it. */
function withFinishReason(
  chunks: readonly Fields[],
  { style, stop, usage }: ReplyContext,
  message: Fields,
): readonly Fields[] {
  const beside: Readonly<Record<ChatStyle["usage"], Fields>> = {
    own: {},
    stop: { usage },
    choice: {},
    groq: { x_groq: { usage } },
  };
  const choice = {
    index: 0,
    finish_reason: stop,
    ...secondStop(style),
    ...(style.usage === "choice" && usage !== undefined && { usage }),
  };
  const stub = style.legacy === "stub" ? { function_call: { name: "", arguments: "" } } : {};
  const tails: Readonly<Record<ChatStyle["tail"], Fields>> = {
    none: { delta: stub },
    prose: { delta: stub },
    message: { message },
    stranger: { delta: { role: "assistant", ...stub } },
  };
  const end = {
    ...(style.tail === "stranger" && { id: "gateway-1" }),
    choices: [{ ...choice, ...tails[style.tail] }],
    ...(usage !== undefined && beside[style.usage]),
  };
  const places: Readonly<Record<ChatStyle["stop"], () => readonly Fields[]>> = {
    own: () => [...chunks, end],
    last: () => [...chunks.slice(0, -1), ...chunks.slice(-1).map((last) => mergeChunks(last, end))],
    twice: () => [...chunks, end, { ...end, choices: [{ ...choice, delta: {} }] }],
    late: () => [...chunks.slice(0, -1), end, ...chunks.slice(-1), end],
    none: () => chunks,
  };
  return places[style.stop]();
}

const secondStop = ({ stopReason }: Pick<ChatStyle, "stopReason">): Fields =>
  ({
    absent: {},
    null: { stop_reason: null },
    length: { stop_reason: "length" },
    own: { stop_reason: "<|im_end|>" },
  })[stopReason];

function mergeChunks(chunk: Fields, end: Fields): Fields {
  const [content] = chunk["choices"] as readonly Fields[];
  const [stop] = end["choices"] as readonly Fields[];
  const delta = { ...(stop?.["delta"] as object), ...(content?.["delta"] as object) };
  return { ...end, choices: [{ ...content, ...stop, delta }] };
}

/** The deltas of a stream. */
function contentDeltas(
  intent: Intent,
  calls: readonly IntendedCall[],
  context: ReplyContext,
): readonly Fields[] {
  const { style } = context;
  const prose = intent.parts.flatMap((part) => textDeltas(part, style));
  const [first] = calls;
  if (style.legacy === "instead" && first !== undefined) {
    const { name, input } = first;
    return [
      ...prose,
      ...[input === "" ? [""] : splitText(input, style.sizes)].flat().map((text, position) => ({
        function_call: position === 0 ? { name, arguments: text } : { arguments: text },
      })),
    ];
  }
  const pieces = calls.map((call, position) => callPieces(call, position, context));
  const again =
    style.repeated && first !== undefined ? [callPieces(first, calls.length, context)] : [];
  const echo =
    style.legacy === "echo" && first !== undefined
      ? [{ function_call: { name: first.name, arguments: first.input } }]
      : [];
  return [
    ...prose,
    ...interleave([...pieces, ...again], style.interleaved).map((deltas) => ({
      tool_calls: deltas,
    })),
    ...echo,
  ];
}

function textDeltas(part: Part, { sizes, refuses }: ChatStyle): readonly Fields[] {
  if (part.kind === "thinking")
    return splitText(part.text, sizes).map((text) => ({ reasoning_content: text }));
  if (part.kind !== "text") return [];
  return splitText(part.text, sizes).map((text) => ({ [refuses ? "refusal" : "content"]: text }));
}

function chatMessage(
  intent: Intent,
  calls: readonly IntendedCall[],
  context: ReplyContext,
): Fields {
  const style: ChatStyle = { ...context.style, inputs: "whole" };
  const text = intentText(intent);
  const thoughts = intent.parts.map((part) => (part.kind === "thinking" ? part.text : "")).join("");
  const [first] = calls;
  const toolCalls: Fields =
    style.legacy === "instead" && first !== undefined
      ? { function_call: { name: first.name, arguments: first.input } }
      : {
          tool_calls: calls.flatMap((call, position) =>
            callPieces(call, position, { ...context, style }),
          ),
        };
  return {
    role: "assistant",
    content: style.refuses || text === "" ? null : text,
    ...(style.refuses && { refusal: text }),
    ...(thoughts !== "" && { reasoning_content: thoughts }),
    ...(calls.length > 0 && toolCalls),
  };
}

function chatCompletion(message: Fields, context: ReplyContext): Frame {
  const { style, stop, usage } = context;
  const choice = {
    index: 0,
    message,
    finish_reason: style.stop === "none" ? null : stop,
    ...(style.stop !== "none" && secondStop(style)),
  };
  const { data } = chunkFrame(
    { object: "chat.completion", choices: [choice], ...(usage !== undefined && { usage }) },
    context,
  );
  return { data: style.doneBehindBody ? `${data}\n\ndata: [DONE]\n\n` : data };
}
