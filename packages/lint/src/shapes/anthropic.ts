import type { Message } from "@fullstop/core";
import type { Document, ReasoningFlaw, Shape } from "../shape.ts";
import { type Entry, toMessages } from "../transcript.ts";
import { type Fields, objectsIn, textOf } from "../values.ts";
import {
  createWrittenIds,
  inputTextOf,
  rawOf,
  readCall,
  readOther,
  readResult,
  requiredInputs,
  splitResults,
  type WrittenIds,
  writeJoined,
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
  const answers = results.map((raw) => readAnthropicAnswer(raw, at));
  return splitResults(source, "content", answers, others);
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

function writeAnthropic(messages: readonly Message[]): readonly unknown[] {
  const ids = createWrittenIds();
  return writeJoined(
    messages,
    (message) => writeMessage(message, ids),
    (results, said) => ({
      ...results,
      content: [...blocksOf(results["content"]), ...blocksOf(said["content"])],
    }),
  );
}

const addedResult = (tool_use_id: string, content: string): Fields => ({
  type: "tool_result",
  tool_use_id,
  content,
  is_error: true,
});

function writeMessage(message: Message, ids: WrittenIds): Fields {
  if (message.role === "user") return rawOf(message);
  if (message.role === "tool")
    return {
      role: "user",
      content: message.content.map((result) => ids.result(result, "tool_use_id", addedResult)),
    };
  const raw = rawOf(message);
  const blocks = message.content.map((block) =>
    block.type === "tool-call" ? ids.call(block, "id") : rawOf(block),
  );
  return { ...raw, content: typeof raw["content"] === "string" ? raw["content"] : blocks };
}

export const anthropicShape: Shape = {
  title: "Anthropic Messages",
  member: "messages",
  evidence: anthropicEvidence,
  read: readAnthropic,
  requiredInputs: ({ tools }) =>
    requiredInputs(objectsIn(tools), ({ input_schema: schema }) => schema),
  reasoningFlaws: anthropicReasoningFlaws,
  write: writeAnthropic,
};
