import type { LanguageModelV4Middleware } from "@ai-sdk/provider";
import type { ReplyReader, Turn } from "@fullstop/core";
import {
  anyFunction,
  anyObject,
  callUserFunction,
  checkOptions,
  fieldsOf,
  type OptionKinds,
} from "@fullstop/core/adapter";
import { edit, hasCalls } from "./edit.ts";
import { hold } from "./hold.ts";
import { createJudge, type Evidence, type Verdict } from "./judge.ts";
import { judgeBroken, judgeWhole, readWhole } from "./judge-whole.ts";

/** Options of `finishedCalls`. */
export interface FinishedCallsOptions {
  /**
   * Reads the provider's own events, such as `anthropicReply("claude-sonnet-5-5")` of
   * `@fullstop/provider-anthropic/reply`. By default the events say which protocol they are of:
   * Messages, Chat Completions, Responses, Gemini, Interactions, Converse or that of Ollama.
   */
  readonly reader?: ReplyReader | undefined;
  /**
   * Receives the verdict on each reply, also if its connection broke: `withheld` says why calls were
   * held back. `evidence.from` is `parts` if the provider's own events were not seen or not known.
   */
  readonly onReply?: ((turn: Turn, evidence: Evidence) => void) | undefined;
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
  const report = ({ turn, evidence }: Verdict): void =>
    callUserFunction("`onReply` of `finishedCalls`", () => onReply?.(turn, evidence), undefined);
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
      const judge = createJudge({ model, params, request: rest.request, reader });
      // A middleware that simulates the stream of a whole reply gives its body.
      judge.pushBody(fieldsOf(rest.response)["body"]);
      const isAborted = (): boolean => params.abortSignal?.aborted === true;
      const held = hold(stream, judge, { wantsRaw: wantsRaw.has(params), report, isAborted });
      return { ...rest, stream: held };
    },
    async wrapGenerate({ doGenerate, model, params }) {
      const asked = { model, params, reader };
      const result = await readWhole(doGenerate, (thrown) => report(judgeBroken(asked, thrown)));
      const verdict = judgeWhole(asked, result);
      report(verdict);
      const { content, finishReason } = result;
      if (!hasCalls(content)) return result;
      const once = content.filter(
        (part) => part.type !== "tool-call" || !verdict.doubled.has(part),
      );
      const { parts, note, ...ending } = edit(verdict.turn, once, finishReason);
      const noted = note === undefined ? [] : [{ type: "text" as const, text: note }];
      return { ...result, ...ending, content: [...parts, ...noted] };
    },
  };
}
