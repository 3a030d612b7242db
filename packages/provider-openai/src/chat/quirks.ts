import type { Effort } from "@fullstop/core";
import { isImageReference, type MediaReference } from "@fullstop/core/adapter";
import type OpenAI from "openai";

/** The field with the model's reasoning, which the host requires in the history. */
export type ReasoningField = "reasoning_content" | "reasoning_details";

/** How the replies of a host differ from OpenAI's. */
export interface ReplyQuirks {
  /**
   * What ends a reply that has no `finish_reason`. `true`: the host was seen to omit it, so `[DONE]`
   * or a complete body counts as `stop`. `"body"`: only a complete body does, because it was put
   * together after generation; a gateway may send `[DONE]` after a stream that was cut. Both only if
   * a usage report came after the last content. `false` or absent: such a reply is `interrupted`.
   */
  readonly doneEnds?: boolean | "body" | undefined;
  /** The host splits one reply over several choices. */
  readonly mergesChoices?: true | undefined;
  /**
   * The host sends another id for the same call in each chunk, and repeats its name: only the index
   * identifies the call.
   */
  readonly rotatesIds?: true | undefined;
  /**
   * The field of a choice in which the host names the stop sequence that ended the reply. A number
   * there is a token of the model, and no sequence. No call of such a reply runs, if the request
   * names a stop sequence.
   */
  readonly matchedStop?: "stop_reason" | "matched_stop" | undefined;
  /** The host sends arguments cumulatively: each chunk holds them from the beginning. */
  readonly restatesArguments?: true | undefined;
  /**
   * The host skips indices of calls. By default a missing index between two calls means that a call
   * was lost.
   */
  readonly sparseIndices?: true | undefined;
  /**
   * How usage and cap count reasoning tokens. `"counted"`: both count them as output. `"beside"`:
   * `completion_tokens` excludes them; whether the cap includes them is not known. `"uncapped"`: the
   * cap excludes them. Absent: not known. If it is not known, an output above the cap proves nothing
   * if reasoning explains it.
   */
  readonly reasoningTokens?: "counted" | "beside" | "uncapped" | undefined;
  /** The field in which the host requires the reasoning of earlier messages. */
  readonly reasoning?: ReasoningField | undefined;
}

export interface RequestQuirks {
  /** The parameter for the output cap. The default is `max_tokens`. */
  readonly capName?: "max_tokens" | "max_completion_tokens" | undefined;
  /** Free-form tools are supported. Without it their input is an object with the member `text`. */
  readonly customTools?: true | undefined;
  readonly files?: true | undefined;
  /** What the host loads by a URL or a file id. The default is images by their URL. */
  readonly reference?: EncodeReference | undefined;
  /** The host refuses `content: null` in a message with calls. */
  readonly contentNeeded?: true | undefined;
  /** Results must carry the name of their tool. */
  readonly namesResults?: true | undefined;
  /** The host requires an assistant message between results and a user message. */
  readonly answersResults?: true | undefined;
  /** A request whose history has calls must list tools. */
  readonly toolsNeeded?: true | undefined;
  /** What the host expects as `tool_choice` if a call is required. The default is `required`. */
  readonly required?: "any" | undefined;
  /** The host does not support `stream_options` and reports usage without it. */
  readonly noStreamOptions?: true | undefined;
  /** Parameters that every streamed request with tools must have. */
  readonly toolStream?: Readonly<Record<string, unknown>> | undefined;
  /** The parameters for each effort. The default is `reasoning_effort`. */
  readonly effort?: Readonly<Record<Effort, Readonly<Record<string, unknown>>>> | undefined;
}

/** How a host differs from OpenAI. */
export interface Quirks extends ReplyQuirks, RequestQuirks {}

/**
 * Encodes an image or a file that the host loads by its URL or file id. A text says why the host
 * cannot load it; it ends without a full stop.
 */
export type EncodeReference = (block: MediaReference) => OpenAI.ChatCompletionContentPart | string;

const imageUrlPart = (url: string): OpenAI.ChatCompletionContentPartImage => ({
  type: "image_url",
  image_url: { url },
});

/** The default: the host loads images by their URL. */
export const imageUrls: EncodeReference = (block) => {
  if (block.fileId !== undefined)
    return `the host takes no ${isImageReference(block) ? "image" : "file"} by a file id in Chat Completions`;
  return isImageReference(block)
    ? imageUrlPart(block.url)
    : "the host loads only images by their URL in Chat Completions";
};

/**
 * OpenAI also takes files by their id, but images only by URL.
 * https://developers.openai.com/api/docs/guides/images-vision, file-inputs
 */
const imageUrlsAndFileIds: EncodeReference = (block) =>
  block.fileId !== undefined && !isImageReference(block)
    ? { type: "file", file: { file_id: block.fileId } }
    : imageUrls(block);

export const efforts: NonNullable<RequestQuirks["effort"]> = {
  none: { reasoning_effort: "none" },
  low: { reasoning_effort: "low" },
  medium: { reasoning_effort: "medium" },
  high: { reasoning_effort: "high" },
};

export const openaiReplyQuirks: ReplyQuirks = { reasoningTokens: "counted" };

export const openaiQuirks = (model: string): Quirks => ({
  ...openaiReplyQuirks,
  capName: "max_completion_tokens",
  customTools: true,
  files: true,
  reference: imageUrlsAndFileIds,
  effort: { ...efforts, none: { reasoning_effort: lowestEffort(model) } },
});

/** Models up to GPT-5 always think. https://developers.openai.com/api/docs/guides/reasoning */
const lowestEfforts: readonly (readonly [RegExp, string])[] = [
  [/^o\d/, "low"],
  [/^gpt-5(?!\.)/, "minimal"],
];
const lowestEffort = (model: string): string =>
  lowestEfforts.find(([pattern]) => pattern.test(model))?.[1] ?? "none";
