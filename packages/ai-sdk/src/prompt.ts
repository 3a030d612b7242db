import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import type {
  AssistantBlock,
  AssistantMessage,
  FileBlock,
  ImageBlock,
  Message,
  TextBlock,
  ToolResultBlock,
  TurnRequest,
} from "@fullstop/core";
import type { Fields, MediaSource } from "@fullstop/core/adapter";
import { base64 } from "./base64.ts";
import { type Carried, carriedBy, type Origin, type Placed, restore } from "./carried.ts";

type Assistant = Extract<LanguageModelV4Message, { role: "assistant" }>;
type ToolOutput = LanguageModelV4ToolResultPart["output"];
type GivenBlock = TextBlock | ImageBlock | FileBlock;
type GivenFile = Pick<LanguageModelV4FilePart, "data" | "mediaType" | "filename">;

export function readPrompt(
  prompt: LanguageModelV4Prompt,
  provider: string,
): Pick<TurnRequest, "system" | "messages"> {
  const system = prompt.flatMap(({ role, content }) => (role === "system" ? [content] : []));
  return {
    ...(system.length > 0 && { system: system.join("\n\n") }),
    messages: prompt.flatMap((message) => readMessage(message, provider)),
  };
}

function readMessage(message: LanguageModelV4Message, provider: string): readonly Message[] {
  switch (message.role) {
    case "system":
      return [];
    case "user":
      return [{ role: "user", content: message.content.map((part) => givenBlock(part, provider)) }];
    case "assistant":
      return [readAssistant(message)];
    case "tool": {
      const content = message.content.flatMap((part) =>
        part.type === "tool-result" ? [readResult(part, provider)] : [],
      );
      return content.length === 0 ? [] : [{ role: "tool", content }];
    }
  }
}

/** The message of the adapter itself, with its signatures, as far as it is still shown. */
function readAssistant({ content }: Assistant): AssistantMessage {
  const placed: Placed[] = [];
  let known: Carried | undefined;
  let ending: Fields | undefined;
  for (const part of content) {
    const carried = carriedBy(part);
    if (carried !== undefined && isSameOrigin(carried.from, known?.from)) {
      known ??= carried;
      ending ??= carried.ending;
      placed.push(...restore(part, carried));
    } else {
      const place = placed.at(-1)?.[0] ?? 0;
      placed.push(...assistantBlocks(part).map((block): Placed => [place, block]));
    }
  }
  const blocks = placed.toSorted(([one], [other]) => one - other).map(([, block]) => block);
  return { role: "assistant", content: blocks, ...(known && { from: known.from }), ...ending };
}

const isSameOrigin = (one: Origin, other: Origin = one): boolean =>
  one.provider === other.provider && one.protocol === other.protocol && one.model === other.model;

/** Signatures and server calls of other models are left out: their providers alone understand them. */
function assistantBlocks(part: Assistant["content"][number]): readonly AssistantBlock[] {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "reasoning":
      return part.text === "" ? [] : [{ type: "thinking", text: part.text }];
    case "tool-call": {
      const { toolCallId: id, toolName: name, input } = part;
      return part.providerExecuted
        ? []
        : [{ type: "tool-call", id, name, inputText: JSON.stringify(input) ?? "{}" }];
    }
    case "file":
    case "reasoning-file":
    case "custom":
    case "tool-result":
      return [];
  }
}

const textBlock = ({ text }: { readonly text: string }): TextBlock => ({ type: "text", text });

const givenBlock = (
  part: LanguageModelV4TextPart | LanguageModelV4FilePart,
  provider: string,
): GivenBlock => (part.type === "text" ? textBlock(part) : mediaBlock(part, provider));

function mediaBlock({ data, mediaType, filename }: GivenFile, provider: string): GivenBlock {
  if (data.type === "text") return textBlock(data);
  const source = sourceOf(data, mediaType, provider);
  return mediaType.startsWith("image/")
    ? { type: "image", ...source }
    : { type: "file", ...source, ...(filename !== undefined && { name: filename }) };
}

function sourceOf(
  data: Exclude<GivenFile["data"], { type: "text" }>,
  mediaType: string,
  provider: string,
): MediaSource {
  switch (data.type) {
    case "data":
      return { mediaType, data: typeof data.data === "string" ? data.data : base64(data.data) };
    case "url":
      return { mediaType, url: data.url.href };
    case "reference":
      return { mediaType, fileId: data.reference[provider] ?? "", provider };
  }
}

function readResult(part: LanguageModelV4ToolResultPart, provider: string): ToolResultBlock {
  const { output, toolCallId: id, toolName: name } = part;
  const isError = /^error-|^execution-denied$/.test(output.type);
  const content = resultContent(output, provider);
  return { type: "tool-result", id, name, content, ...(isError && { isError }) };
}

function resultContent(output: ToolOutput, provider: string): ToolResultBlock["content"] {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return JSON.stringify(output.value);
    case "execution-denied":
      return output.reason ?? "The call was not approved, so it did not run.";
    case "content":
      return output.value.flatMap((item): readonly GivenBlock[] => {
        if (item.type === "custom") return [];
        return [item.type === "text" ? textBlock(item) : mediaBlock(item, provider)];
      });
  }
}
