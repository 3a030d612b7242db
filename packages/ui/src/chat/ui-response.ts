import {
  anyFunction,
  anyText,
  anyValue,
  checkGiven,
  checkOptions,
  type OptionKinds,
  oneOf,
  trueOrFalse,
} from "@fullstop/core/adapter";
import type { Run, RunEvent } from "@fullstop/loop";
import { looseEvent, toBytes } from "../frame.ts";
import { jsonText } from "../json-text.ts";
import {
  eventStreamHeaders,
  lastEventIdOf,
  type ResponseKind,
  type ResponseOptions,
  refusal,
  respondWithRun,
  responseKinds,
  stream,
} from "../respond.ts";
import type { RunStreams } from "../run-streams.ts";
import { droppedMessage } from "../stream-error.ts";
import type { Encoder, EndOptions } from "../streamed-run.ts";
import type { UiChunk } from "./chunk.ts";
import { createChunkWriter } from "./chunk-writer.ts";
import { type ContinuedMessage, readContinued } from "./continued-message.ts";

/** What a page with `useChat` gets. */
export interface UiOptions extends ResponseOptions, EndOptions {
  /**
   * The messages that the page sent. If the last one is that of the assistant, the run continues it:
   * it answers an approval, or the page sent the result of a tool.
   */
  readonly messages?: unknown;
  /**
   * The id of the message that the run writes. If you store the messages of the page, store it under
   * this id: a page that comes back then shows it once. Default: the id of the message that is
   * continued, or a random one.
   */
  readonly messageId?: string | undefined;
  /** Whether the reasoning is shown, as far as the provider gives it. Default: true. */
  readonly reasoning?: boolean | undefined;
  /**
   * Whether a reply is shown while it arrives. If it is requested again, the page removes it
   * (`reset-step`), which releases of `ai` before 7.0.70 cannot do. With `false` a reply is shown
   * when the gate has judged it. Default: true.
   */
  readonly previews?: boolean | undefined;
  /**
   * `"text"` also sends what arrived of the input of a withheld call. It is not checked, and a filter
   * may have stopped it. Default: `"size"`, its length.
   */
  readonly withheld?: "size" | "text" | undefined;
  /**
   * Changes a part before it is sent, or leaves it out by returning `undefined`. It is not called for
   * the start of the message.
   */
  readonly select?: ((chunk: UiChunk, source: RunEvent) => object | undefined) | undefined;
}

export const uiKinds: OptionKinds<Required<UiOptions>> = {
  ...responseKinds,
  messages: anyValue,
  messageId: anyText,
  reasoning: trueOrFalse,
  previews: trueOrFalse,
  withheld: oneOf("size", "text"),
  select: anyFunction,
};

/**
 * Starts a run, and sends it as a UI message stream of the AI SDK, which `useChat` reads.
 * A page that disconnects, or calls `stop`, aborts the run. With `streams` the run goes on, and
 * `streams.stop` aborts it.
 * @throws TypeError or RangeError for options that cannot work, and UiMessageError for `messages`.
 */
export async function uiResponse(run: Run, options: UiOptions = {}): Promise<Response> {
  checkGiven(run?.textStream, "uiResponse", "a run: `run({ … })`");
  checkOptions(options, uiKinds, { of: "uiResponse" });
  const continued = readContinued(options.messages);
  const messageId = options.messageId ?? continued.id ?? crypto.randomUUID();
  const encoder = uiEncoder({ ...options, messageId }, continued);
  const { onEnd, onError } = options;
  // The page that sent the messages has the beginning of the message; one that comes back has not.
  const opening = looseEvent(JSON.stringify(startChunk(messageId)));
  return respondWithRun({ run, encoder, onEnd, onError }, options, {
    ...uiKind,
    opening,
    skipsBegun: true,
  });
}

/**
 * The stream of a page that was loaded again or lost its connection: `resume: true` of `useChat`
 * requests it. It begins at the start of the message, or after the `Last-Event-ID` of the request.
 * 204 if there is nothing to show; 410 if the stream has dropped a part of it.
 */
export async function resumeUi(
  streams: RunStreams,
  streamId: string,
  request: Request,
  options: Pick<ResponseOptions, "heartbeatMs"> = {},
): Promise<Response> {
  checkGiven(streams, "resumeUi", "the streams of `createRunStreams()`");
  const after = lastEventIdOf(request);
  const position = await streams.find(streamId, after);
  if (position === "dropped") return refusal(410, { kind: "dropped", message: droppedMessage });
  if (position !== "available") return new Response(null, { status: 204 });
  return stream(streams, { streamId, after }, options, uiKind);
}

const uiKind: ResponseKind = {
  headers: { ...eventStreamHeaders, "x-vercel-ai-ui-message-stream": "v1" },
  opening: toBytes(": open\n\n"),
  failure: () => looseEvent(JSON.stringify(errorChunk(droppedMessage))),
};

const startChunk = (messageId: string): UiChunk => ({ type: "start", messageId });
const errorChunk = (errorText: string): UiChunk => ({ type: "error", errorText });

function uiEncoder(
  {
    messageId,
    select,
    reasoning = true,
    previews = true,
    withheld = "size",
    errors = "kind",
  }: Omit<UiOptions, "messageId"> & { readonly messageId: string },
  continued: ContinuedMessage,
): Encoder {
  let chunks: UiChunk[] = [];
  const write = createChunkWriter({
    showsReasoning: reasoning,
    showsPreviews: previews,
    showsWithheldText: withheld === "text",
    errors,
    continued,
    emit: (chunk) => chunks.push(chunk),
  });
  return {
    begin: () => [startChunk(messageId), ...continued.chunks].map((chunk) => JSON.stringify(chunk)),
    event: (event) => {
      chunks = [];
      write(event);
      const chosen = chunks.map((chunk) => (select === undefined ? chunk : select(chunk, event)));
      return chosen
        .filter((chunk) => chunk !== undefined)
        .map((chunk) => jsonText(chunk, errorChunk));
    },
    failure: (text) => [JSON.stringify(errorChunk(text))],
    finish: () => ["[DONE]"],
  };
}
