import type {
  AssistantMessage,
  FileBlock,
  ImageBlock,
  Message,
  ToolCallBlock,
  ToolMessage,
} from "@fullstop/core";
import {
  decodeTextFile,
  describeMedia,
  inputObject,
  type MediaContent,
  type MediaData,
  omissionNote,
  parseJson,
  resultText,
} from "@fullstop/core/adapter";

/**
 * A message of the API. `tool_name`, `tool_call_id` and `id` tell results apart: which of them a
 * model reads depends on its template. https://github.com/ollama/ollama/blob/main/api/types.go
 */
export interface OllamaMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  readonly thinking?: string;
  readonly images?: readonly string[];
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: object };
  }[];
  readonly tool_name?: string;
  readonly tool_call_id?: string;
}

/**
 * Encodes a conversation. It begins and ends with a message that is not the model's: the server
 * would continue a last message of the model, and without a user's message Ollama's cloud writes
 * nothing (can1357/oh-my-pi#7465).
 */
export function encodeMessages(
  system: string | undefined,
  messages: readonly Message[],
): readonly OllamaMessage[] {
  const encoded = messages.flatMap(encodeMessage);
  const first = encoded.find(({ role }) => role !== "system");
  const last = encoded.at(-1);
  return [
    ...(system === undefined || system === ""
      ? []
      : [{ role: "system", content: system } as const]),
    ...(first?.role === "user"
      ? []
      : [userNote("(The conversation begins with the model's message.)")]),
    ...encoded,
    ...(last?.role === "assistant" ? [userNote("(No new message. Please go on.)")] : []),
  ];
}

const userNote = (content: string): OllamaMessage => ({ role: "user", content });

function encodeMessage(message: Message): readonly OllamaMessage[] {
  switch (message.role) {
    case "user": {
      const { content, images } = encodeContent(message.content);
      const text = content === "" && images === undefined ? "(An empty message.)" : content;
      return [{ role: "user", content: text, ...(images && { images }) }];
    }
    case "assistant":
      return encodeAssistant(message);
    case "tool":
      return encodeResults(message);
  }
}

function encodeAssistant({ content, from }: AssistantMessage): readonly OllamaMessage[] {
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const thoughts = content.flatMap((block) => (block.type === "thinking" ? [block.text] : []));
  const calls = content.flatMap((block) => (block.type === "tool-call" ? [encodeCall(block)] : []));
  const text = texts
    .filter((one) => one !== "")
    .join(from?.protocol === "ollama-chat" ? "" : "\n\n");
  if (text === "" && calls.length === 0) return [];
  return [
    {
      role: "assistant",
      content: text,
      ...(thoughts.length > 0 && { thinking: thoughts.join("") }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
}

const encodeCall = (call: ToolCallBlock) => ({
  id: call.id,
  function: { name: call.name, arguments: inputObject(call, parseJson) },
});

/** Images follow in a user's message, because only that place is documented for them. */
function encodeResults({ content: results }: ToolMessage): readonly OllamaMessage[] {
  const messages: OllamaMessage[] = [];
  const shown: OllamaMessage[] = [];
  for (const { id, name, content, isError } of results) {
    const { content: text, images } = encodeContent(content);
    const note = images && "[The images that the tool gave follow in the next message.]";
    const said = resultText(text, isError);
    messages.push({
      role: "tool",
      content: [said, note].filter((part) => part !== "" && part !== undefined).join("\n\n"),
      tool_name: name,
      tool_call_id: id,
    });
    if (images) shown.push({ role: "user", content: `[The images of the tool ${name}:]`, images });
  }
  return [...messages, ...shown];
}

/** `model/model.go` of https://github.com/ollama/ollama; ollama/ollama#17755. */
const imageTypes = /^image\/(png|jpe?g|webp)$/;

/** Images become `images`, text files text. A line of text replaces what the API cannot take. */
function encodeContent(content: MediaContent): { content: string; images?: readonly string[] } {
  if (typeof content === "string") return { content };
  const images = content.flatMap((block) => (isImage(block) ? [block.data] : []));
  const texts = content.flatMap((block) => (isImage(block) ? [] : [textOf(block)]));
  return {
    content: texts.filter((text) => text !== "").join("\n\n"),
    ...(images.length > 0 && { images }),
  };
}

type Block = Exclude<MediaContent, string>[number];

const isImage = (block: Block): block is (ImageBlock | FileBlock) & MediaData =>
  block.type !== "text" && block.data !== undefined && imageTypes.test(block.mediaType);

function textOf(block: Block): string {
  if (block.type === "text") return block.text;
  if (block.type === "file" && block.data !== undefined) {
    const text = decodeTextFile(block);
    if (text !== undefined) return `[The file ${block.name ?? "without a name"}:]\n${text}`;
  }
  return omissionNote(describeMedia(block));
}
