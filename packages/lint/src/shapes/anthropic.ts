import type { Message, ToolResultBlock } from "@fullstop/core";
import type { Document, ReasoningFlaw, Shape } from "../shape.ts";
import { type Entry, toMessages } from "../transcript.ts";
import { type Fields, fieldsOf, objectsIn, textOf } from "../values.ts";
import {
  addedText,
  contentText,
  createWrittenIds,
  inputTextOf,
  isAdded,
  rawOf,
  readCall,
  readOther,
  readResult,
  requiredOf,
  type WrittenIds,
} from "./calls.ts";

const anthropicTypes: ReadonlySet<unknown> = new Set([
  "tool_use",
  "tool_result",
  "thinking",
  "redacted_thinking",
  "server_tool_use",
]);

function anthropicEvidence({ list, body }: Document): string | undefined {
  const types = list.flatMap(({ content }) => objectsIn(content).map(({ type }) => type));
  const found = types.find((type) => anthropicTypes.has(type));
  if (found !== undefined) return `a block of type \`${String(found)}\``;
  if (objectsIn(body["tools"]).some((tool) => tool["input_schema"] !== undefined))
    return "`tools` with `input_schema`";
  return body["system"] !== undefined && body["max_tokens"] !== undefined
    ? "`system` beside `messages`"
    : undefined;
}

const blocksOf = (content: unknown): readonly Fields[] => {
  if (typeof content !== "string") return objectsIn(content);
  return content === "" ? [] : [{ type: "text", text: content }];
};

const readAnthropic = ({ list }: Document): readonly Message[] =>
  toMessages(list.flatMap(readAnthropicMessage), {
    joinsReplies: true,
    joinsResults: true,
    results: "next",
  });

function readAnthropicMessage(message: Fields, at: number): readonly Entry[] {
  const source = { at, raw: message };
  const blocks = blocksOf(message["content"]);
  if (message["role"] === "assistant")
    return [{ kind: "assistant", blocks: blocks.map((block) => readBlock(block, at)), source }];
  const results = blocks.filter(({ type }) => type === "tool_result");
  const others = blocks.filter(({ type }) => type !== "tool_result");
  const rest = { at, raw: results.length > 0 ? { ...message, content: others } : message };
  return [
    ...(results.length > 0
      ? [
          {
            kind: "results",
            results: results.map((raw) => readAnthropicAnswer(raw, at)),
            source,
          } as const,
        ]
      : []),
    ...(others.length > 0 || results.length === 0
      ? [{ kind: "user", text: contentText(others), source: rest } as const]
      : []),
  ];
}

const readBlock = (raw: Fields, at: number): ReturnType<typeof readOther> =>
  raw["type"] === "tool_use"
    ? readCall({
        at,
        raw,
        id: textOf(raw["id"]),
        name: raw["name"],
        inputText: inputTextOf(raw["input"]),
      })
    : readOther(at, raw);

const readAnthropicAnswer = (raw: Fields, at: number): ReturnType<typeof readResult> =>
  readResult({
    at,
    raw,
    id: textOf(raw["tool_use_id"]),
    name: "",
    isError: raw["is_error"] === true,
  });

/** Thinking without its signature, or at the end of a reply. */
function anthropicReasoningFlaws({ list }: Document): readonly ReasoningFlaw[] {
  return list.flatMap((message, at) => {
    if (message["role"] !== "assistant") return [];
    const blocks = blocksOf(message["content"]);
    const unsigned = blocks.some(
      ({ type, signature }) => type === "thinking" && textOf(signature) === "",
    );
    const last = blocks.at(-1)?.["type"];
    const next = list[at + 1]?.["role"];
    const isLast = next !== "assistant" && (last === "thinking" || last === "redacted_thinking");
    return unsigned || isLast ? [{ at }] : [];
  });
}

function anthropicRequiredInputs({ tools }: Fields): ReadonlyMap<string, readonly string[]> {
  return new Map(
    objectsIn(tools).map((tool) => [textOf(tool["name"]), requiredOf(tool["input_schema"])]),
  );
}

function writeAnthropic(messages: readonly Message[]): readonly unknown[] {
  const ids = createWrittenIds();
  const written: Fields[] = [];
  let hasResults = false;
  for (const message of messages) {
    const before = written.at(-1);
    const next = writeMessage(message, ids);
    if (message.role === "user" && hasResults && before !== undefined)
      written[written.length - 1] = {
        ...before,
        content: [...blocksOf(before["content"]), ...blocksOf(next["content"])],
      };
    else written.push(next);
    hasResults = message.role === "tool" || (hasResults && message.role === "user");
  }
  return written;
}

function writeMessage(message: Message, ids: WrittenIds): Fields {
  if (message.role === "user") return rawOf(message);
  if (message.role === "tool")
    return {
      role: "user",
      content: message.content.map((result) => writeAnthropicResult(result, ids)),
    };
  const raw = rawOf(message);
  const blocks = message.content.map((block) => {
    if (block.type !== "tool-call") return rawOf(block);
    ids.add(block);
    return { ...rawOf(block), id: ids.of(block.id) };
  });
  return { ...raw, content: typeof raw["content"] === "string" ? raw["content"] : blocks };
}

function writeAnthropicResult(result: ToolResultBlock, ids: WrittenIds): Fields {
  if (isAdded(result))
    return {
      type: "tool_result",
      tool_use_id: ids.of(result.id),
      content: addedText(result),
      is_error: true,
    };
  const renamed = ids.renamed(result);
  return { ...fieldsOf(rawOf(result)), ...(renamed !== undefined && { tool_use_id: renamed }) };
}

export const anthropicShape: Shape = {
  title: "Anthropic Messages",
  member: "messages",
  evidence: anthropicEvidence,
  read: readAnthropic,
  requiredInputs: anthropicRequiredInputs,
  reasoningFlaws: anthropicReasoningFlaws,
  write: writeAnthropic,
};
