import type { ReplyReader } from "@fullstop/core";
import { type Fields, fieldsOf, isFields } from "@fullstop/core/adapter";
import { anthropicReply } from "@fullstop/provider-anthropic/reply";
import { bedrockReply } from "@fullstop/provider-bedrock/reply";
import { googleReply, interactionsReply } from "@fullstop/provider-google/reply";
import { ollamaReply } from "@fullstop/provider-ollama/reply";
import { openaiChatReply, openaiReply } from "@fullstop/provider-openai/reply";
import {
  type DialectName,
  dialects,
  openaiCompatibleReply,
} from "@fullstop/provider-openai-compatible/reply";

/** Who sent an event, as far as AI SDK says it. */
export interface Sender {
  /** The name that the program gave, such as `openai.chat`. It may say which host answered. */
  readonly provider: string;
  readonly model: string;
  /** The address of the request. */
  readonly url: string | undefined;
}

interface Form {
  /** Whether an event of a stream, or a whole reply, is one of this protocol, and of no other. */
  readonly has: (native: Fields) => boolean;
  readonly reader: (sender: Sender) => ReplyReader;
}

const messagesEvents = /^(?:message_(?:start|delta|stop)|content_block_(?:start|delta|stop))$/;
const converseEvents = [
  "messageStart",
  "contentBlockStart",
  "contentBlockDelta",
  "contentBlockStop",
  "messageStop",
] as const;

/**
 * The readers, by what the events of their protocols are: the parts of AI SDK hide how a reply ended.
 * OpenAI's have no word for the end of a Responses reply, and `tool-calls` for a refusal; OpenRouter's
 * and Ollama's have `tool-calls` for a stream that was cut, and OpenRouter's `{}` in place of a cut
 * input; Google's join two replies. The name of a provider is the program's choice.
 */
const forms: readonly Form[] = [
  {
    has: ({ type, content, ...rest }) =>
      messagesEvents.test(String(type)) || (Array.isArray(content) && "stop_reason" in rest),
    reader: ({ model }) => anthropicReply(model),
  },
  {
    has: ({ type, object, output, status }) =>
      String(type).startsWith("response.") ||
      object === "response" ||
      (Array.isArray(output) && typeof status === "string"),
    reader: ({ model, provider, url = dialectOf(provider)?.baseURL }) =>
      openaiReply(model, { unknownItems: "pass", baseURL: url }),
  },
  { has: ({ choices }) => Array.isArray(choices), reader: chatReader },
  {
    has: ({ candidates, promptFeedback, usageMetadata }) =>
      Array.isArray(candidates) || isFields(promptFeedback) || isFields(usageMetadata),
    reader: ({ model }) => googleReply(model),
  },
  {
    has: ({ event_type, steps, status }) =>
      /^(?:interaction|step)\./.test(String(event_type)) ||
      (Array.isArray(steps) && typeof status === "string"),
    reader: ({ model }) => interactionsReply(model),
  },
  {
    has: (native) =>
      converseEvents.some((name) => isFields(native[name])) ||
      (isFields(fieldsOf(native["output"])["message"]) && "stopReason" in native),
    reader: ({ model }) => bedrockReply(model),
  },
  {
    has: ({ message, done }) => isFields(message) && typeof done === "boolean",
    reader: ({ model }) => ollamaReply(model),
  },
];

/** OpenAI's provider also serves other hosts: then the address says it, or it is not known. */
function chatReader({ provider, model, url }: Sender): ReplyReader {
  if (url !== undefined && openaiHost.test(url)) return openaiChatReply(model);
  const name = dialectNameOf(provider);
  return name === undefined
    ? openaiCompatibleReply("custom", model, { baseURL: url ?? "unknown:" })
    : openaiCompatibleReply(name, model, { baseURL: url });
}

const openaiHost = /^https:\/\/(?:[\w-]+\.)?api\.openai\.com\//;

/** `groq.chat` is a model of the host Groq. */
function dialectNameOf(provider: string): DialectName | undefined {
  const [name = ""] = provider.split(".");
  return Object.hasOwn(dialects, name) ? (name as DialectName) : undefined;
}
const dialectOf = (provider: string) => {
  const name = dialectNameOf(provider);
  return name && dialects[name];
};

/** The reader of the protocol that an event is of. `undefined` if it may be of several. */
export const readerOf = (native: unknown, sender: Sender): ReplyReader | undefined =>
  forms.find(({ has }) => has(fieldsOf(native)))?.reader(sender);
