import type { Emit } from "@fullstop/core";
import type { Candidate, GenerateContentResponse } from "@google/genai";
import { createParts } from "./parts.ts";
import { codeOf, type GoogleError } from "./thrown.ts";
import { mergeUsage, type NativeUsage, readUsage } from "./usage.ts";

/** A chunk of a stream, a whole reply, or an error in the place of either. */
export type GoogleEvent = Partial<
  Pick<GenerateContentResponse, "candidates" | "promptFeedback" | "usageMetadata" | "modelVersion" | "responseId">
> & { readonly error?: GoogleError | string | null };

/** Reads one reply. Throws where a chunk contradicts what came before. */
export function createDecoder(emit: Emit): (event: GoogleEvent) => void {
  const introduce = createMeta(emit);
  const parts = createParts(emit);
  const count = createCount(emit);
  const end = createEnd(emit);
  return (event) => {
    introduce(event);
    const candidate = event.candidates?.find(({ index }) => (index ?? 0) === 0);
    const said = (candidate?.content?.parts ?? []).map((part) => parts.take(part)).includes(true);
    count(event);
    if (candidate) end(candidate, said);
    const blocked = event.promptFeedback?.blockReason;
    if (blocked) emit({ type: "stop", native: "blocked", detail: blocked, provisional: false });
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

/**
 * The word is the protocol's only end. But hosts that set it on every chunk with content mean nothing by it:
 * once content followed such a word, it counts only in a chunk without content (gcli2api#403, litellm#2195).
 * Before any content a word ends nothing by itself either: it may come while the model thinks (CLIProxyAPI#5651).
 */
function createEnd(emit: Emit): (candidate: Candidate, said: boolean) => void {
  let token: string | undefined;
  let begun = false;
  let besideContent = false;
  return ({ finishReason, finishMessage, continuationToken }, said) => {
    token = continuationToken ?? token;
    begun ||= said;
    if (!finishReason) return;
    if (token !== undefined) emit({ type: "meta", resume: token });
    const doubtful = besideContent && said;
    besideContent ||= said;
    const detail = finishMessage ? { detail: finishMessage } : {};
    emit({ type: "stop", native: finishReason, ...detail, provisional: doubtful || !begun ? undefined : false });
  };
}

/** Codes may be HTTP's, others' or words; the SDK's own stream gives an empty chunk for those it does not know. */
function fail(emit: Emit, error: GoogleError | string): void {
  const { message } = typeof error === "string" ? { message: error } : error;
  const native = typeof error === "string" ? undefined : codeOf(error);
  emit({ type: "error", native: native ?? "error", message: typeof message === "string" ? message : JSON.stringify(error) });
}
