import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { finishedCalls } from "@fullstop/ai-sdk";
import { tryParseJson } from "@fullstop/core/adapter";
import { wrapLanguageModel } from "ai";
import { cap, request } from "../tools.ts";
import type { Door, GivenCall, Model } from "./door.ts";

type Inner = Parameters<typeof wrapLanguageModel>[0]["model"];

const offeredTools: LanguageModelV4CallOptions["tools"] = (request.tools ?? []).flatMap((tool) =>
  "inputSchema" in tool && typeof tool.inputSchema === "object"
    ? [
        {
          type: "function" as const,
          name: tool.name,
          description: tool.description,
          inputSchema: { ...tool.inputSchema },
        },
      ]
    : [],
);
const callOptions: LanguageModelV4CallOptions = {
  prompt: [{ role: "user", content: [{ type: "text", text: "Go on." }] }],
  maxOutputTokens: cap,
  tools: offeredTools,
};
/** Of OpenAI's Responses: the provider defines it. */
const patch = { type: "provider", id: "openai.custom", name: "patch", args: {} } as const;

function guardedModel(model: Inner, asked: LanguageModelV4CallOptions = callOptions): Model {
  const plain = wrapLanguageModel({ model, middleware: [] });
  const guarded = wrapLanguageModel({ model, middleware: finishedCalls() });
  return {
    async ask({ whole, isGuarded }) {
      const { parts, isReadable } = await readParts(isGuarded ? guarded : plain, asked, whole);
      return isGuarded || isReadable ? parts.flatMap(callsIn) : [];
    },
  };
}

interface Reply {
  readonly parts: readonly (LanguageModelV4StreamPart | LanguageModelV4Content)[];
  /** The library found no error, and an end. It need not know the provider's word for the end. */
  readonly isReadable: boolean;
}

async function readParts(
  model: LanguageModelV4,
  asked: LanguageModelV4CallOptions,
  whole: boolean,
): Promise<Reply> {
  if (whole) {
    const { content, finishReason } = await model.doGenerate(asked);
    return { parts: content, isReadable: isEnd(finishReason) };
  }
  const parts: LanguageModelV4StreamPart[] = [];
  const { stream } = await model.doStream(asked);
  try {
    for await (const part of stream) parts.push(part);
  } catch {
    // Calls run while a stream arrives, so those before a failure count.
    return { parts, isReadable: false };
  }
  const isReadable =
    parts.every(({ type }) => type !== "error") &&
    parts.some((part) => part.type === "finish" && isEnd(part.finishReason));
  return { parts, isReadable };
}

const isEnd = ({ unified }: LanguageModelV4FinishReason): boolean =>
  ["stop", "tool-calls", "other"].includes(unified);

function callsIn(part: LanguageModelV4StreamPart | LanguageModelV4Content): readonly GivenCall[] {
  if (part.type !== "tool-call" || part.providerExecuted) return [];
  const input = tryParseJson(part.input.trim() || "{}");
  return [{ name: part.toolName, input: input ?? `not JSON: ${part.input}` }];
}

const key = "none";

export const aiSdk: Door = {
  // Its parsers drop a last event that is not closed, the names of events, and Bedrock's errors that
  // have no model. Of a whole reply of Bedrock it gives no body, which alone tells a server's tool.
  takes: ({ layout, damages, written }) =>
    layout.newline !== "\r" &&
    !layout.open &&
    !(written.whole && written.frames.some(({ data }) => data.includes('"server_tool_use"'))) &&
    !damages.some(
      (damage) =>
        (damage.kind === "named-error" && damage.data === "{}") ||
        (damage.kind === "error" && written.host === "bedrock"),
    ),
  read: (protocol, received, host) => protocol.read(received, host),
  models: {
    anthropic: {
      anthropic: (fetch) =>
        guardedModel(createAnthropic({ apiKey: key, fetch })("claude-sonnet-5")),
    },
    responses: {
      openai: (fetch) =>
        guardedModel(createOpenAI({ apiKey: key, fetch })("gpt-5.5"), {
          ...callOptions,
          tools: [...(offeredTools ?? []), patch],
        }),
    },
    chat: {
      openai: (fetch) => guardedModel(createOpenAI({ apiKey: key, fetch }).chat("gpt-5.5")),
      custom: (fetch) =>
        guardedModel(
          createOpenAICompatible({
            name: "proxy",
            baseURL: "https://host.test/v1",
            includeUsage: true,
            fetch,
          })("model"),
        ),
    },
    gemini: {
      google: (fetch) =>
        guardedModel(createGoogleGenerativeAI({ apiKey: key, fetch })("gemini-3-pro")),
    },
    interactions: {
      google: (fetch) =>
        guardedModel(
          createGoogleGenerativeAI({ apiKey: key, fetch }).interactions("gemini-3.8-flash"),
        ),
    },
    converse: {
      bedrock: (fetch) =>
        guardedModel(
          createAmazonBedrock({ region: "us-east-1", apiKey: key, fetch })(
            "anthropic.claude-sonnet-5",
          ),
        ),
    },
  },
};
