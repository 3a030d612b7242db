import { isFields, tryParseJson } from "@fullstop/core/adapter";
import { readUiList, type UiMessage, UiMessageError } from "../chat/ui-message.ts";

export interface ChatRequest {
  readonly chatId: string;
  readonly sent: unknown;
  readonly last: UiMessage;
  /** The page has asked something before. */
  readonly hasHistory: boolean;
}

const maxIdLength = 200;

/**
 * The text of a body; undefined if it has more bytes. The rest of it is not read.
 * @throws UiMessageError if it ends too early, such as that of a page that went away.
 */
export async function readBody({ body }: Request, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  try {
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes) return undefined;
      text += decoder.decode(chunk, { stream: true });
    }
  } catch {
    throw new UiMessageError("The body cannot be read.");
  }
  return text + decoder.decode();
}

/** Only the last message is used. @throws UiMessageError for a body that cannot be used. */
export function readChatRequest(text: string): ChatRequest {
  const body = tryParseJson(text);
  if (!isFields(body)) throw new UiMessageError("The body must be a JSON object.");
  const { id, messages } = body;
  if (typeof id !== "string" || id === "" || id.length > maxIdLength)
    throw new UiMessageError(`\`id\` must be a text of 1 to ${maxIdLength} characters.`);
  const all = readUiList(messages);
  const last = all.at(-1);
  if (last === undefined || !Array.isArray(messages))
    throw new UiMessageError("`messages` must not be empty.");
  const hasHistory = all.slice(0, -1).some(({ role }) => role === "user");
  return { chatId: id, sent: messages.at(-1), last, hasHistory };
}

/** The id of the chat in `…/<id>/stream`, which `useChat` requests. */
export function chatIdOf({ url }: Request): string | undefined {
  const id = /\/(?<id>[^/]+)\/stream$/.exec(new URL(url).pathname)?.groups?.["id"];
  try {
    return id === undefined ? undefined : decodeURIComponent(id);
  } catch {
    return undefined; // It is not an id that `useChat` encoded.
  }
}
