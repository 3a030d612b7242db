import {
  type Decoder,
  type Emit,
  type ParseEvent,
  parseErrorEvents,
  parseEvent,
  readIndex,
  refuseOtherNames,
  type TurnEvent,
  unfinishedWords,
} from "@fullstop/core/adapter";
import type { Candidate, GenerateContentResponse } from "@google/genai";
import { emitGoogleError, type GoogleError } from "./google-error.ts";
import { createParts } from "./parts.ts";
import { mergeUsage, type NativeUsage, readUsage } from "./usage.ts";

/** A chunk of a stream, a reply in one piece, or an error instead of either. */
export type GoogleEvent = Partial<
  Pick<
    GenerateContentResponse,
    "candidates" | "promptFeedback" | "usageMetadata" | "modelVersion" | "responseId"
  >
> & { readonly error?: GoogleError | string | null };

/** Parses the data of one event. One that is named `error` is an error with any data. */
export const parseGoogle: ParseEvent<GoogleEvent> = /* @__PURE__ */ parseErrorEvents<GoogleEvent>(
  parseEvent,
  (event, data) => (event?.error ? event : { error: { message: data } }),
);

/** How many candidates the request asked for. */
export type RequestedCandidates = "one" | "any";

/** The chunks of a reply that have a finish reason. */
export type FinishReasonOn = "last-chunk" | "every-chunk";

/**
 * Reads one reply. Throws if a chunk contradicts an earlier one.
 *
 * | question | answer |
 * | --- | --- |
 * | What identifies a reply? | Its `responseId`, which every chunk repeats. Content of another one behind a call is a second reply, unless every chunk has an id of its own and the same model. |
 * | What identifies a call? | Its `functionCall` part. The same call twice is two calls, because ids are optional; with the same id, or in another chunk with the same signature, it is one. |
 * | What closes a call? | The part itself. After `willContinue`, a part without a name and without `willContinue`. |
 * | What ends the reply? | The end of the body, after a finish reason. No finish reason is an end by itself. |
 * | Which finish reason counts? | The last one, if no content follows it: see `createFinish`. A worse word under the name of another protocol counts more. |
 */
export function createDecoder(
  emit: Emit,
  finishReason: FinishReasonOn = "last-chunk",
  requested: RequestedCandidates = "one",
): Decoder<GoogleEvent> {
  const readMeta = createMeta(emit);
  const { check, settle } = createReplyCheck();
  const parts = createParts(emit);
  const count = createCount(emit);
  const finish = createFinish(emit, finishReason);
  let otherCalls = false;
  const decode = (event: GoogleEvent | GoogleEvent[]): void => {
    // A reply without `alt=sse` is a list of chunks.
    if (Array.isArray(event)) return event.forEach(decode);
    readMeta(event);
    const candidate = event.candidates?.find((one) => readIndex(one?.index ?? 0) === 0);
    otherCalls ||= event.candidates?.some((one) => one !== candidate && hasCall(one)) ?? false;
    parts.startChunk();
    const contents = (candidate?.content?.parts ?? []).map((part) => parts.read(part));
    const hasContent = contents.includes(true);
    if (!hasContent) {
      refuseOtherNames("tool call", candidate);
      refuseOtherNames("tool call", candidate?.content);
    }
    check(event, { hasContent, hasCalls: parts.hasCalls() });
    count(event);
    if (candidate) finish(candidate, { hasContent, hasOpenStep: parts.hasOpenStep() });
    emitOtherStops(emit, event, candidate);
    if (event.error) emitGoogleError(emit, event.error);
  };
  const assertNoCallIsLost = (): void => {
    if (requested === "one" && otherCalls && !parts.hasCalls())
      throw new Error(
        "The reply has a tool call only in another candidate, and nothing of it ran.",
      );
  };
  return Object.assign(decode, {
    settle: () => {
      settle();
      assertNoCallIsLost();
    },
  });
}

/** A blocked prompt, and what a gateway says under the name of another protocol. */
function emitOtherStops(emit: Emit, event: GoogleEvent, candidate: Candidate | undefined): void {
  const blockReason = event.promptFeedback?.blockReason;
  if (isGiven(blockReason)) emit({ type: "stop", native: "blocked", detail: blockReason });
  for (const holder of [event, candidate])
    for (const native of unfinishedWords(holder, ["finishReason"])) emit({ type: "stop", native });
}

const hasCall = (candidate: Candidate | null): boolean =>
  candidate?.content?.parts?.some((part) => part.functionCall !== undefined) ?? false;

interface IdContext {
  readonly hasContent: boolean;
  /** A call came, in this chunk or before it. */
  readonly hasCalls: boolean;
}

