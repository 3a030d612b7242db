import type { Message, ToolResultBlock } from "@fullstop/core";
import type { Document, ReasoningFlaw, Shape } from "../shape.ts";
import { type Entry, type ReadBlock, toMessages } from "../transcript.ts";
import { type Fields, fieldsOf, objectsIn, textOf } from "../values.ts";
import {
  contentText,
  createLocalIds,
  createWrittenIds,
  inputTextOf,
  type LocalIds,
  rawOf,
  readCall,
  readOther,
  readResult,
  type WrittenIds,
} from "./calls.ts";

const sdkEvidence = ({ list }: Document): string | undefined =>
  list.some(({ content }) =>
    objectsIn(content).some(({ toolCallId }) => typeof toolCallId === "string"),
  )
    ? "parts with `toolCallId`"
    : undefined;

/** Calls that wait for a person, or that a person has answered: the SDK settles them. */
const approvedCalls = (list: readonly Fields[]): ReadonlySet<unknown> =>
  new Set(
    list
      .flatMap(({ content }) => objectsIn(content))
      .filter(({ type }) => type === "tool-approval-request")
      .map(({ toolCallId }) => toolCallId),
  );

function readSdk({ list }: Document): readonly Message[] {
  const ids = createLocalIds();
  const approved = approvedCalls(list);
  const entries = list.map((message, at) => readSdkMessage(message, at, ids, approved));
  return toMessages(entries, { joinsReplies: false, joinsResults: true, results: "before-user" });
}

function readSdkMessage(
  message: Fields,
  at: number,
  ids: LocalIds,
  approved: ReadonlySet<unknown>,
): Entry {
  const { role, content } = message;
  const source = { at, raw: message };
  const parts = objectsIn(content);
  if (role === "tool") {
    const results = parts
      .filter(({ type, toolCallId }) => type === "tool-result" && !approved.has(toolCallId))
      .map((raw) => readSdkAnswer(raw, at, ids));
    // A message with answers of a person only.
    if (results.length === 0)
      return { kind: "assistant", blocks: [readOther(at, message)], source };
    return { kind: "results", results, source };
  }
  if (role !== "assistant") return { kind: "user", text: contentText(content), source };
  const blocks = parts.map((raw) => readSdkPart(raw, at, ids, approved));
  const kept = blocks.length === 0 ? [readOther(at, message)] : blocks;
  return { kind: "assistant", blocks: kept, source };
}

function readSdkPart(
  raw: Fields,
  at: number,
  ids: LocalIds,
  approved: ReadonlySet<unknown>,
): ReadBlock {
  const isOwnCall = raw["type"] === "tool-call" && raw["providerExecuted"] !== true;
  if (!isOwnCall || approved.has(raw["toolCallId"])) return readOther(at, raw);
  const nativeId = textOf(raw["toolCallId"]);
  const id = ids.call(nativeId, at);
  const inputText = inputTextOf(raw["input"] ?? raw["args"]);
  return readCall({ at, raw, id, nativeId, name: raw["toolName"], inputText });
}

function readSdkAnswer(raw: Fields, at: number, ids: LocalIds): ReturnType<typeof readResult> {
  const nativeId = textOf(raw["toolCallId"]);
  const isError = textOf(fieldsOf(raw["output"])["type"]).startsWith("error");
  const id = ids.result(nativeId);
  return readResult({ at, raw, id, nativeId, name: raw["toolName"], isError });
}

/** Reasoning with an id of OpenAI that no other part follows. */
const sdkReasoningFlaws = ({ list }: Document): readonly ReasoningFlaw[] =>
  list.flatMap(({ role, content }, at) => {
    const last = objectsIn(content).at(-1);
    const { itemId } = fieldsOf(fieldsOf(last?.["providerOptions"])["openai"]);
    const isLast = last?.["type"] === "reasoning" && typeof itemId === "string";
    return role === "assistant" && isLast && list[at + 1]?.["role"] !== "assistant"
      ? [{ at, id: itemId }]
      : [];
  });

function writeSdk(messages: readonly Message[]): readonly unknown[] {
  const ids = createWrittenIds();
  return messages.map((message) => {
    const raw = rawOf(message);
    if (message.role === "user" || typeof raw["content"] === "string") return raw;
    if (message.role === "tool")
      return {
        role: "tool",
        content: message.content.map((result) => writeSdkResult(result, ids)),
      };
    if (message.content.some((block) => rawOf(block) === raw)) return raw;
    const content = message.content.map((block) =>
      block.type === "tool-call" ? ids.call(block, "toolCallId") : rawOf(block),
    );
    return { ...raw, content };
  });
}

const writeSdkResult = (result: ToolResultBlock, ids: WrittenIds): Fields =>
  ids.result(result, "toolCallId", (toolCallId, value) => ({
    type: "tool-result",
    toolCallId,
    toolName: result.name,
    output: { type: "error-text", value },
  }));

export const aiSdkShape: Shape = {
  title: "AI SDK ModelMessage",
  member: "messages",
  evidence: sdkEvidence,
  read: readSdk,
  reasoningFlaws: sdkReasoningFlaws,
  write: writeSdk,
};
