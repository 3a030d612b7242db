import type { ToolCallBlock, ToolResultBlock } from "@fullstop/core";
import type OpenAI from "openai";
import type { Item, ItemOf } from "../decode/item.ts";
import { type HostedType, hostedTools } from "../hosted-tools.ts";
import { encodeContent, outputText } from "./content.ts";

type InputItem = OpenAI.Responses.ResponseInputItem;
type HostedItem = ItemOf<HostedType>;

/** The result of a call, as far as the item that answers it takes it. */
interface Result {
  readonly text: string;
  readonly isError: boolean;
  readonly screenshot: string | undefined;
}
type Answers = {
  readonly [Type in HostedType]: (
    item: ItemOf<Type>,
    id: string,
    result: Result,
  ) => InputItem | undefined;
};

/** What answers each; nothing where the result is one that its answer cannot say. */
const answers: Answers = {
  apply_patch_call: ({ caller }, call_id, { text, isError }) => ({
    ...{
      type: "apply_patch_call_output",
      call_id,
      status: isError ? "failed" : "completed",
      output: text,
    },
    ...(caller && { caller }),
  }),
  /** The API takes nothing but a screenshot. A tool that gave one has seen what is to be acknowledged. */
  computer_call: ({ pending_safety_checks: checks = [] }, call_id, { screenshot, isError }) =>
    screenshot === undefined || isError
      ? undefined
      : {
          ...{
            type: "computer_call_output",
            call_id,
            output: { type: "computer_screenshot", image_url: screenshot },
          },
          ...(checks.length > 0 && { acknowledged_safety_checks: checks }),
        },
  /** Here `id` is the call's, as the SDK's type says. */
  local_shell_call: (_, id, { text }) => ({ type: "local_shell_call_output", id, output: text }),
  /** Nothing but a clear yes is one; a no may say why. */
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
    ...{ type: "shell_call_output", call_id, output: shellOutput(result) },
    ...(typeof action.max_output_length === "number" && {
      max_output_length: action.max_output_length,
    }),
    ...(caller && { caller }),
  }),
  tool_search_call: (_, call_id, { text, isError }) => {
    const tools = isError ? undefined : listIn<OpenAI.Responses.FunctionTool>(text, "tools");
    return tools && { type: "tool_search_output", call_id, execution: "client", tools };
  },
};

type ShellOutput = OpenAI.Responses.ResponseFunctionShellCallOutputContent;

/** One for each command where the tool says so in the API's words; else all that it said, as one. */
function shellOutput({ text, isError }: Result): ShellOutput[] {
  const parts = listIn<ShellOutput>(text, "output");
  if (
    parts?.every(
      ({ stdout, stderr, outcome }) =>
        typeof stdout === "string" && typeof stderr === "string" && outcome,
    )
  )
    return parts;
  const outcome = { type: "exit", exit_code: isError ? 1 : 0 } as const;
  return [isError ? { stdout: "", stderr: text, outcome } : { stdout: text, stderr: "", outcome }];
}

/** A list in JSON, bare or under its name. */
function listIn<Member extends object>(text: string, name: string): Member[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const list = Array.isArray(value)
      ? value
      : (value as Readonly<Record<string, unknown>> | null)?.[name];
    return Array.isArray(list) &&
      list.every((member) => typeof member === "object" && member !== null)
      ? list
      : undefined;
  } catch {
    return undefined;
  }
}

/** A call of a hosted tool, and the item that answers it. */
export interface Answered {
  readonly item: InputItem;
  readonly answer: InputItem;
}

interface Asked {
  readonly item: Item | undefined;
  readonly call: ToolCallBlock;
  readonly result: ToolResultBlock | undefined;
}

/**
 * Nothing where the call is not one of a hosted tool, or its answer cannot say the result: then both go as those of a function
 * (trycua/cua does so with a computer call that failed).
 */
export function answered({ item, call, result }: Asked): Answered | undefined {
  if (item === undefined || result === undefined || !isHosted(item)) return undefined;
  const image = encodeContent(result.content).find((part) => part.type === "input_image");
  const said = {
    text: outputText(result),
    isError: result.isError === true,
    screenshot: image?.image_url ?? undefined,
  };
  const answer = (
    answers[item.type] as Answers[HostedType] as (
      ...about: [HostedItem, string, Result]
    ) => InputItem | undefined
  )(item, call.id, said);
  return answer && { item: named(item, call.id), answer };
}
const isHosted = (item: Item): item is HostedItem => Object.hasOwn(hostedTools, item.type);

/** Of a tied item its id may only go back with the reasoning before it, as that of a function call; these have no other, or must say it. */
const keepsId: ReadonlySet<HostedType> = new Set([
  "computer_call",
  "local_shell_call",
  "mcp_approval_request",
]);
export const untied = (item: InputItem): InputItem => {
  if (keepsId.has(item.type as HostedType) || !("id" in item)) return item;
  const { id: _, ...rest } = item;
  return rest as InputItem;
};

/** With the id that the history gives the call, and without what only replies hold. */
function named(item: HostedItem, id: string): InputItem {
  const { created_by: _, ...rest } = item as HostedItem & { readonly created_by?: string };
  return {
    ...rest,
    ...(item.type === "mcp_approval_request" ? { id } : { call_id: id }),
  } as InputItem;
}
