import { type Fields, fieldsOf, isFields } from "@fullstop/core/adapter";

/** A message or part of `useChat` that cannot be used. The message says where it is. */
export class UiMessageError extends Error {
  override readonly name = "UiMessageError";
  /** Always `"invalid-messages"`. Answer the request with the status 400. */
  readonly kind = "invalid-messages" as const;
}

export interface UiMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly parts: readonly UiPart[];
}
/** A part, and where it is: `messages[1].parts[0]`. */
export interface UiPart {
  readonly type: string;
  readonly fields: Fields;
  readonly at: string;
}

/** @throws UiMessageError if the value is not a list of messages. */
export function readUiList(messages: unknown): readonly UiMessage[] {
  if (!Array.isArray(messages)) throw new UiMessageError("`messages` must be a list.");
  return messages.map((message, index) => readMessage(message, `messages[${index}]`));
}

function readMessage(message: unknown, at: string): UiMessage {
  if (!isFields(message)) throw new UiMessageError(`${at} must be an object.`);
  const { id, role, parts } = message;
  if (role === "system")
    throw new UiMessageError(
      `${at} is a system message. Instructions belong on the server: use the option \`system\` of \`run\`.`,
    );
  if (role !== "user" && role !== "assistant")
    throw new UiMessageError(`${at}.role must be "user" or "assistant".`);
  if (!Array.isArray(parts)) throw new UiMessageError(`${at}.parts must be a list.`);
  return {
    id: typeof id === "string" ? id : "",
    role,
    parts: parts.map((part, index) => readPart(part, `${at}.parts[${index}]`)),
  };
}

function readPart(part: unknown, at: string): UiPart {
  if (!isFields(part) || typeof part["type"] !== "string")
    throw new UiMessageError(`${at} must be an object with a \`type\`.`);
  return { type: part["type"], fields: part, at };
}

/** @throws UiMessageError if the member is not a string. */
export function textField({ fields, at }: UiPart, name: string): string {
  const value = fields[name];
  if (typeof value !== "string") throw new UiMessageError(`${at}.${name} must be a string.`);
  return value;
}

export interface CallPart {
  readonly part: UiPart;
  readonly id: string;
  readonly name: string;
  readonly state: unknown;
  readonly input: unknown;
  /** It only asks a person, and is not a call of the conversation. */
  readonly asks: boolean;
}

/** Undefined if the part is not a call. A call that was withheld is none. */
export function readCallPart(part: UiPart): CallPart | undefined {
  const { type, fields } = part;
  const isDynamic = type === "dynamic-tool";
  if ((!isDynamic && !type.startsWith("tool-")) || hasMark(fields, "withheld")) return undefined;
  const name = isDynamic ? textField(part, "toolName") : type.slice("tool-".length);
  const { state, input } = fields;
  const asks = hasMark(fields, "asks");
  return { part, id: textField(part, "toolCallId"), name, state, input, asks };
}

/** `PartMark` */
const hasMark = ({ toolMetadata }: Fields, mark: "withheld" | "asks"): boolean =>
  fieldsOf(fieldsOf(toolMetadata)["fullstop"])[mark] !== undefined;
