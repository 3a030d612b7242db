import type { Emit } from "@fullstop/core/adapter";
import type { Candidate, GenerateContentResponse } from "@google/genai";
import { createParts } from "./parts.ts";
import { codeOf, type GoogleError } from "./thrown.ts";
import { mergeUsage, type NativeUsage, readUsage } from "./usage.ts";

/** A chunk of a stream, a whole reply, or an error in the place of either. */
export type GoogleEvent = Partial<
  Pick<
    GenerateContentResponse,
    "candidates" | "promptFeedback" | "usageMetadata" | "modelVersion" | "responseId"
  >
> & { readonly error?: GoogleError | string | null };

/** On which chunks of its replies a host puts a finish reason. */
export type FinishReasonOn = "last-chunk" | "every-chunk";

/**
 * Reads one reply. Throws where a chunk contradicts what came before.
 *
 * | question | answer |
 * | --- | --- |
 * | What identifies a call? | Its `functionCall` part. The same call twice is two calls, because ids are optional. |
 * | What closes a call? | The part itself. After `willContinue`, a part without a name and without `willContinue`. |
 * | What ends the reply? | The end of the body, after a finish reason. No finish reason is an end by itself. |
 * | Which finish reason counts? | The last one, if no content follows it: see `createEnd`. |
 */
export function createDecoder(
  emit: Emit,
  finishReason: FinishReasonOn = "last-chunk",
): (event: GoogleEvent) => void {
  const introduce = createMeta(emit);
  const parts = createParts(emit);
  const count = createCount(emit);
  const end = createEnd(emit, finishReason);
  return (event) => {
    introduce(event);
    const candidate = event.candidates?.find((one: Candidate | null) => (one?.index ?? 0) === 0);
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
  /** The result of one of the service's own steps has not come yet. */
  readonly waits: boolean;
}

/**
 * Three kinds of finish reason do not count:
 * - One that content follows. Google sends `STOP` between rounds of its own tools (0xPlaygrounds/rig#2328), and proxies send it before any content (CLIProxyAPI#5651).
 *   The core revokes it.
 * - One while a step of the service has no result yet. `CONTINUATION` says itself that the reply goes on.
 * - One of a host that puts it on every chunk with content (litellm#2195, songquanpeng/one-api#1408, gcli2api#403): any chunk may be the last that arrived.
 *   It counts if a chunk with content came without one, or if it comes in a chunk without content.
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
    emit({
      type: "stop",
      native: finishReason,
      ...(finishMessage ? { detail: finishMessage } : {}),
      provisional,
    });
  };
}

/** Some hosts send these if there is no finish reason. */
const isWord = (finishReason: string | undefined): boolean =>
  !["", "null"].includes(finishReason?.trim() ?? "");

/** Codes may be HTTP's, others' or words; the SDK's own stream gives an empty chunk for those it does not know. */
function fail(emit: Emit, error: GoogleError | string): void {
  const { message } = typeof error === "string" ? { message: error } : error;
  const native = typeof error === "string" ? undefined : codeOf(error);
  emit({
    type: "error",
    native: native ?? "error",
    message: typeof message === "string" ? message : JSON.stringify(error),
  });
}
