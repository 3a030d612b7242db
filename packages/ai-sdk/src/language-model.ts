import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { type Adapter, type AssistantBlock, readTurn, type Turn } from "@fullstop/core";
import { checkGiven } from "@fullstop/core/adapter";
import { createPreviews } from "./previews.ts";
import { callError, contentOf } from "./reply-content.ts";
import { readOptions } from "./request.ts";

/**
 * Makes an adapter a model of AI SDK. The reply is judged by its bytes, and only its finished calls
 * are given out.
 */
export function languageModel(adapter: Adapter): LanguageModelV4 {
  checkGiven(adapter, "languageModel", "an adapter");
  const { provider, model } = adapter;
  return {
    specificationVersion: "v4",
    provider: `fullstop.${provider}`,
    modelId: model,
    supportedUrls: {},
    async doGenerate(options) {
      const { request, warnings } = readOptions(options, adapter);
      const turn = await readTurn(adapter, request, { signal: options.abortSignal });
      throwIfFailed(turn, options, provider);
      const { content, ...ending } = contentOf(turn);
      return { ...ending, content: [...content], warnings, response: { modelId: model } };
    },
    doStream: (options) => openStream(adapter, options),
  };
}

/** Resolves with the first part of the reply. Until then a failure may be repaired by a retry. */
function openStream(
  adapter: Adapter,
  options: LanguageModelV4CallOptions,
): Promise<LanguageModelV4StreamResult> {
  const { request, warnings } = readOptions(options, adapter);
  const { promise, resolve, reject } = Promise.withResolvers<LanguageModelV4StreamResult>();
  const cancelled = new AbortController();
  const signals = options.abortSignal === undefined ? [] : [options.abortSignal];
  const signal = AbortSignal.any([cancelled.signal, ...signals]);
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    async start(out) {
      out.enqueue({ type: "stream-start", warnings });
      const shown = createPreviews((part) => {
        resolve({ stream });
        out.enqueue(part);
      });
      try {
        const turn = await readTurn(adapter, request, { signal, onPreview: shown.show });
        if (!shown.isBegun()) throwIfFailed(turn, options, adapter.provider);
        for (const part of shown.end(turn)) out.enqueue(part);
        for (const part of endOf(turn, adapter.provider)) out.enqueue(part);
        out.close();
        resolve({ stream });
      } catch (thrown) {
        reject(thrown);
        if (!cancelled.signal.aborted) out.error(thrown);
      }
    },
    cancel: () => cancelled.abort(),
  });
  return promise;
}

/** What AI SDK expects as an exception: an abort, and a request that failed. */
function throwIfFailed(
  turn: Turn,
  { abortSignal }: LanguageModelV4CallOptions,
  provider: string,
): void {
  abortSignal?.throwIfAborted();
  if (turn.stopReason === "error" || turn.stopReason === "interrupted")
    throw callError(turn.error, provider);
}

/** Parts of a turn behind those that its stream has shown. */
function endOf(turn: Turn, provider: string): readonly LanguageModelV4StreamPart[] {
  const { content, finishReason, usage } = contentOf(turn, isShown);
  const failed = turn.stopReason === "error" || turn.stopReason === "interrupted";
  // A reply without a message has shown its text.
  const left = turn.message === undefined ? content.slice(turn.text === "" ? 0 : 1) : content;
  return [
    ...left.flatMap(streamed),
    ...(failed ? [{ type: "error" as const, error: callError(turn.error, provider) }] : []),
    { type: "finish", finishReason, usage },
  ];
}

const isShown = (block: AssistantBlock): boolean =>
  (block.type === "text" || block.type === "thinking") && block.text !== "";

function streamed(part: LanguageModelV4Content, at: number): readonly LanguageModelV4StreamPart[] {
  if (part.type !== "text" && part.type !== "reasoning") return [part];
  const { type, text, providerMetadata } = part;
  const id = `rest-${at}`;
  return [
    { type: `${type}-start`, id },
    ...(text === "" ? [] : [{ type: `${type}-delta` as const, id, delta: text }]),
    { type: `${type}-end`, id, ...(providerMetadata && { providerMetadata }) },
  ];
}
