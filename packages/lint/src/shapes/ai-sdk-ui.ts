import type { Message, ToolResultBlock } from "@fullstop/core";
import type { Document, Shape } from "../shape.ts";
import { type Entry, type ReadBlock, type ReadResult, toMessages } from "../transcript.ts";
import { type Fields, isFields, objectsIn, textOf } from "../values.ts";
import {
  addedText,
  contentText,
  inputTextOf,
  isAdded,
  rawOf,
  readCall,
  readOther,
  readResult,
} from "./calls.ts";

const uiEvidence = ({ list }: Document): string | undefined =>
  list.some(({ parts }) => objectsIn(parts).some(({ type }) => typeof type === "string"))
    ? "`parts` with a `type`"
    : undefined;

/** The SDK leaves out calls that still stream, and settles calls that wait for a person. */
const openStates: ReadonlySet<unknown> = new Set(["input-available"]);
const answeredStates: ReadonlySet<unknown> = new Set([
  "output-available",
  "output-error",
  "output-denied",
]);

const isCall = ({ type, state, providerExecuted }: Fields): boolean =>
  (type === "dynamic-tool" || textOf(type).startsWith("tool-")) &&
  providerExecuted !== true &&
  (openStates.has(state) || answeredStates.has(state));
const nameOf = ({ type, toolName }: Fields): string =>
  type === "dynamic-tool" ? textOf(toolName) : textOf(type).slice("tool-".length);

const readUi = ({ list }: Document): readonly Message[] =>
  toMessages(list.flatMap(readUiMessage), {
    joinsReplies: false,
    joinsResults: true,
    results: "next",
  });

function readUiMessage(message: Fields, at: number): readonly Entry[] {
  const source = { at, raw: message };
  const parts = objectsIn(message["parts"]);
  if (message["role"] !== "assistant") return [{ kind: "user", text: contentText(parts), source }];
  const blocks = parts.map((raw, index) => readUiPart(raw, at, index));
  const results = parts.flatMap((raw, index) => readUiAnswer(raw, at, index));
  const kept = blocks.length === 0 ? [readOther(at, message)] : blocks;
  return [
    { kind: "assistant", blocks: kept, source },
    ...(results.length > 0 ? [{ kind: "results", results, source } as const] : []),
  ];
}

/** A call and its result are one part, so the place makes an id that is used twice unique. */
const idOf = (raw: Fields, at: number, index: number): string =>
  `${textOf(raw["toolCallId"])}#${at}.${index}`;

function readUiPart(raw: Fields, at: number, index: number): ReadBlock {
  if (!isCall(raw)) return readOther(at, raw);
  const nativeId = textOf(raw["toolCallId"]);
  const inputText = inputTextOf(raw["input"] ?? {});
  return readCall({ at, raw, id: idOf(raw, at, index), nativeId, name: nameOf(raw), inputText });
}

function readUiAnswer(raw: Fields, at: number, index: number): readonly ReadResult[] {
  if (!isCall(raw) || !answeredStates.has(raw["state"])) return [];
  const nativeId = textOf(raw["toolCallId"]);
  const isError = raw["state"] !== "output-available";
  return [readResult({ at, raw, id: idOf(raw, at, index), nativeId, name: nameOf(raw), isError })];
}

/** A result that was added becomes the state of its call's part. */
function writeUi(messages: readonly Message[]): readonly unknown[] {
  const added = new Map<string, ToolResultBlock>();
  for (const message of messages)
    if (message.role === "tool")
      for (const result of message.content) if (isAdded(result)) added.set(result.id, result);
  return messages.flatMap((message) => {
    if (message.role === "tool") return [];
    const raw = rawOf(message);
    if (message.role === "user") return [raw];
    const blocks = message.content.map((block) => {
      const result = block.type === "tool-call" ? added.get(block.id) : undefined;
      return result === undefined ? rawOf(block) : withError(rawOf(block), result);
    });
    return [{ ...raw, parts: blocks.filter((part) => isFields(part) && part !== raw) }];
  });
}

const withError = (part: Fields, result: ToolResultBlock): Fields => ({
  ...part,
  state: "output-error",
  errorText: addedText(result),
});

export const aiSdkUiShape: Shape = {
  title: "AI SDK UIMessage",
  member: "messages",
  evidence: uiEvidence,
  read: readUi,
  write: writeUi,
};
