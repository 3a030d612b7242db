import type { InputKey } from "@fullstop/core/adapter";
import type { HostRules } from "../host-rules.ts";
import type { HostedToolType } from "../hosted-tools.ts";
import { createCallReader } from "./call-item.ts";
import { createHostedToolReader } from "./hosted-tool-item.ts";
import { type CallItem, callIdOf, type Item, type ItemReader, isCompleted } from "./item.ts";
import { createMessageReader } from "./message-item.ts";
import { createReasoningReader } from "./reasoning-item.ts";
import type { ReplyWriter } from "./reply-writer.ts";

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

/** An item that begins. */
interface NewItem {
  readonly type: Item["type"];
  readonly item: Item | undefined;
  readonly rules: HostRules;
}

/**
 * Creates the reader of an item. An item of a type that is not listed is a step of the provider,
 * and may have side effects.
 */
export function createItemReader(
  writer: ReplyWriter,
  key: InputKey,
  { type, item, rules }: NewItem,
): ItemReader {
  if (typeof type !== "string") throw new Error("The reply holds an item without a type.");
  const listed = Object.hasOwn(roles, type) ? roles[type] : undefined;
  if (rules.runsCustomTools && (listed === undefined || type === "custom_tool_call")) {
    if (listed === undefined) writer.markSideEffects();
    return skippedReader;
  }
  const role = typeof listed === "function" ? listed(item) : (listed ?? "side-effects");
  return readers[role](writer, key, type);
}
