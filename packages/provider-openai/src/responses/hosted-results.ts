import type { ToolCallBlock, ToolResultBlock } from "@fullstop/core";
import { fieldsOf, tryParseJson } from "@fullstop/core/adapter";
import type OpenAI from "openai";
import { encodeInputParts, outputText } from "./content.ts";
import { type HostedToolType, hostedTools } from "./hosted-tools.ts";
import type { Item, ItemOf } from "./item.ts";

export type InputItem = OpenAI.Responses.ResponseInputItem;
type HostedToolItem = ItemOf<HostedToolType>;

type Screenshot = OpenAI.Responses.ResponseComputerToolCallOutputScreenshot;

interface HostedResult {
  readonly text: string;
  readonly isError: boolean;
  readonly screenshot: Pick<Screenshot, "image_url" | "file_id"> | undefined;
}
type EncodeHostedResult<Type extends HostedToolType> = (
  item: ItemOf<Type>,
  id: string,
  result: HostedResult,
) => InputItem | undefined;

const resultItems: { readonly [Type in HostedToolType]: EncodeHostedResult<Type> } = {
  apply_patch_call: ({ caller }, call_id, { text, isError }) => ({
    type: "apply_patch_call_output",
    call_id,
    status: isError ? "failed" : "completed",
    output: text,
    ...(caller && { caller }),
  }),
  /** A tool that made a screenshot has seen the safety checks, so they are acknowledged. */
  computer_call: ({ pending_safety_checks: checks = [] }, call_id, { screenshot, isError }) =>
    screenshot === undefined || isError
      ? undefined
      : {
          type: "computer_call_output",
          call_id,
          output: { type: "computer_screenshot", ...screenshot },
          ...(checks.length > 0 && { acknowledged_safety_checks: checks }),
        },
  /** According to the SDK's type, `id` is the id of the call. */
  local_shell_call: (_, id, { text }) => ({ type: "local_shell_call_output", id, output: text }),
  /** Anything except `approve` is a denial, which may have a reason. */
  mcp_approval_request: (_, id, { text, isError }) => {
    const approve = !isError && text.trim() === "approve";
    const reason = approve ? "" : text.replace(/^\s*deny(:\s*|\s*$)/, "");
    return {
      type: "mcp_approval_response",
      approval_request_id: id,
      approve,
      ...(reason !== "" && { reason }),
    };
  },
  shell_call: ({ action, caller }, call_id, result) => ({
    type: "shell_call_output",
    call_id,
    output: encodeShellOutput(result),
    ...(typeof action.max_output_length === "number" && {
      max_output_length: action.max_output_length,
    }),
    ...(caller && { caller }),
  }),
  tool_search_call: (_, call_id, { text, isError }) => {
    const tools = isError ? undefined : parseList<OpenAI.Responses.FunctionTool>(text, "tools");
    return tools && { type: "tool_search_output", call_id, execution: "client", tools };
  },
};

type ShellOutput = OpenAI.Responses.ResponseFunctionShellCallOutputContent;

/** In the API's form one for each command; otherwise one with the whole text. */
function encodeShellOutput({ text, isError }: HostedResult): ShellOutput[] {
  const outputs = parseList<ShellOutput>(text, "output");
  if (outputs?.every(isShellOutput)) return outputs;
  const outcome = { type: "exit", exit_code: isError ? 1 : 0 } as const;
  return [isError ? { stdout: "", stderr: text, outcome } : { stdout: text, stderr: "", outcome }];
}
const isShellOutput = ({ stdout, stderr, outcome }: ShellOutput): boolean =>
  typeof stdout === "string" && typeof stderr === "string" && Boolean(outcome);

function parseList<Member extends object>(text: string, name: string): Member[] | undefined {
  const value = tryParseJson(text);
  const list = Array.isArray(value) ? value : fieldsOf(value)[name];
  return Array.isArray(list) &&
    list.every((member) => typeof member === "object" && member !== null)
    ? list
    : undefined;
}

export interface HostedToolItems {
  readonly call: InputItem;
  readonly result: InputItem;
}

interface HostedCall {
  readonly item: Item | undefined;
  readonly call: ToolCallBlock;
  readonly result: ToolResultBlock | undefined;
}

/**
 * Encodes the call and the result of a hosted tool. Returns `undefined` if it is not a hosted tool,
 * or if its result item cannot hold the result: both are then sent as those of a function (as
 * trycua/cua does for a failed computer call).
 */
export function encodeHostedTool({ item, call, result }: HostedCall): HostedToolItems | undefined {
  if (item === undefined || result === undefined || !isHosted(item)) return undefined;
  const image = encodeInputParts(result.content).find((part) => part.type === "input_image");
  const encode = resultItems[item.type] as EncodeHostedResult<HostedToolType>;
  const encoded = encode(item, call.id, {
    text: outputText(result),
    isError: result.isError === true,
    screenshot: image && screenshotOf(image),
  });
  return encoded && { call: withCallId(item, call.id), result: encoded };
}
const screenshotOf = ({
  image_url,
  file_id,
}: OpenAI.Responses.ResponseInputImage): HostedResult["screenshot"] => ({
  ...(image_url && { image_url }),
  ...(file_id && { file_id }),
});
const isHosted = (item: Item): item is HostedToolItem => Object.hasOwn(hostedTools, item.type);

/** Their id does not tie them to reasoning, or is the only id that they have. */
const keepsId: ReadonlySet<HostedToolType> = new Set([
  "computer_call",
  "local_shell_call",
  "mcp_approval_request",
]);

/** Removes the id that would tie the item to reasoning which does not go back. */
export const withoutTiedId = (item: InputItem): InputItem => {
  if (keepsId.has(item.type as HostedToolType) || !("id" in item)) return item;
  const { id: _, ...rest } = item;
  return rest as InputItem;
};

/** The item with the call's id in the history, and without fields that only replies have. */
function withCallId(item: HostedToolItem, id: string): InputItem {
  const { created_by: _, ...rest } = item as HostedToolItem & { readonly created_by?: string };
  return {
    ...rest,
    ...(item.type === "mcp_approval_request" ? { id } : { call_id: id }),
  } as InputItem;
}
