import { type Fields, isFields, stringifyJson } from "@fullstop/core/adapter";
import type { ResponsesClient } from "@fullstop/provider-openai/protocol";
import type { ReplyEvent } from "./inbox.ts";

type Params = Parameters<ResponsesClient["responses"]["create"]>[0];

/** What is sent over the socket: the parameters of a request, without those of the transport. */
export interface CreateEvent extends Omit<Params, "stream" | "background"> {
  readonly type: "response.create";
}

/**
 * What the server keeps for one socket: the input of its last reply, and that reply. A request that
 * begins with both sends only what comes after them.
 * https://developers.openai.com/api/docs/guides/websocket-mode
 */
export interface Chain {
  readonly responseId: string;
  /** The items of the whole input, as JSON. */
  readonly input: readonly string[];
  readonly output: readonly Fields[];
}

export function chainAfter(
  { input }: Pick<CreateEvent, "input">,
  { type, response }: ReplyEvent,
): Chain | undefined {
  if (type !== "response.completed" || typeof response?.id !== "string") return undefined;
  if (!Array.isArray(response.output) || !Array.isArray(input)) return undefined;
  return {
    responseId: response.id,
    input: input.map(stringifyJson),
    output: response.output.filter(isFields),
  };
}

/** Undefined: the history was changed, or holds less of the reply than the server does. */
export function knownItems(
  { input: before, output }: Chain,
  { input }: Pick<CreateEvent, "input">,
): number | undefined {
  if (!Array.isArray(input) || input.length <= before.length) return undefined;
  if (!before.every((item, index) => item === stringifyJson(input[index]))) return undefined;
  let at = before.length;
  for (const item of output) {
    if (isSameItem(item, input[at])) at++;
    else if (item["type"] !== "reasoning") return undefined;
  }
  const next: unknown = input[at];
  return isFields(next) && !isOfModel(next) ? at : undefined;
}

/** Whether the model wrote an item. Such an item must be a part of the reply that is continued. */
const isOfModel = ({ type, role }: Fields): boolean =>
  role === "assistant" || (typeof type === "string" && /(_call|reasoning)$/.test(type));

/** The members that an item in the history has in common with the item of the reply. */
const comparedMembers: Readonly<Record<string, readonly string[]>> = {
  function_call: ["call_id", "name", "arguments"],
  custom_tool_call: ["call_id", "name", "input"],
  reasoning: ["id"],
};

function isSameItem(item: Fields, sent: unknown): boolean {
  if (!isFields(sent) || sent["type"] !== item["type"]) return false;
  if (item["type"] === "message")
    return sent["role"] === "assistant" && writtenText(sent) === writtenText(item);
  const members = comparedMembers[String(item["type"])];
  if (members === undefined) return stringifyJson(sent) === stringifyJson(item);
  return members.every((member) => sent[member] === item[member]);
}

const writtenText = ({ content }: Fields): string =>
  Array.isArray(content)
    ? content.map((part: Fields) => String(part["text"] ?? part["refusal"] ?? "")).join("")
    : String(content);
