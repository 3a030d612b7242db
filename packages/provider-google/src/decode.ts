import type { Emit } from "@fullstop/core";
import type { Candidate, GenerateContentResponse } from "@google/genai";
import { createParts } from "./parts.ts";
import { codeOf, type GoogleError } from "./thrown.ts";
import { mergeUsage, type NativeUsage, readUsage } from "./usage.ts";

/** A chunk of a stream, a whole reply, or an error in the place of either. */
export type GoogleEvent = Partial<
  Pick<GenerateContentResponse, "candidates" | "promptFeedback" | "usageMetadata" | "modelVersion" | "responseId">
> & { readonly error?: GoogleError | string | null };

/** On which chunks of its replies a host puts a finish reason. */
export type FinishReasonOn = "last-chunk" | "every-chunk";

/**
 * Reads one reply. Throws where a chunk contradicts what came before.
 *
 * | of the protocol | is |
 * | --- | --- |
 * | one call | a `functionCall` with a name; the same one twice is two calls |
 * | the end of a call | the part itself; after `willContinue`, the nameless part without it |
 * | the end of the reply | the end of the body; no finish reason is an end of its own |
 * | the word that counts | the last finish reason, unless content or an open step of the service stands against it |
 */
export function createDecoder(emit: Emit, finishReason: FinishReasonOn = "last-chunk"): (event: GoogleEvent) => void {
  const introduce = createMeta(emit);
  const parts = createParts(emit);
  const count = createCount(emit);
  const end = createEnd(emit, finishReason);
  return (event) => {
    introduce(event);
    const candidate = event.candidates?.find(({ index }) => (index ?? 0) === 0);
    const said = (candidate?.content?.parts ?? []).map((part) => parts.take(part)).includes(true);
    count(event);
    if (candidate) end(candidate, { said, waits: parts.waits() });
    const blocked = event.promptFeedback?.blockReason;
    if (blocked) emit({ type: "stop", native: "blocked", detail: blocked });
    if (event.error) fail(emit, event.error);
  };
}

/** Every chunk repeats who it is from. */
function createMeta(emit: Emit): (event: GoogleEvent) => void {
  let known = false;
  return ({ responseId, modelVersion }) => {
    if (known || (responseId ?? modelVersion) === undefined) return;
    known = true;
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

/** What came up to a chunk's finish reason. */
interface Before {
  /** The chunk itself holds content. */
  readonly said: boolean;
  /** The result of a step of the service's own is still to come. */
  readonly waits: boolean;
}

/**
 * Three finish reasons end nothing, so that only a later one counts:
 * - One that content follows: Google itself sends `STOP` between the rounds of its own tools (0xPlaygrounds/rig#2328), proxies send it before any content (CLIProxyAPI#5651).
 * - One beside a step of the service whose result is still to come. `CONTINUATION` says itself that the reply goes on.
 * - One of a host that puts it on every chunk with content (litellm#2195, songquanpeng/one-api#1408, gcli2api#403), for it says nothing of the chunk.
 *   Where a chunk with content came without one, or one comes in a chunk without content, it is not such a host, or not such a word.
 */
function createEnd(emit: Emit, on: FinishReasonOn): (candidate: Candidate, before: Before) => void {
  let token: string | undefined;
  let marked = 0;
  let unmarked = false;
  return ({ finishReason, finishMessage, continuationToken }, { said, waits }) => {
    token = continuationToken ?? token;
    if (said && isWord(finishReason)) marked++;
    else unmarked ||= said;
    if (!finishReason) return;
    if (token !== undefined) emit({ type: "meta", resume: token });
    const onEvery = on === "last-chunk" && said && marked > 1 && !unmarked;
    const provisional = onEvery || (waits && finishReason !== "CONTINUATION") ? true : undefined;
    emit({ type: "stop", native: finishReason, ...(finishMessage ? { detail: finishMessage } : {}), provisional });
  };
}

/** Some hosts send these in place of no word. */
const isWord = (finishReason: string | undefined): boolean => !["", "null"].includes(finishReason?.trim() ?? "");

/** Codes may be HTTP's, others' or words; the SDK's own stream gives an empty chunk for those it does not know. */
function fail(emit: Emit, error: GoogleError | string): void {
  const { message } = typeof error === "string" ? { message: error } : error;
  const native = typeof error === "string" ? undefined : codeOf(error);
  emit({ type: "error", native: native ?? "error", message: typeof message === "string" ? message : JSON.stringify(error) });
}