/**
 * Finds a second reply in the same body, as a router appends one that asks another model in the
 * middle of a stream. Google repeats one id in every chunk; some proxies make one up for each
 * (looplj/axonhub#645), so an id counts only if another chunk has it, too, and one of them has
 * content: a gateway may send the last chunk twice. With another `modelVersion` it always counts.
 */
function createReplyCheck() {
  const ids = new Map<string, boolean>();
  let idOfCalls: string | undefined;
  let modelOfCalls: string | undefined;
  let isOther = false;
  let second: string | undefined;
  return {
    check(
      { responseId: id, modelVersion: model }: GoogleEvent,
      { hasContent, hasCalls }: IdContext,
    ): void {
      if (typeof id !== "string" || id.trim() === "") return;
      const hadContent = ids.get(id);
      isOther ||= hadContent !== undefined && (hadContent || hasContent);
      ids.set(id, hasContent || hadContent === true);
      if (hasContent && idOfCalls !== undefined && id !== idOfCalls) {
        second ??= id;
        isOther ||= isOtherModel(model, modelOfCalls);
      }
      if (!hasCalls) return;
      idOfCalls ??= id;
      modelOfCalls ??= model;
    },
    /** Throws if content of another reply came behind a call. */
    settle(): void {
      if (second !== undefined && isOther)
        throw new Error(
          `A second reply (${second}) begins behind a call of the reply ${idOfCalls}, which did not end.`,
        );
    },
  };
}

const isOtherModel = (one: string | undefined, other: string | undefined): boolean =>
  Boolean(one && other) && one !== other;

/** Every chunk repeats the id and the model. */
function createMeta(emit: Emit): (event: GoogleEvent) => void {
  let isKnown = false;
  return ({ responseId, modelVersion }) => {
    if (isKnown || (responseId ?? modelVersion) === undefined) return;
    isKnown = true;
    emit({ type: "meta", id: responseId, model: modelVersion });
  };
}

function createCount(emit: Emit): (event: GoogleEvent) => void {
  let usage: NativeUsage = {};
  return ({ usageMetadata }) => {
    if (!usageMetadata) return;
    usage = mergeUsage(usage, usageMetadata);
    emit({ type: "usage", usage: readUsage(usage) });
  };
}

interface FinishContext {
  /** The chunk with the finish reason has content. */
  readonly hasContent: boolean;
  /** A step that the service runs itself has no result yet. */
  readonly hasOpenStep: boolean;
}

/**
 * Three kinds of finish reason do not count:
 * - One that content follows; the core revokes it. Google sends `STOP` between rounds of its own
 *   tools (0xPlaygrounds/rig#2328), and proxies send it before any content (CLIProxyAPI#5651).
 * - One while a step of the service has no result yet. `CONTINUATION` does count: it says itself
 *   that the reply is not finished.
 * - One of a host that puts it on every chunk with content (litellm#2195,
 *   songquanpeng/one-api#1408, gcli2api#403): any chunk may be the last that arrived. It counts if
 *   a chunk with content came without one, or if it comes in a chunk without content.
 */
function createFinish(
  emit: Emit,
  on: FinishReasonOn,
): (candidate: Candidate, context: FinishContext) => void {
  let token: string | undefined;
  let chunksWithReason = 0;
  let sawChunkWithoutReason = false;
  let last: Stop | undefined;
  /** A signature is not content, but it is kept in a block, which revokes the finish reason. */
  const repeat = (hasContent: boolean): void => {
    if (hasContent) last = undefined;
    if (last !== undefined) emit(last);
  };
  return (candidate, { hasContent, hasOpenStep }) => {
    const { finishReason, finishMessage, continuationToken } = candidate;
    token = continuationToken ?? token;
    if (hasContent && isGiven(finishReason)) chunksWithReason++;
    else sawChunkWithoutReason ||= hasContent;
    if (!isGiven(finishReason)) return repeat(hasContent);
    if (token !== undefined) emit({ type: "meta", resume: token });
    const isOnEveryChunk =
      on === "last-chunk" && hasContent && chunksWithReason > 1 && !sawChunkWithoutReason;
    const isEarly = hasOpenStep && finishReason !== "CONTINUATION";
    const detail = finishMessage ? { detail: finishMessage } : {};
    last = { type: "stop", native: finishReason, ...detail };
    if (isOnEveryChunk || isEarly) last = { ...last, provisional: true };
    emit(last);
  };
}

type Stop = Extract<TurnEvent, { type: "stop" }>;

/** If there is no reason, some hosts send `""`, `"null"` or the default value of its type. */
const isGiven = (reason: string | undefined): reason is string =>
  reason !== undefined && reason !== null && !/^(?:|null|.*_UNSPECIFIED)$/.test(reason.trim());
