import type { TokenUsage } from "@aws-sdk/client-bedrock-runtime";
import type { Usage } from "@fullstop/core";
import {
  type Decoder,
  type Emit,
  fieldsOf,
  isFields,
  readIndex,
  unfinishedWords,
} from "@fullstop/core/adapter";
import { type Blocks, createBlocks, readWhole } from "./blocks.ts";
import { exceptionName } from "./errors.ts";
import type { BedrockEvent } from "./events.ts";
import { holdsInput } from "./reader.ts";

/** Whether a host sends the `metadata` event, which ends a stream. */
export type MetadataRule = "required" | "optional";

/**
 * Reads one reply. Throws if an event contradicts an earlier one.
 *
 * | question | answer |
 * | --- | --- |
 * | What identifies a reply? | `messageStart`: events have no id, and a body has one reply. |
 * | What identifies a call? | The `contentBlockIndex` of its block while it is open. |
 * | What closes a call? | `contentBlockStop` with that index. |
 * | What ends the reply? | `messageStop` and `metadata`, in any order. Amazon sends `metadata` last. |
 * | Which stop reason counts? | The last one, if no content follows it. A worse word under the name of another protocol, or of the model itself, counts more. |
 * | Which contradictions are found? | A second `messageStart` after content; a block that starts twice; a piece of a block that is not open or of another kind. |
 * | Which are found at the end, if the reply has calls? | A gap in the indices. |
 */
export function createDecoder(
  emit: Emit,
  metadataRule: MetadataRule = "required",
): Decoder<BedrockEvent> {
  const blocks = createBlocks(emit);
  const ending = createEnding(emit, { blocks, isRequired: metadataRule === "required" });
  const begin = (): void => {
    if (blocks.hasBlocks()) throw new Error("The reply starts a second time.");
    emit({ type: "meta" });
  };
  const decodeContent = (event: BedrockEvent): void => {
    const { contentBlockStart: start, contentBlockDelta: piece, contentBlockStop: stop } = event;
    if (start) blocks.start(indexOf(start), start.start ?? {});
    if (piece) blocks.delta(indexOf(piece), piece.delta ?? {});
    if (start || piece) ending.revoke();
    if (stop) blocks.stop(indexOf(stop));
  };
  const decodeWhole = (event: BedrockEvent): void => {
    for (const [index, block] of (event.output?.message?.content ?? []).entries())
      readWhole(emit, blocks, index, block);
    if (event.stopReason !== undefined) ending.stop(event.stopReason, event);
    ending.finish(event);
  };
  const decode = (event: BedrockEvent): void => {
    if (emitErrors(emit, event)) return;
    if (event.messageStart) begin();
    decodeContent(event);
    if (event.messageStop?.stopReason) ending.stop(event.messageStop.stopReason, event.messageStop);
    if (event.metadata) ending.finish(event.metadata);
    if (event.output) decodeWhole(event);
    emitOtherWords(emit, event);
    assertNoOtherPiece(event);
  };
  return Object.assign(decode, { settle: blocks.assertComplete });
}

/** Events of a new type are ignored, but no piece of an input, and no event inside of another one. */
function assertNoOtherPiece(event: BedrockEvent): void {
  for (const value of Object.values(event)) {
    const { delta, contentBlockStart, contentBlockDelta } = fieldsOf(value);
    const isInput = value !== event.contentBlockDelta && holdsInput(delta);
    if (isInput || contentBlockStart || contentBlockDelta)
      throw new Error("An event with a piece of an input has no known type.");
  }
}

const indexOf = ({ contentBlockIndex }: { contentBlockIndex?: number | undefined }): number =>
  readIndex(contentBlockIndex ?? 0);

type Metadata = NonNullable<BedrockEvent["metadata"]>;
interface NativeStop {
  readonly native: string;
  readonly detail?: unknown;
}

