import type { Message } from "@fullstop/core";
import type { Document, ReasoningFlaw, Shape } from "../shape.ts";
import { type Entry, toMessages } from "../transcript.ts";
import { type Fields, objectsIn, textOf } from "../values.ts";
import {
  contentText,
  createWrittenIds,
  rawOf,
  readCall,
  readOther,
  readResult,
  requiredInputs,
} from "./calls.ts";

/** The calls that a client runs as functions, and the items that answer them. */
const outputTypes: ReadonlyMap<unknown, string> = new Map([
  ["function_call", "function_call_output"],
  ["custom_tool_call", "custom_tool_call_output"],
]);
const answerTypes: ReadonlySet<unknown> = new Set(outputTypes.values());

const typeOf = ({ type, role }: Fields): string =>
  textOf(type) || (role === undefined ? "" : "message");
const isAnswer = (item: Fields): boolean => answerTypes.has(typeOf(item));
/** An answer of any kind, also of tools that the API defines. */
const isOutput = (item: Fields): boolean => /_output$|_response$/.test(typeOf(item));
const isFromModel = (item: Fields | undefined): boolean =>
  item !== undefined &&
  !isOutput(item) &&
  (typeOf(item) !== "message" || item["role"] === "assistant");

const responsesTypes = /^(function_call|custom_tool_call|reasoning|message|item_reference)/;

function responsesEvidence({ list, body }: Document): string | undefined {
  if (body["input"] !== undefined) return "`input`";
  const item = list.find(({ type }) => responsesTypes.test(textOf(type)));
  if (item !== undefined) return `an item of type \`${typeOf(item)}\``;
  return list.some(({ content }) =>
    objectsIn(content).some(({ type }) => type === "input_text" || type === "output_text"),
  )
    ? "parts of type `input_text` or `output_text`"
    : undefined;
}

/** Whether the API keeps items that the file does not hold. */
const isContinued = ({ list, body }: Document): boolean =>
  (body["previous_response_id"] ?? body["conversation"] ?? undefined) !== undefined ||
  list.some((item) => typeOf(item) === "item_reference");

function readResponses(document: Document): readonly Message[] {
  const { list } = document;
  const called = new Set<unknown>();
  const entries = list.map((item, at) => {
    if (outputTypes.has(typeOf(item))) called.add(item["call_id"]);
    const isHeld = isContinued(document) && !called.has(item["call_id"]);
    return readItem(item, at, isHeld);
  });
  return toMessages(entries, { joinsReplies: true, joinsResults: true, results: "later" });
}

function readItem(item: Fields, at: number, isHeld: boolean): Entry {
  const source = { at, raw: item };
  const id = textOf(item["call_id"]);
  if (isAnswer(item) && !isHeld)
    return { kind: "results", results: [readResult({ ...source, id, name: "" })], source };
  if (!isFromModel(item)) return { kind: "user", text: contentText(item["content"]), source };
  const isText = typeOf(item) === "custom_tool_call";
  if (!outputTypes.has(typeOf(item)))
    return { kind: "assistant", blocks: [readOther(at, item)], source };
  const inputText = textOf(item[isText ? "input" : "arguments"]);
  const call = readCall({ ...source, id, name: item["name"], inputText, isText });
  return { kind: "assistant", blocks: [call], source };
}

/** Reasoning that no other item of the model follows. */
const responsesReasoningFlaws = ({ list }: Document): readonly ReasoningFlaw[] =>
  list.flatMap((item, at) =>
    typeOf(item) === "reasoning" && !isFromModel(list[at + 1])
      ? [{ at, id: textOf(item["id"]) || undefined }]
      : [],
  );

function writeResponses(messages: readonly Message[]): readonly unknown[] {
  const ids = createWrittenIds();
  const types = new Map<string, string>();
  return messages.flatMap((message): readonly unknown[] => {
    if (message.role === "user") return [rawOf(message)];
    if (message.role === "tool")
      return message.content.map((result) =>
        ids.result(result, "call_id", (call_id, output) => ({
          type: types.get(result.id),
          call_id,
          output,
        })),
      );
    return message.content.map((block) => {
      if (block.type !== "tool-call") return rawOf(block);
      types.set(block.id, outputTypes.get(typeOf(rawOf(block))) ?? "function_call_output");
      return ids.call(block, "call_id");
    });
  });
}

export const openaiResponsesShape: Shape = {
  title: "OpenAI Responses",
  member: "input",
  evidence: responsesEvidence,
  read: readResponses,
  requiredInputs: ({ tools }) => requiredInputs(objectsIn(tools), ({ parameters }) => parameters),
  reasoningFlaws: responsesReasoningFlaws,
  write: writeResponses,
};
