import { type InputKey, refuseOtherNames } from "@fullstop/core/adapter";
import type OpenAI from "openai";
import { createCallReader } from "./call-item.ts";
import { createHostedToolReader, type HostedToolType } from "./hosted-tools.ts";
import type { HostRules } from "./hosts.ts";
import {
  type CallItem,
  callIdOf,
  type Item,
  type ItemOf,
  type ItemReader,
  isCompleted,
  type ReplyWriter,
} from "./item.ts";

/**
 * The id with which a step asks for an answer. OpenRouter runs its own steps, and keeps the `call_id`
 * that the model wrote; only a patch waits for the client.
 * https://openrouter.ai/docs/guides/features/server-tools/apply-patch
 */
function askingId(item: Item): string | undefined {
  const type: string = item.type;
  const isRun = type.startsWith("openrouter:") && type !== "openrouter:apply_patch";
  return isRun ? undefined : callIdOf(item);
}

/** Keeps an item unchanged. One with a `call_id` needs an answer. */
function createNativeReader(writer: ReplyWriter): ItemReader {
  const reader: ItemReader = {
    delta: () => undefined,
    done(item) {
      const hasFailed = "status" in item && item.status === "failed";
      if (!isCompleted(item) && !hasFailed) return;
      const id = askingId(item);
      const isAnswer = item.type.endsWith("_output");
      if (id !== undefined && isAnswer) writer.addAnswer(id);
      else if (id !== undefined) writer.expectAnswer(id, item.type);
      writer.emit(reader, {
        type: "native",
        data: item,
        ...(isAnswer ? { closes: id } : { opens: id }),
      });
    },
  };
  return reader;
}

/** A step that the host has run: it needs no answer, and does not go back. */
const skippedReader: ItemReader = { delta: () => undefined, done: () => undefined };

/** A step that the server runs, and that may have side effects. */
function createSideEffectReader(writer: ReplyWriter): ItemReader {
  writer.markSideEffects();
  return createNativeReader(writer);
}

type ItemRole = "message" | "reasoning" | "call" | "hosted" | "native" | "side-effects";
type RoleOf = ItemRole | ((item: Item | undefined) => ItemRole);

const roles: Readonly<Record<Item["type"], RoleOf>> = {
  message: "message",
  reasoning: "reasoning",
  function_call: "call",
  custom_tool_call: "call",
  apply_patch_call: "hosted",
  computer_call: "hosted",
  local_shell_call: "hosted",
  mcp_approval_request: "hosted",
  shell_call: (item) =>
    item !== undefined && "environment" in item && item.environment?.type === "container_reference"
      ? "side-effects"
      : "hosted",
  tool_search_call: (item) =>
    item !== undefined && "execution" in item && item.execution === "client" ? "hosted" : "native",
  additional_tools: "native",
  apply_patch_call_output: "native",
  code_interpreter_call: "side-effects",
  compaction: "native",
  computer_call_output: "native",
  custom_tool_call_output: "native",
  file_search_call: "native",
  function_call_output: "native",
  image_generation_call: "side-effects",
  local_shell_call_output: "native",
  mcp_approval_response: "native",
  mcp_call: "side-effects",
  mcp_list_tools: "native",
  program: "side-effects",
  program_output: "native",
  shell_call_output: "native",
  tool_search_output: "native",
  web_search_call: "native",
};

type CreateRoleReader = (writer: ReplyWriter, key: InputKey, type: Item["type"]) => ItemReader;
const readers: Readonly<Record<ItemRole, CreateRoleReader>> = {
  message: createMessageReader,
  reasoning: createReasoningReader,
  call: (writer, key, type) => createCallReader(writer, key, type as CallItem["type"]),
  hosted: (writer, key, type) => createHostedToolReader(writer, key, type as HostedToolType),
  native: createNativeReader,
  "side-effects": createSideEffectReader,
};

const roleIn = (type: Item["type"], item: Item | undefined): ItemRole | undefined => {
  const listed = Object.hasOwn(roles, type) ? roles[type] : undefined;
  return typeof listed === "function" ? listed(item) : listed;
};

/** Whether the client runs what an item says. */
export function isCall(item: Item, { runsCustomTools }: HostRules): boolean {
  const role = roleIn(item.type, item);
  return (
    role === "hosted" || (role === "call" && !(runsCustomTools && item.type !== "function_call"))
  );
}