function createEnding(
  emit: Emit,
  { blocks, isRequired }: { readonly blocks: Blocks; readonly isRequired: boolean },
) {
  let stop: NativeStop | undefined;
  let metadata: Metadata | undefined;
  const emitStop = (): void => {
    if (stop === undefined) return;
    const open = isRequired ? true : undefined;
    const detail = stop.detail ?? metadata?.trace?.guardrail;
    emit({
      type: "stop",
      native: stop.native,
      ...(detail !== undefined && { detail }),
      provisional: metadata === undefined ? open : false,
    });
  };
  return {
    /** Content came: an earlier stop reason does not end the reply. */
    revoke(): void {
      stop = undefined;
    },
    stop(
      native: string,
      { additionalModelResponseFields: detail }: { additionalModelResponseFields?: unknown },
    ): void {
      stop = { native, ...(detail !== undefined && detail !== null && { detail }) };
      emitStop();
    },
    finish(added: Metadata): void {
      metadata = added;
      // Each step of a tool of the service may use the whole cap.
      const towardCap = blocks.usedServerTools() ? { towardCap: null } : {};
      if (added.usage) emit({ type: "usage", usage: { ...readUsage(added.usage), ...towardCap } });
      emitStop();
    },
  };
}

/**
 * What a gateway says under the name of another protocol, and what the model itself said, can only
 * make the result worse.
 */
function emitOtherWords(emit: Emit, event: BedrockEvent): void {
  const { messageStop, metadata, output } = event;
  const words = [
    ...unfinishedWords(event, output ? own : none),
    ...unfinishedWords(event.additionalModelResponseFields, none),
    ...unfinishedWords(messageStop, own),
    ...unfinishedWords(messageStop?.additionalModelResponseFields, none),
    ...unfinishedWords(metadata, none),
    ...unfinishedWords(output?.message, none),
  ];
  for (const native of words) emit({ type: "stop", native, provisional: true });
}
const none: readonly string[] = [];
const own: readonly string[] = ["stopReason"];

/** Returns `true` if the event is an error: then nothing else in it is a part of the reply. */
function emitErrors(emit: Emit, event: BedrockEvent): boolean {
  const errors = errorsIn(event);
  for (const [native, message] of errors) emit({ type: "error", native, message });
  return errors.length > 0;
}

type NativeError = readonly [code: string, message: string];

/** The SDK names exceptions as members. Some hosts send the body of a failure as a reply. */
function errorsIn(event: BedrockEvent): readonly NativeError[] {
  const { ":error-code": code, ":exception-type": exception, __type: type, message } = event;
  if (code !== undefined) return [[code || "error", event[":error-message"] ?? ""]];
  if (exception !== undefined) return [[exception, messageOf(fieldsOf(event)[exception])]];
  if (typeof message === "string" && !event.output)
    return [[exceptionName(type) ?? "error", message]];
  // A gateway may write every member of the union, and `null` for those that did not come.
  return Object.entries(event)
    .filter(([name, value]) => name.endsWith("Exception") && (value ?? undefined) !== undefined)
    .map(([name, value]) => [name, messageOf(value)]);
}

/** Empty if there is no message. */
function messageOf(value: unknown): string {
  if (!isFields(value)) return String(value);
  const text = value["message"] ?? value["Message"];
  if (typeof text === "string") return text;
  return Object.keys(value).length === 0 ? "" : JSON.stringify(value);
}

/**
 * `inputTokens` excludes tokens that were read from the cache or written to it; `Usage.input`
 * includes them. `outputTokens` includes reasoning.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
 */
function readUsage({
  inputTokens: uncached,
  outputTokens: output,
  cacheReadInputTokens: cacheRead,
  cacheWriteInputTokens: cacheWrite,
}: Partial<TokenUsage>): Partial<Usage> {
  return {
    ...(typeof uncached === "number" && {
      input: uncached + (cacheRead ?? 0) + (cacheWrite ?? 0),
    }),
    ...(typeof output === "number" && { output }),
    ...(typeof cacheRead === "number" && { cacheRead }),
    ...(typeof cacheWrite === "number" && { cacheWrite }),
  };
}
