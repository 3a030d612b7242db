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
/**
 * Whether a delta belongs to a block of another type. Without text it holds nothing, and the white
 * space between two calls comes as a delta to the first (sgl-project/sglang#24293). Other text may
 * be that of a block whose start was lost.
 */
export const isMisplaced = (delta: Delta): boolean =>
  (Object.hasOwn(knownDeltas, delta.type) && !holdsNothing(delta)) || holdsInput(delta);

const textMembers = ["text", "thinking", "signature", "partial_json"];
const isEmpty = (text: unknown): boolean => text === undefined || text === null || text === "";
const isBlankText = (text: unknown): boolean =>
  isEmpty(text) || (typeof text === "string" && text.trim() === "");

/** Whether all texts of a delta are missing, `null` or empty. */
export const isEmptyDelta = (delta: unknown): boolean => {
  const fields = fieldsOf(delta);
  return (
    textMembers.some((name) => name in fields) && textMembers.every((name) => isEmpty(fields[name]))
  );
};
/** The same, also if its text is white space. */
export const holdsNothing = (delta: Delta): boolean => {
  const { text, thinking, ...rest } = fieldsOf(delta);
  if (text === undefined && thinking === undefined) return isEmptyDelta(rest);
  return isBlankText(text) && isBlankText(thinking) && isEmptyDelta({ ...rest, text: "" });
};

/**
 * A piece of an input, also if its type is unknown: without it, the rest may still be JSON. White
 * space may be that of a string.
 */
export const holdsInput = (delta: unknown): boolean => !isEmpty(fieldsOf(delta)["partial_json"]);

/** Returns the text of a delta. Gateways write `null` for an empty one. Throws for other types. */
export function parseText(text: unknown, delta: Delta): string {
  if (text === null) return "";
  if (typeof text !== "string") throw new Error(`The reply has a ${delta.type} without its text.`);
  return text;
}

export const misplacedDelta = (delta: Delta, block: StartedBlock): Error =>
  new Error(
    `The reply sends ${delta.type ?? "a delta without a type"} to a block of type ${block.type}.`,
  );
