import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ReplyReader } from "@fullstop/core";
import { anthropicReply } from "@fullstop/provider-anthropic/reply";
import { bedrockReply } from "@fullstop/provider-bedrock/reply";
import { googleReply } from "@fullstop/provider-google/reply";
import { ollamaReply } from "@fullstop/provider-ollama/reply";
import { openaiReply } from "@fullstop/provider-openai/reply";
import { openaiCompatibleReply } from "@fullstop/provider-openai-compatible/reply";

type ReaderOf = (model: string) => ReplyReader;
const responses: ReaderOf = (model) => openaiReply(model, { unknownItems: "pass" });
/** OpenAI's provider also serves other hosts, and its models do not say which one. */
const chat: ReaderOf = (model) => openaiCompatibleReply("custom", model, { baseURL: "unknown:" });

/**
 * Who reads the events of a provider, by the name that its models have. Its parts hide how a reply
 * ended: OpenAI's have no word for the end of a Responses reply, and `tool-calls` for a refusal;
 * OpenRouter's and Ollama's have `tool-calls` for a stream that was cut, and OpenRouter's `{}` in
 * place of a cut input; Google's join two replies.
 */
const readers: Readonly<Record<string, ReaderOf>> = {
  "amazon-bedrock": bedrockReply,
  "anthropic.messages": anthropicReply,
  "azure.chat": (model) => openaiCompatibleReply("azure", model),
  "azure.responses": responses,
  "google.generative-ai": googleReply,
  ollama: ollamaReply,
  "openai.chat": chat,
  "openai.responses": responses,
  openrouter: (model) => openaiCompatibleReply("openrouter", model),
};

export const nativeReader = ({ provider, modelId }: LanguageModelV4): ReplyReader | undefined =>
  Object.hasOwn(readers, provider) ? readers[provider]?.(modelId) : undefined;
