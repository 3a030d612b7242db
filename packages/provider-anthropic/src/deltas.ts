import type Anthropic from "@anthropic-ai/sdk";
import { fieldsOf } from "@fullstop/core/adapter";

export type StartedBlock = Anthropic.RawContentBlockStartEvent["content_block"];
export type Delta = Anthropic.RawContentBlockDelta | Anthropic.Beta.BetaCompactionContentBlockDelta;

export interface BlockReader {
  /** Two blocks of text in a row stay two, although only a `provider-data` event separates them. */
  readonly textType?: "text" | "thinking";
  /**
   * The type of a block that only the provider understands. Such a block is lost if it does not
   * end.
   */
  readonly nativeType?: string;
  delta(delta: Delta): void;
  /** Returns `true` if the block emitted text that no `provider-data` closed. */
  stop(): boolean;
}

const knownDeltas: Readonly<Record<Delta["type"], true>> = {
  text_delta: true,
  citations_delta: true,
  thinking_delta: true,
  signature_delta: true,
  input_json_delta: true,
  compaction_delta: true,
};
export const isKnownDelta = (delta: Delta): boolean =>
  Object.hasOwn(knownDeltas, delta.type) || holdsInput(delta);

/** A piece of an input, also if its type is unknown: without it, the rest may still be JSON. */
export const holdsInput = (delta: unknown): boolean =>
  fieldsOf(delta)["partial_json"] !== undefined;

/** Returns the text of a delta. Throws if it is not a string. */
export function parseText(text: unknown, delta: Delta): string {
  if (typeof text !== "string") throw new Error(`The reply has a ${delta.type} without its text.`);
  return text;
}

export const misplacedDelta = (delta: Delta, block: StartedBlock): Error =>
  new Error(
    `The reply sends ${delta.type ?? "a delta without a type"} to a block of type ${block.type}.`,
  );
