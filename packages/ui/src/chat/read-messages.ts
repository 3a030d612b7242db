import {
  type AssistantMessage,
  type FileBlock,
  type ImageBlock,
  type Message,
  type ToolResultBlock,
  type UserMessage,
  validateHistory,
} from "@fullstop/core";
import { isFields, type MediaSource } from "@fullstop/core/adapter";
import { contentOfOutput } from "./tool-output.ts";
import {
  type CallPart,
  readCallPart,
  readUiList,
  textField,
  type UiMessage,
  UiMessageError,
  type UiPart,
} from "./ui-message.ts";

type UserBlock = Exclude<UserMessage["content"], string>[number];
type ReplyBlock = AssistantMessage["content"][number];

/**
 * The messages of `useChat` as a conversation for `run`. A page can change what it sends: for a
 * conversation that must be true, keep `outcome.messages` on the server, and take only the last
 * message from the page.
 * Reasoning, sources and data parts are left out, and so are calls without a result and calls that
 * were withheld: none of them ran.
 * @throws UiMessageError for messages that cannot be used.
 */
export function readUiMessages(messages: unknown): readonly Message[] {
  const conversation = readUiList(messages).flatMap((message) =>
    message.role === "user" ? readUserMessage(message) : readAssistantMessage(message),
  );
  const [flaw] = validateHistory(conversation);
  if (flaw !== undefined)
    throw new UiMessageError(
      flaw.sentence ?? `Invalid messages: message ${flaw.at}: ${flaw.rule}.`,
    );
  return conversation;
}

function readUserMessage({ parts }: UiMessage): readonly Message[] {
  const content = parts.flatMap(readUserPart);
  return content.length === 0 ? [] : [{ role: "user", content }];
}

function readUserPart(part: UiPart): readonly UserBlock[] {
  if (part.type === "text") return [{ type: "text", text: textField(part, "text") }];
  if (part.type === "file") return [readMediaPart(part)];
  if (part.type.startsWith("data-")) return [];
  throw new UiMessageError(`${part.at}: a user message cannot have a part \`${part.type}\`.`);
}

function readAssistantMessage({ parts }: UiMessage): readonly Message[] {
  const steps: UiPart[][] = [[]];
  for (const part of parts)
    if (part.type === "step-start") steps.push([]);
    else steps.at(-1)?.push(part);
  return steps.flatMap(readStep);
}

function readStep(parts: readonly UiPart[]): readonly Message[] {
  const results: ToolResultBlock[] = [];
  const content = parts.flatMap((part): readonly ReplyBlock[] => {
    if (part.type === "text") {
      const text = textField(part, "text");
      return text === "" ? [] : [{ type: "text", text }];
    }
    const call = readCallPart(part);
    const result = call && isOfConversation(call) ? resultOf(call) : undefined;
    if (call === undefined || result === undefined) return [];
    results.push(result);
    const { id, name } = call;
    return [{ type: "tool-call", id, name, inputText: inputTextOf(call) }];
  });
  if (content.length === 0) return [];
  const reply: Message = { role: "assistant", content };
  return results.length === 0 ? [reply] : [reply, { role: "tool", content: results }];
}

/** A call that failed because its input is not an object did not run. */
const isOfConversation = ({ state, input, asks }: CallPart): boolean =>
  !asks && (state !== "output-error" || isFields(input));

function inputTextOf({ input, part: { at } }: CallPart): string {
  if (!isFields(input)) throw new UiMessageError(`${at}.input must be an object.`);
  return JSON.stringify(input);
}

const deniedText = "The user did not allow this call. It did not run.";

export function resultOf({ part, id, name, state }: CallPart): ToolResultBlock | undefined {
  const { fields } = part;
  const result = { type: "tool-result", id, name } as const;
  if (state === "output-available" && fields["preliminary"] !== true)
    return { ...result, content: contentOfOutput(fields["output"]) };
  if (state === "output-error")
    return { ...result, content: textField(part, "errorText"), isError: true };
  if (state === "output-denied")
    return { ...result, content: denialOf(fields["approval"]) ?? deniedText, isError: true };
  return undefined;
}

export const denialOf = (approval: unknown): string | undefined =>
  isFields(approval) && typeof approval["reason"] === "string" && approval["reason"] !== ""
    ? approval["reason"]
    : undefined;

const dataUrl = /^data:[^,]*;base64,(?<data>[A-Za-z0-9+/]+={0,2})$/;

/** A `data:` URL becomes bytes. @throws UiMessageError for one that no provider can load. */
function readMediaPart(part: UiPart): ImageBlock | FileBlock {
  const mediaType = textField(part, "mediaType");
  const source = readSource(part, mediaType);
  if (mediaType.startsWith("image/")) return { type: "image", ...source };
  const { filename } = part.fields;
  return { type: "file", ...source, ...(typeof filename === "string" && { name: filename }) };
}

function readSource(part: UiPart, mediaType: string): MediaSource {
  const url = textField(part, "url");
  const data = dataUrl.exec(url)?.groups?.["data"];
  if (data !== undefined) return { mediaType, data };
  if (/^https?:\/\//.test(url)) return { url, mediaType };
  throw new UiMessageError(
    `${part.at}.url must begin with https://, http:// or data: (in base64).`,
  );
}
