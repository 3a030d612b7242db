import type { Message, ToolCallBlock } from "@fullstop/core";
import { contentText } from "./shapes/calls.ts";
import { sourceOf } from "./transcript.ts";
import { tryParseJson } from "./values.ts";

interface CallFlaw {
  readonly rule: "cut-input" | "empty-input" | "denied-call";
  readonly at: number;
  readonly id: string;
}

const flawOf = (rule: CallFlaw["rule"], call: ToolCallBlock): CallFlaw => {
  const source = sourceOf(call);
  return { rule, at: source?.at ?? 0, id: source?.nativeId ?? call.id };
};

const callsOf = (message: Message): readonly ToolCallBlock[] =>
  message.role === "assistant" ? message.content.filter((block) => block.type === "tool-call") : [];

export const inputFlaws = (
  messages: readonly Message[],
  required: ReadonlyMap<string, readonly string[]>,
): readonly CallFlaw[] =>
  messages.flatMap((message, at) =>
    callsOf(message).flatMap((call) => {
      const rule = inputRule(call, required);
      const isKnown = rule === "empty-input" && isFailed(call, messages[at + 1]);
      return rule === undefined || isKnown ? [] : [flawOf(rule, call)];
    }),
  );

function inputRule(
  { kind, name, inputText }: ToolCallBlock,
  required: ReadonlyMap<string, readonly string[]>,
): "cut-input" | "empty-input" | undefined {
  if (kind === "text") return undefined;
  const text = inputText.replace(/\s/g, "");
  if (text !== "" && tryParseJson(inputText) === undefined) return "cut-input";
  const isEmpty = text === "" || text === "{}";
  return isEmpty && (required.get(name)?.length ?? 0) > 0 ? "empty-input" : undefined;
}

/** An error as the result: the history does not hide that the input was not usable. */
const isFailed = ({ id }: ToolCallBlock, next: Message | undefined): boolean =>
  next?.role === "tool" &&
  next.content.some((result) => result.id === id && result.isError === true);

/** The sentence of `explain` in core, in a note for the model. */
const deniedSentence = ["None of your tool calls (", ") ran."] as const;
function namesDenied(text: string): readonly string[] {
  const [begin, end] = deniedSentence;
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  return from < 0 || to < 0 ? [] : text.slice(from + begin.length, to).split(", ");
}

/** A result between the two means that the note speaks of a later reply. */
export const deniedCalls = (messages: readonly Message[]): readonly CallFlaw[] =>
  messages.flatMap((message, at) =>
    callsDeniedBy(messages[at + 1], message).map((call) => flawOf("denied-call", call)),
  );

function callsDeniedBy(note: Message | undefined, reply: Message): readonly ToolCallBlock[] {
  if (note?.role !== "user") return [];
  const names = namesDenied(contentText(note.content));
  return callsOf(reply).filter(({ name }) => names.includes(name));
}

export const withoutDeniedCalls = (messages: readonly Message[]): readonly Message[] =>
  messages.map((message, at) => {
    const denied = callsDeniedBy(messages[at + 1], message);
    if (message.role !== "assistant" || denied.length === 0) return message;
    const content = message.content.filter(
      (block) => block.type !== "tool-call" || !denied.includes(block),
    );
    return { ...message, content };
  });