interface NewItem {
  readonly type: Item["type"];
  readonly item: Item | undefined;
  readonly rules: HostRules;
}

/** An item of a type that is not listed is a step of the provider, with side effects. */
export function createItemReader(
  writer: ReplyWriter,
  key: InputKey,
  { type, item, rules }: NewItem,
): ItemReader {
  if (typeof type !== "string") throw new Error("The reply holds an item without a type.");
  const listed = roleIn(type, item);
  if (rules.runsCustomTools && (listed === undefined || type === "custom_tool_call")) {
    if (listed === undefined) writer.markSideEffects();
    return skippedReader;
  }
  if (listed === undefined) refuseOtherNames("tool call", item);
  return readers[listed ?? "side-effects"](writer, key, type);
}

export type MessageData = Partial<Pick<ItemOf<"message">, "phase">> & {
  readonly annotations?: OpenAI.Responses.ResponseOutputText["annotations"];
};

function createMessageReader(writer: ReplyWriter): ItemReader {
  /** The streamed text of each part. Undefined: the host does not number parts. */
  const streamed = new Map<number | undefined, string>();
  /** The pieces may be only the beginning of a text. Its rest cannot stand behind other content. */
  const complete = (text: string, part?: number): void => {
    const known = streamed.get(part) ?? "";
    const fits = known === "" || (text.startsWith(known) && writer.emittedLast(reader));
    if (fits) reader.delta(text.slice(known.length), part);
  };
  const completeAll = (texts: readonly string[]): void => {
    if (!streamed.has(undefined))
      for (const [index, text] of texts.entries()) complete(text, index);
    else if (streamed.size === 1) complete(texts.join(""));
  };
  const reader: ItemReader = {
    delta(text, part) {
      if (text === "") return;
      streamed.set(part, (streamed.get(part) ?? "") + text);
      writer.emit(reader, { type: "text", text });
    },
    done(item) {
      const { content: given, phase } = item as ItemOf<"message">;
      const content = given ?? [];
      refuseOtherNames("tool call", item);
      for (const part of content) refuseOtherNames("tool call", part);
      completeAll(content.map(partText));
      const data = messageData(content, phase);
      if (data !== undefined && writer.emittedLast(reader))
        writer.emit(reader, { type: "provider-data", data });
    },
  };
  return reader;
}

type MessageContent = ItemOf<"message">["content"];

/** Annotations refer to positions in one text, so they are kept only if the message has one. */
function messageData(
  [only, ...more]: MessageContent,
  phase: ItemOf<"message">["phase"],
): MessageData | undefined {
  const annotations =
    only?.type === "output_text" && more.length === 0 ? (only.annotations ?? []) : [];
  const data = { ...(phase && { phase }), ...(annotations.length > 0 && { annotations }) };
  return Object.keys(data).length > 0 ? data : undefined;
}

const partText = (part: MessageContent[number]): string =>
  (part.type === "refusal" ? part.refusal : part.text) ?? "";

/** The summary becomes the text; the item itself becomes the provider data. */
function createReasoningReader(writer: ReplyWriter): ItemReader {
  let lastPart: number | undefined;
  let data: object | undefined;
  const reader: ItemReader = {
    delta(text, part = 0) {
      const separator = lastPart !== undefined && lastPart !== part ? "\n\n" : "";
      lastPart = part;
      writer.emit(reader, { type: "thinking", text: separator + text });
    },
    done(item) {
      const { summary, content } = item as ItemOf<"reasoning">;
      if (!isCompleted(item)) return;
      const hasDeltas = lastPart !== undefined;
      const text = [...(summary ?? []), ...(content ?? [])]
        .map((part) => part.text ?? "")
        .join("\n\n");
      if (!hasDeltas || !writer.emittedLast(reader))
        writer.emit(reader, { type: "thinking", text: hasDeltas ? "" : text });
      data = { ...item };
      writer.emit(reader, { type: "provider-data", data });
    },
    /**
     * Azure sends `encrypted_content` only in the complete response (earendil-works/pi#6409). The
     * emitted data is the same object, so it receives it.
     */
    repeat(item) {
      const { encrypted_content: late } = item as ItemOf<"reasoning">;
      if (data !== undefined && late && !("encrypted_content" in data && data.encrypted_content))
        Object.assign(data, item);
    },
  };
  return reader;
}
