import type { LanguageModelV4Middleware } from "@ai-sdk/provider";
import type { ReplyReader, Turn } from "@fullstop/core";
import {
  anyFunction,
  anyObject,
  callUserFunction,
  checkOptions,
  type OptionKinds,
} from "@fullstop/core/adapter";
import { edit, hasCalls } from "./edit.ts";
import { hold } from "./hold.ts";
import { createJudge } from "./judge.ts";

/** Options of `finishedCalls`. */
export interface FinishedCallsOptions {
  /**
   * Reads the provider's own events, such as `anthropicReply("claude-sonnet-5-5")` of
   * `@fullstop/provider-anthropic/reply`. By default those of OpenAI, Azure, OpenRouter and Ollama
   * are read, because their parts hide how a reply ended.
   */
  readonly reader?: ReplyReader | undefined;
  /** Receives the verdict on each reply: `withheld` says why calls were held back. */
  readonly onReply?: ((turn: Turn) => void) | undefined;
}
const kinds: OptionKinds<Required<FinishedCallsOptions>> = {
  reader: anyObject,
  onReply: anyFunction,
};

/**
 * A middleware for `wrapLanguageModel`: the tool calls of a reply are given out only if the reply is
 * proven finished. Otherwise a note is in their place, and the finish reason is an honest one.
 */
export function finishedCalls(options: FinishedCallsOptions = {}): LanguageModelV4Middleware {
  checkOptions(options, kinds, { of: "finishedCalls" });
  const { reader, onReply } = options;
  const report = (turn: Turn): void =>
    callUserFunction("`onReply` of `finishedCalls`", () => onReply?.(turn), undefined);
  const wantsRaw = new WeakSet<object>();
  return {
    specificationVersion: "v4",
    async transformParams({ type, params }) {
      if (type === "generate") return params;
      const asked = { ...params, includeRawChunks: true };
      if (params.includeRawChunks) wantsRaw.add(asked);
      return asked;
    },
    async wrapStream({ doStream, model, params }) {
      const { stream, ...rest } = await doStream();
      const judge = createJudge({ model, params, body: rest.request?.body, reader });
      const holding = hold(judge, { wantsRaw: wantsRaw.has(params), report });
      return { ...rest, stream: stream.pipeThrough(holding) };
    },
    async wrapGenerate({ doGenerate, model, params }) {
      const result = await doGenerate();
      const { content, finishReason, usage } = result;
      const judge = createJudge({ model, params, body: result.request?.body, reader });
      if (result.response?.body !== undefined) judge.pushNative(result.response.body);
      for (const part of content) judge.push(part);
      judge.push({ type: "finish", finishReason, usage });
      const turn = judge.end();
      report(turn);
      if (!hasCalls(content)) return result;
      const { parts, note, ...ending } = edit(turn, content, finishReason);
      const noted = note === undefined ? [] : [{ type: "text" as const, text: note }];
      return { ...result, ...ending, content: [...parts, ...noted] };
    },
  };
}
