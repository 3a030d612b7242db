import { type InputKey, stringifyJson } from "@fullstop/core/adapter";
import type { CallData } from "./call-item.ts";
import { canonicalInput, isSameInput } from "./input-text.ts";
import {
  callIdOf,
  type Item,
  type ItemOf,
  type ItemReader,
  isInputComplete,
  itemIdOf,
  type ReplyWriter,
} from "./item.ts";

export type HostedToolType =
  | "apply_patch_call"
  | "computer_call"
  | "local_shell_call"
  | "mcp_approval_request"
  | "shell_call"
  | "tool_search_call";

interface HostedTool<Type extends HostedToolType> {
  readonly name: string;
  /** The API asks whether it may run a tool of its own. */
  readonly asks?: "approval";
  input(item: ItemOf<Type>): unknown;
}

/**
 * https://developers.openai.com/api/reference/resources/responses/create: the items of its output
 */
export const hostedTools: { readonly [Type in HostedToolType]: HostedTool<Type> } = {
  apply_patch_call: { name: "apply_patch", input: ({ operation }) => operation },
  computer_call: {
    name: "computer",
    input: ({ action, actions, pending_safety_checks: checks }) => ({
      ...(action && { action }),
      ...(actions && { actions }),
      ...(checks && checks.length > 0 && { pending_safety_checks: checks }),
    }),
  },
  local_shell_call: { name: "local_shell", input: ({ action }) => action },
  mcp_approval_request: {
    // https://developers.openai.com/api/docs/guides/tools-connectors-mcp
    name: "mcp_approval",
    asks: "approval",
    input: ({ server_label, name, arguments: args }) => ({ server_label, name, arguments: args }),
  },
  shell_call: { name: "shell", input: ({ action }) => action },
  tool_search_call: { name: "tool_search", input: (item) => item.arguments },
};

/** A tool that the API defines and the client runs. Its item goes back unchanged. */
export function createHostedToolReader(
  writer: ReplyWriter,
  key: InputKey,
  type: HostedToolType,
): ItemReader {
  const { name, asks, input } = hostedTools[type] as HostedTool<HostedToolType>;
  let started = false;
  let closed = false;
  let known: string | undefined;
  const inputOf = (item: Item): string =>
    hostedInputText(input(item as ItemOf<HostedToolType>), type);
  const start = (item: Item): void => {
    if (started) return;
    started = true;
    writer.emit(reader, { type: "tool-input-start", key, id: hostedCallId(item), name, asks });
  };
  const close = (text: string, item: Item): void => {
    closed = true;
    writer.emit(reader, { type: "tool-input-end", key, text });
    writer.emit(reader, { type: "provider-data", key, data: { item } satisfies CallData });
  };
  const reader: ItemReader = {
    start,
    delta: () => undefined,
    done(item) {
      start(item);
      const text = inputOf(item);
      if (known !== undefined && !isSameInput(known, text, undefined))
        writer.addContradiction(`it gives the call of "${name}" two different inputs`);
      const isFirst = known === undefined;
      known = text;
      const isComplete = isInputComplete(item);
      if (isComplete && !closed) close(text, item);
      else if (closed && !isComplete)
        writer.addContradiction(`it takes back that the call of "${name}" is complete`);
      else if (isFirst) writer.emit(reader, { type: "tool-input-delta", key, text });
    },
    content: () => ({
      tool: name,
      input: known === undefined ? undefined : canonicalInput(known, undefined),
    }),
    contentOf: (item) => ({ tool: name, input: canonicalInput(inputOf(item), undefined) }),
    repeat: (item) => reader.done(item),
  };
  return reader;
}

/** An approval request has only an id of its own. A tool search may have no `call_id`. */
const hostedCallId = (item: Item): string | undefined => callIdOf(item) ?? itemIdOf(item);

/** An input that is already a text stays as it is. */
function hostedInputText(input: unknown, type: HostedToolType): string {
  const text: string | undefined = typeof input === "string" ? input : stringifyJson(input);
  if (text === undefined) throw new Error(`The reply holds a ${type} without an input.`);
  return text;
}
