import type { ReplyReader, TurnRequest } from "../contract/adapter.ts";
import type { Message } from "../contract/message.ts";
import { fieldsOf, isRecord } from "../json/fields.ts";
import {
  anyObject,
  anyValue,
  listOf,
  type OptionKind,
  type OptionKinds,
  positiveInteger,
} from "../options/kinds.ts";

export interface Request {
  readonly maxTokens: TurnRequest["maxTokens"];
  readonly messages: readonly Message[] | undefined;
  readonly tools: TurnRequest["tools"];
  readonly output: TurnRequest["output"];
}

/** The request that was sent: as a `TurnRequest`, or as a `body` of the protocol. */
export interface SentRequest extends Partial<TurnRequest> {
  /**
   * The request body of the protocol (`max_tokens`, `tools`). The adapter reads the cap, the tools
   * and the object that was asked for from it.
   */
  readonly body?: unknown;
}

const messageList: OptionKind = {
  isValid: (value) => Array.isArray(value) && value.every(hasContent),
  expected: "a list of messages, each with its `role` and its `content`",
};
/** The gate reads the ids of calls. Who sends the messages checks the rest. */
function hasContent(message: unknown): boolean {
  const { role, content } = fieldsOf(message);
  return Array.isArray(content)
    ? content.every(isRecord)
    : role === "user" && typeof content === "string";
}

/** The gate does not read the members of any value. */
export const sentKinds: OptionKinds<Required<SentRequest>> = {
  maxTokens: positiveInteger,
  messages: messageList,
  tools: listOf("tools"),
  output: anyObject,
  body: anyValue,
  system: anyValue,
  toolChoice: anyValue,
  effort: anyValue,
  cache: anyValue,
};

/** @throws TypeError if the cap is not known although the protocol requires one. */
export function readSentRequest(reader: ReplyReader, request: SentRequest): Request {
  const { body, ...sent } = request;
  if (body !== undefined && reader.readSent === undefined) {
    throw new TypeError(
      `The adapter for ${reader.protocol} cannot read \`body\`. Give createGate \`maxTokens\`, \`messages\` and \`tools\` instead.`,
    );
  }
  const { maxTokens, messages, tools, output }: Partial<TurnRequest> = {
    ...(body !== undefined && reader.readSent?.(body)),
    ...sent,
  };
  if (reader.capRequired && maxTokens === undefined) {
    throw new TypeError(
      `createGate needs the output cap that was sent: ${reader.protocol} has one in every request. Give it as \`maxTokens\`, or the request as \`{ body }\`.`,
    );
  }
  return { maxTokens, messages, tools, output };
}
