import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { type Adapter, type Preview, readTurn, type Turn } from "@fullstop/core";
import { checkGiven } from "@fullstop/core/adapter";
import { textParts } from "./hold.ts";
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
      const { shown, rest, ...ending } = contentOf(turn);
      return { ...ending, content: [...shown, ...rest], warnings, response: { modelId: model } };
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
        shown.end();
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

/** Inputs of tools are not shown. */
function createPreviews(emit: (part: LanguageModelV4StreamPart) => void) {
  let open: { readonly type: "text" | "reasoning"; readonly id: string } | undefined;
  let blocks = 0;
  const end = (): void => {
    if (open !== undefined) emit({ type: `${open.type}-end`, id: open.id });
    open = undefined;
  };
  return {
    end,
    isBegun: (): boolean => blocks > 0,
    show(preview: Preview): void {
      if (preview.type !== "text" && preview.type !== "thinking") return;
      const type = preview.type === "text" ? "text" : "reasoning";
      if (open?.type !== type) {
        end();
        open = { type, id: String(blocks++) };
        emit({ type: `${type}-start`, id: open.id });
      }
      emit({ type: `${type}-delta`, id: open.id, delta: preview.text });
    },
  };
}

function endOf(turn: Turn, provider: string): readonly LanguageModelV4StreamPart[] {
  const { rest, finishReason, usage } = contentOf(turn);
  const failed = turn.stopReason === "error" || turn.stopReason === "interrupted";
  return [
    ...rest.flatMap(streamed),
    ...(failed ? [{ type: "error" as const, error: callError(turn.error, provider) }] : []),
    { type: "finish", finishReason, usage },
  ];
}

/** Reasoning was shown while it arrived. */
function streamed(part: LanguageModelV4Content): readonly LanguageModelV4StreamPart[] {
  if (part.type === "text") return textParts("rest", part.text);
  return part.type === "reasoning" ? [] : [part];
}
