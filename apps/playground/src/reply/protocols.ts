import type { ReplyReader } from "@fullstop/core";
import { ndjson, sse } from "@fullstop/core/adapter";
import { anthropicReply, parseAnthropic } from "@fullstop/provider-anthropic/reply";
import {
  googleReply,
  interactionsReply,
  parseGoogle,
  parseInteractions,
} from "@fullstop/provider-google/reply";
import { ollamaReply } from "@fullstop/provider-ollama/reply";
import {
  openaiChatReply,
  openaiReply,
  parseChat,
  parseResponses,
} from "@fullstop/provider-openai/reply";
import { openaiCompatibleReply } from "@fullstop/provider-openai-compatible/reply";

/** A protocol that the page reads. */
export type ProtocolName =
  | "anthropic-messages"
  | "openai-chat"
  | "openai-chat-other"
  | "openai-responses"
  | "gemini-generate-content"
  | "gemini-interactions"
  | "ollama-chat";

type Batches = Promise<AsyncIterable<readonly unknown[]>>;

/** How the replies of a protocol are read: by the provider's own reader, without its SDK. */
export interface Protocol {
  readonly label: string;
  readonly reader: ReplyReader;
  /** The native events of a response. */
  open(response: Response): Batches;
}

const model = "a-model";
const chatEvents = (response: Response): Batches => sse(response, { parse: parseChat });

export const protocols: Readonly<Record<ProtocolName, Protocol>> = {
  "anthropic-messages": {
    label: "Anthropic Messages",
    reader: anthropicReply(model),
    open: (response) => sse(response, { parse: parseAnthropic }),
  },
  "openai-chat": {
    label: "OpenAI Chat Completions",
    reader: openaiChatReply(model),
    open: chatEvents,
  },
  "openai-responses": {
    label: "OpenAI Responses",
    reader: openaiReply(model),
    open: (response) => sse(response, { parse: parseResponses }),
  },
  "gemini-generate-content": {
    label: "Gemini generateContent",
    reader: googleReply(model),
    open: (response) => sse(response, { parse: parseGoogle }),
  },
  "gemini-interactions": {
    label: "Gemini Interactions",
    reader: interactionsReply(model),
    open: (response) => sse(response, { parse: parseInteractions }),
  },
  "openai-chat-other": {
    label: "Chat Completions of another host",
    reader: openaiCompatibleReply("custom", model, { baseURL: "https://host.invalid" }),
    open: chatEvents,
  },
  "ollama-chat": {
    label: "Ollama",
    reader: ollamaReply(model),
    open: (response) => ndjson(response),
  },
};

export const protocolNames = Object.keys(protocols) as readonly ProtocolName[];

/** The native stop reasons that the provider's table lists. */
export const knownStops = (protocol: ProtocolName): readonly string[] =>
  Object.keys(protocols[protocol].reader.stops);
