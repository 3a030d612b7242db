import fc from "fast-check";
import type { Frame } from "../bytes.ts";
import { type Drawn, oneOf, rarely } from "../chances.ts";
import {
  type CallPart,
  chooseStop,
  type Intent,
  intents,
  jsonWith,
  objectOf,
  type Part,
  pieceSizes,
  splitText,
  tokenCounts,
  withoutFreeForm,
  withoutSteps,
} from "../intent.ts";
import type { Fields } from "../json.ts";
import type { GeneratedReply } from "../protocol.ts";
import { truthOf } from "../settle.ts";
import { ollamaMeaning, ollamaStops } from "./stops.ts";

/** Variations between servers of the protocol. */
const ollamaStyles = fc.record({
  host: oneOf("ollama", "ollama", "ollama", "mislabels"),
  whole: rarely,
  /** The body of a reply in one piece is spread over lines. */
  spread: fc.boolean(),
  sizes: pieceSizes,
  /** Newer servers give each call an id. */
  ids: fc.boolean(),
  /** Servers that imitate the API send the arguments as a text. */
  textArguments: rarely,
  indices: fc.boolean(),
  /** The line of the last part is the last line. */
  contentInLast: fc.boolean(),
  /** Calls behind each other share a line. */
  callsTogether: fc.boolean(),
  /** The usage comes in a line before the last one. */
  usageFirst: rarely,
  nulls: rarely,
});
type OllamaStyle = Drawn<typeof ollamaStyles>;

export const ollamaReplies: fc.Arbitrary<GeneratedReply> = fc
  .tuple(intents, ollamaStyles)
  .map(([intent, style]) => generateOllama(withoutSteps(withoutFreeForm(intent)), style));

function generateOllama(intent: Intent, style: OllamaStyle): GeneratedReply {
  const stop = chooseStop(intent, "stop", ollamaStops);
  const output = tokenCounts[intent.tokens];
  const holes = new Map<string, string>();
  const messages = messagesOf(intent, style, holes);
  const ending = { done_reason: stop, ...(output !== undefined && { eval_count: output }) };
  const replies = style.whole
    ? [{ message: joined(messages), done: true, ...ending }]
    : streamed(messages, ending, style);
  return {
    frames: replies.map((reply) => ollamaLine(reply, { style, holes })),
    whole: style.whole,
    host: style.host,
    truth: ollamaTruth(intent, style, { stop, output }),
    source: { intent, style },
  };
}

function ollamaTruth(
  intent: Intent,
  style: OllamaStyle,
  { stop, output }: { readonly stop: string; readonly output: number | undefined },
): GeneratedReply["truth"] {
  return truthOf(intent, {
    call: (part, position) => ({
      id: style.ids ? `call_${position}` : undefined,
      text: sentInput(part, style),
    }),
    stops: [ollamaMeaning(stop)],
    output,
    mislabelsTruncation: style.host === "mislabels",
  });
}

/** Only an object can be sent as an object. */
const sentInput = ({ input }: CallPart, { textArguments }: OllamaStyle): string =>
  textArguments ? input : objectOf(input);

/** The messages of the lines. Inputs are holes. */
function messagesOf(
  { parts }: Intent,
  style: OllamaStyle,
  holes: Map<string, string>,
): readonly Fields[] {
  const messages: Fields[] = [];
  for (const [position, part] of parts.entries()) {
    const calls = messages.at(-1)?.["tool_calls"];
    if (part.kind !== "call") messages.push(...textMessages(part, style));
    else if (style.callsTogether && Array.isArray(calls))
      calls.push(callOf(part, position, { style, holes }));
    else messages.push({ content: "", tool_calls: [callOf(part, position, { style, holes })] });
  }
  return messages;
}

function textMessages(part: Part, { sizes }: OllamaStyle): readonly Fields[] {
  if (part.kind === "text") return splitText(part.text, sizes).map((content) => ({ content }));
  if (part.kind !== "thinking") return [];
  return splitText(part.text, sizes).map((thinking) => ({ content: "", thinking }));
}

interface CallStyle {
  readonly style: OllamaStyle;
  readonly holes: Map<string, string>;
}

function callOf(part: CallPart, position: number, { style, holes }: CallStyle): Fields {
  const text = sentInput(part, style);
  const hole = `@${position}@`;
  // A line has no line end in it.
  holes.set(hole, style.textArguments ? JSON.stringify(text) : text.replaceAll("\n", " "));
  return {
    ...(style.ids && { id: `call_${position}` }),
    function: { ...(style.indices && { index: 0 }), name: part.tool, arguments: hole },
  };
}

/** One message with everything. */
function joined(messages: readonly Fields[]): Fields {
  const textOf = (member: string): string =>
    messages.map((message) => String(message[member] ?? "")).join("");
  const calls = messages.flatMap((message) => (message["tool_calls"] as unknown[]) ?? []);
  const thinking = textOf("thinking");
  return {
    content: textOf("content"),
    ...(thinking !== "" && { thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function streamed(
  messages: readonly Fields[],
  ending: Fields,
  { contentInLast, usageFirst }: OllamaStyle,
): readonly Fields[] {
  const { eval_count: output, ...rest } = ending;
  const isEarly = usageFirst && output !== undefined;
  const first = contentInLast ? messages.slice(0, -1) : messages;
  const last = (contentInLast ? messages.at(-1) : undefined) ?? { content: "" };
  return [
    ...first.map((message) => ({ message, done: false })),
    ...(isEarly ? [{ message: { content: "" }, done: false, eval_count: output }] : []),
    { message: last, done: true, ...(isEarly ? rest : ending) },
  ];
}

function ollamaLine(
  { message, ...reply }: Fields,
  { style: { nulls, whole, spread }, holes }: CallStyle,
): Frame {
  const none = nulls ? { tool_calls: null, thinking: null } : {};
  const line = {
    model: "qwen3",
    created_at: "2026-08-03T10:00:00.000Z",
    message: { role: "assistant", ...none, ...(message as Fields) },
    ...reply,
    ...(reply["done"] === true && { prompt_eval_count: 9, total_duration: 4_000_000 }),
  };
  // An input takes the place of its hole in either layout.
  return { data: jsonWith(line, holes, whole && spread ? 1 : undefined) };
}
