import type { AssistantMessage, Message } from "@fullstop/core";
import type { Document, Shape } from "../shape.ts";
import { type Entry, toMessages } from "../transcript.ts";
import { type Fields, fieldsOf, objectsIn, textOf } from "../values.ts";
import {
  contentText,
  createLocalIds,
  createWrittenIds,
  type LocalIds,
  rawOf,
  readCall,
  readOther,
  readResult,
  requiredInputs,
  type WrittenIds,
} from "./calls.ts";

function chatEvidence({ list, body }: Document): string | undefined {
  if (list.some((message) => Array.isArray(message["tool_calls"]))) return "`tool_calls`";
  if (list.some((message) => typeof message["tool_call_id"] === "string")) return "`tool_call_id`";
  if (list.some(({ role }) => role === "developer" || role === "function"))
    return "the role developer or function";
  return objectsIn(body["tools"]).some((tool) => tool["function"] !== undefined)
    ? "`tools` with `function`"
    : undefined;
}

const readChat = ({ list }: Document): readonly Message[] => {
  const ids = createLocalIds();
  const entries = list.map((message, at) => readChatMessage(message, at, ids));
  return toMessages(entries, { joinsReplies: false, joinsResults: true, results: "next" });
};

function readChatMessage(message: Fields, at: number, ids: LocalIds): Entry {
  const { role, content, name } = message;
  const source = { at, raw: message };
  if (role === "tool") {
    const nativeId = textOf(message["tool_call_id"]);
    const id = ids.result(nativeId);
    return { kind: "results", results: [readResult({ ...source, id, nativeId, name })], source };
  }
  if (role !== "assistant") return { kind: "user", text: contentText(content), source };
  const calls = objectsIn(message["tool_calls"]).map((raw) => {
    const nativeId = textOf(raw["id"]);
    const { name: called, arguments: input } = fieldsOf(raw["function"]);
    const custom = fieldsOf(raw["custom"]);
    const isText = raw["type"] === "custom";
    return readCall({
      at,
      raw,
      id: ids.call(nativeId, at),
      nativeId,
      name: isText ? custom["name"] : called,
      inputText: textOf(isText ? custom["input"] : input),
      isText,
    });
  });
  // The content keeps a reply alive if its calls go. OpenAI accepts an empty one.
  const hasContent = calls.length === 0 || contentText(content) !== "";
  return {
    kind: "assistant",
    blocks: [...(hasContent ? [readOther(at, message)] : []), ...calls],
    source,
  };
}

function writeChat(messages: readonly Message[]): readonly unknown[] {
  const ids = createWrittenIds();
  return messages.flatMap((message): readonly unknown[] => {
    if (message.role === "assistant") return [writeReply(message, ids)];
    if (message.role === "user") return [rawOf(message)];
    return message.content.map((result) =>
      ids.result(result, "tool_call_id", (tool_call_id, content) => ({
        role: "tool",
        tool_call_id,
        content,
      })),
    );
  });
}

function writeReply(message: AssistantMessage, ids: WrittenIds): unknown {
  const calls = message.content.filter((block) => block.type === "tool-call");
  const { tool_calls: _, ...raw } = rawOf(message);
  const written = calls.map((call) => ids.call(call, "id"));
  return { ...raw, ...(written.length > 0 && { tool_calls: written }) };
}

export const openaiChatShape: Shape = {
  title: "OpenAI Chat Completions",
  member: "messages",
  evidence: chatEvidence,
  read: readChat,
  requiredInputs: ({ tools }) =>
    requiredInputs(
      objectsIn(tools).map((tool) => fieldsOf(tool["function"])),
      ({ parameters }) => parameters,
    ),
  write: writeChat,
};
