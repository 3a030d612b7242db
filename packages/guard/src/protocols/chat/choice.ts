import { type Fields, fieldsOf, isFields, readIndex } from "@fullstop/core/adapter";
import { listOf } from "../protocol.ts";

export interface PlacedChoice {
  readonly choice: Fields;
  readonly index: unknown;
  /** It belongs to the first choice, which the gate reads. */
  readonly isMain: boolean;
  /** It is the first of its list. Many clients look for the first choice only there. */
  readonly isFirst: boolean;
}

export const choicesOf = (native: unknown): readonly PlacedChoice[] =>
  listOf(fieldsOf(native)["choices"]).map((value, position) => {
    const choice = fieldsOf(value);
    const index = choice["index"] ?? 0;
    return { choice, index, isMain: readIndex(index) === 0, isFirst: position === 0 };
  });

/** The names under which a choice holds a part of a message, or a whole one. */
export const holders = ["delta", "message"] as const;
/** The members of a message that hold calls: of today, and of the first version of the API. */
const callMembers = ["tool_calls", "function_call"] as const;

export const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "";

/** Whether a member of an object holds a value, at most three levels down. */
const holdsValue = (value: unknown, levels = 2): boolean =>
  isFields(value) && levels > 0
    ? Object.values(value).some((member) => holdsValue(member, levels - 1))
    : isSaid(value);

/** Whether an entry of `tool_calls` adds something to a call. Hosts also send empty entries. */
function isCallPart(entry: unknown): boolean {
  const { index: _, type: __, ...members } = fieldsOf(entry);
  return holdsValue(members);
}

const hasCallPart = ({ tool_calls: calls, function_call: call }: Fields): boolean =>
  (Array.isArray(calls) ? calls.some(isCallPart) : isSaid(calls)) || holdsValue(call);

export const hasCalls = (choice: Fields): boolean =>
  holders.some((name) => hasCallPart(fieldsOf(choice[name])));

const foreignCall = /^(?:tool|function)_?(?:use|call)$/i;
/** Whether a list in the message has the call of another protocol. */
export const hasForeignPart = (choice: Fields): boolean =>
  holders.some((name) => {
    const { content, content_list: parts } = fieldsOf(choice[name]);
    return [...listOf(content), ...listOf(parts)].some((part) =>
      foreignCall.test(String(fieldsOf(part)["type"])),
    );
  });

export function withoutCalls(choice: Fields): Fields {
  const changed = holders.filter((name) =>
    callMembers.some((member) => isSaid(fieldsOf(choice[name])[member])),
  );
  if (changed.length === 0) return choice;
  return {
    ...choice,
    ...Object.fromEntries(changed.map((name) => [name, messageWithoutCalls(choice[name])])),
  };
}

export function messageWithoutCalls(message: unknown): Fields {
  const { tool_calls: _, function_call: __, ...rest } = fieldsOf(message);
  return rest;
}

/** Where OpenRouter and LiteLLM give the reasoning that its provider signed. */
const signedMembers = ["reasoning_details", "thinking_blocks"] as const;
const isSigned = (entry: unknown): boolean => {
  const { type, signature, data } = fieldsOf(entry);
  return isSaid(signature) || isSaid(data) || type === "reasoning.encrypted";
};

/**
 * Without the signed reasoning. Claude refuses it behind a call that is gone, in each later request:
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
 */
export function withoutSigned(message: Fields): Fields {
  const signed = signedMembers.filter((name) => listOf(message[name]).some(isSigned));
  if (signed.length === 0) return message;
  const left = signed.map((name) => [
    name,
    listOf(message[name]).filter((entry) => !isSigned(entry)),
  ]);
  return { ...message, ...Object.fromEntries(left) };
}

const visibleMembers = [
  "content",
  "refusal",
  "reasoning_content",
  "reasoning",
  "reasoning_text",
  "reasoning_details",
  "audio",
  "images",
  "annotations",
];
const isContent = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : isSaid(value);

/** Whether a person sees something of the choice. `text` is the text of legacy completions. */
export const isVisible = (choice: Fields): boolean =>
  isContent(choice["text"]) ||
  holders.some((name) =>
    visibleMembers.some((member) => isContent(fieldsOf(choice[name])[member])),
  );

export const hasContent = (choice: Fields): boolean =>
  isContent(choice["text"]) ||
  holders.some((name) => {
    const { role: _, ...members } = messageWithoutCalls(choice[name]);
    return Object.values(members).some(isContent);
  });

export const hasRole = (choice: Fields): boolean =>
  holders.some((name) => isSaid(fieldsOf(choice[name])["role"]));

/** Whether a choice has ended. Hosts send `null`, `""` and `"null"` while it has not. */
export const hasEnding = ({ finish_reason: reason }: Fields): boolean =>
  typeof reason === "string" && reason.trim() !== "" && reason !== "null";
