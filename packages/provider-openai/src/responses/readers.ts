import type { InputKey } from "@fullstop/core/adapter";
import { type HostedType, readHosted } from "./hosted.ts";
import type { HostRules } from "./hosts.ts";
import { readCall } from "./inputs.ts";
import {
  type Call,
  callId,
  type Item,
  type ItemReader,
  isCompleted,
  type Telling,
} from "./item.ts";
import { readMessage, readReasoning } from "./prose.ts";

/** Kept as it came. One with a `call_id` waits for the item that answers it. */
function readNative(telling: Telling): ItemReader {
  const reader: ItemReader = {
    delta: () => undefined,
    end(item) {
      const failed = "status" in item && item.status === "failed";
      if (!isCompleted(item) && !failed) return;
      const id = callId(item);
      const answers = item.type.endsWith("_output");
      if (id !== undefined) telling[answers ? "answer" : "wait"](id, item.type);
      telling.say(reader, {
        type: "native",
        data: item,
        ...(answers ? { closes: id } : { opens: id }),
      });
    },
  };
  return reader;
}

/** A step of a tool that the host runs: it is over, and nothing of it is sent back. */
const skipped: ItemReader = { delta: () => undefined, end: () => undefined };

/** Run by the server, which may change something. */
function readWork(telling: Telling): ItemReader {
  telling.work();
  return readNative(telling);
}

type Role = "message" | "reasoning" | "call" | "hosted" | "native" | "work";
const roles: Readonly<Record<Item["type"], Role | ((item: Item | undefined) => Role)>> = {
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
      ? "work"
      : "hosted",
  tool_search_call: (item) =>
    item !== undefined && "execution" in item && item.execution === "client" ? "hosted" : "native",
  additional_tools: "native",
  apply_patch_call_output: "native",
  code_interpreter_call: "work",
  compaction: "native",
  computer_call_output: "native",
  custom_tool_call_output: "native",
  file_search_call: "native",
  function_call_output: "native",
  image_generation_call: "work",
  local_shell_call_output: "native",
  mcp_approval_response: "native",
  mcp_call: "work",
  mcp_list_tools: "native",
  program: "work",
  program_output: "native",
  shell_call_output: "native",
  tool_search_output: "native",
  web_search_call: "native",
};

interface Begun {
  readonly type: Item["type"];
  readonly item?: Item | undefined;
  readonly host: HostRules;
}
type Read = (telling: Telling, key: InputKey, type: Item["type"]) => ItemReader;
const readers: Readonly<Record<Role, Read>> = {
  message: readMessage,
  reasoning: readReasoning,
  call: (telling, key, type) => readCall(telling, key, type as Call["type"]),
  hosted: (telling, key, type) => readHosted(telling, key, type as HostedType),
  native: readNative,
  work: readWork,
};

/** An item of a type that is not listed here is the provider's own, and may have effects. */
export function readItem(telling: Telling, key: InputKey, { type, item, host }: Begun): ItemReader {
  if (typeof type !== "string") throw new Error("The reply holds an item without a type.");
  const listed = Object.hasOwn(roles, type) ? roles[type] : undefined;
  if (host.runsCustomTools && (listed === undefined || type === "custom_tool_call")) {
    if (listed === undefined) telling.work();
    return skipped;
  }
  const role = typeof listed === "function" ? listed(item) : (listed ?? "work");
  return readers[role](telling, key, type);
}
