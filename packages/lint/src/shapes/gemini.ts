import type { Message } from "@fullstop/core";
import type { Document, ReasoningFlaw, Shape } from "../shape.ts";
import { type Entry, type ReadBlock, toMessages } from "../transcript.ts";
import { type Fields, fieldsOf, isFields, objectsIn, textOf } from "../values.ts";
import {
  addedText,
  inputTextOf,
  isAdded,
  rawOf,
  readCall,
  readOther,
  readResult,
  requiredInputs,
  splitResults,
  writeJoined,
} from "./calls.ts";

/** Google's JSON takes lowerCamelCase and snake_case. https://protobuf.dev/programming-guides/json */
const callOf = (part: Fields): Fields | undefined =>
  objectAt(part, "functionCall", "function_call");
const responseOf = (part: Fields): Fields | undefined =>
  objectAt(part, "functionResponse", "function_response");
function objectAt(part: Fields, camel: string, snake: string): Fields | undefined {
  const value = part[camel] ?? part[snake];
  return isFields(value) ? value : undefined;
}
const signatureOf = (part: Fields): unknown =>
  part["thoughtSignature"] ?? part["thought_signature"];

function geminiEvidence({ list, body }: Document): string | undefined {
  if (Array.isArray(body["contents"])) return "`contents`";
  const parts = list.flatMap((content) => objectsIn(content["parts"]));
  if (parts.length === 0 || parts.some(({ type }) => type !== undefined)) return undefined;
  return "`parts` without a `type`";
}

/** A call that waits for its response: the API pairs by id if there is one, else by name. */
interface OpenCall {
  readonly id: string;
  readonly nativeId: string | undefined;
  readonly name: string;
}
interface Reading {
  open: OpenCall[];
  count: number;
  afterModel: boolean;
}

function readGemini({ list, body }: Document): readonly Message[] {
  const reading: Reading = { open: [], count: 0, afterModel: false };
  // The server may hold the contents before these.
  const isPart = (body["cachedContent"] ?? body["cached_content"]) !== undefined;
  const entries = list.flatMap((content, at) => readContent(content, at, reading, isPart));
  return toMessages(entries, { joinsReplies: true, joinsResults: false, results: "next" });
}

function readContent(
  content: Fields,
  at: number,
  reading: Reading,
  isPart: boolean,
): readonly Entry[] {
  const source = { at, raw: content };
  const parts = objectsIn(content["parts"]);
  if (content["role"] === "model") {
    if (!reading.afterModel) reading.open = [];
    reading.afterModel = true;
    return [
      { kind: "assistant", blocks: parts.map((raw) => readGeminiPart(raw, at, reading)), source },
    ];
  }
  reading.afterModel = false;
  const isHeld = isPart && reading.count === 0;
  const results = isHeld ? [] : parts.filter((part) => responseOf(part) !== undefined);
  const others = parts.filter((part) => !results.includes(part));
  const answers = results.map((raw) => readGeminiAnswer(raw, at, reading));
  return splitResults(source, "parts", answers, others);
}

function readGeminiPart(raw: Fields, at: number, reading: Reading): ReadBlock {
  const call = callOf(raw);
  if (call === undefined) return readOther(at, raw);
  const name = textOf(call["name"]);
  const nativeId = typeof call["id"] === "string" ? call["id"] : undefined;
  const id = `${nativeId ?? name}#${reading.count++}`;
  reading.open.push({ id, nativeId, name });
  const inputText = inputTextOf(call["args"] ?? {});
  return readCall({ at, raw, id, nativeId: nativeId ?? name, name, inputText });
}

function readGeminiAnswer(
  raw: Fields,
  at: number,
  reading: Reading,
): ReturnType<typeof readResult> {
  const response = responseOf(raw) ?? {};
  const name = textOf(response["name"]);
  const nativeId = typeof response["id"] === "string" ? response["id"] : undefined;
  const byId = reading.open.find((call) => nativeId !== undefined && call.nativeId === nativeId);
  const found = byId ?? reading.open.find((call) => call.name === name);
  reading.open = reading.open.filter((call) => call !== found);
  const id = found?.id ?? `${nativeId ?? name}#${reading.count++}`;
  const isError = fieldsOf(response["response"])["error"] !== undefined;
  return readResult({ at, raw, id, nativeId: nativeId ?? name, name, isError });
}

/** In a turn with a signed step the model signs its calls: this signature was lost. */
function geminiReasoningFlaws({ list }: Document): readonly ReasoningFlaw[] {
  const spoken = list.findLastIndex(
    ({ role, parts }) =>
      role !== "model" && !objectsIn(parts).some((part) => responseOf(part) !== undefined),
  );
  const firsts = list.flatMap((content, at) => {
    if (at <= spoken || content["role"] !== "model" || list[at - 1]?.["role"] === "model")
      return [];
    const part = replyParts(list, at).find((one) => callOf(one) !== undefined);
    return part === undefined ? [] : [{ at, part }];
  });
  const isSigned = ({ part }: { readonly part: Fields }): boolean =>
    typeof signatureOf(part) === "string";
  if (!firsts.some(isSigned)) return [];
  return firsts
    .filter((first) => !isSigned(first))
    .map(({ at, part }) => ({ at, id: textOf(callOf(part)?.["name"]) }));
}

/** The parts of a reply, which may stand in several contents. */
function replyParts(list: readonly Fields[], at: number): readonly Fields[] {
  const rest = list.slice(at);
  const end = rest.findIndex(({ role }) => role !== "model");
  return rest.slice(0, end < 0 ? undefined : end).flatMap((content) => objectsIn(content["parts"]));
}

const declaredIn = ({ tools }: Fields): readonly Fields[] =>
  objectsIn(tools).flatMap((tool) =>
    objectsIn(tool["functionDeclarations"] ?? tool["function_declarations"]),
  );

function writeGemini(messages: readonly Message[]): readonly unknown[] {
  const ids = new Map<string, unknown>();
  return writeJoined(
    messages,
    (message) => writeContent(message, ids),
    (results, said) => ({
      ...results,
      parts: [...objectsIn(results["parts"]), ...objectsIn(said["parts"])],
    }),
  );
}

function writeContent(message: Message, ids: Map<string, unknown>): Fields {
  if (message.role === "user") return rawOf(message);
  if (message.role === "assistant") {
    for (const block of message.content)
      if (block.type === "tool-call") ids.set(block.id, callOf(rawOf(block))?.["id"]);
    return { ...rawOf(message), parts: message.content.map(rawOf) };
  }
  const parts = message.content.map((result) => {
    if (!isAdded(result)) return rawOf(result);
    const id = ids.get(result.id);
    const response = { error: addedText(result) };
    return {
      functionResponse: { ...(id !== undefined && { id }), name: result.name, response },
    };
  });
  return { role: "user", parts };
}

export const geminiShape: Shape = {
  title: "Gemini generateContent",
  member: "contents",
  evidence: geminiEvidence,
  read: readGemini,
  requiredInputs: (body) =>
    requiredInputs(
      declaredIn(body),
      ({ parametersJsonSchema, parameters }) => parametersJsonSchema ?? parameters,
    ),
  reasoningFlaws: geminiReasoningFlaws,
  write: writeGemini,
};
