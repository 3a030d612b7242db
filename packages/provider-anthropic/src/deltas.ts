import type Anthropic from "@anthropic-ai/sdk";

export type StartedBlock = Anthropic.RawContentBlockStartEvent["content_block"];
export type Delta = Anthropic.RawContentBlockDelta | Anthropic.Beta.BetaCompactionContentBlockDelta;

/** Reads one block of a reply while it arrives. */
export interface BlockReader {
  /** Two of these in a row stay two blocks, though only a seal parts them. */
  readonly prose?: "text" | "thinking";
  /** The type of a block that only the provider understands. It is lost if it does not end. */
  readonly provider?: string;
  delta(delta: Delta): void;
  /** Whether prose came that no seal closed. */
  stop(): boolean;
}

const deltas: Readonly<Record<Delta["type"], true>> = {
  text_delta: true,
  citations_delta: true,
  thinking_delta: true,
  signature_delta: true,
  input_json_delta: true,
  compaction_delta: true,
};
export const isListed = ({ type }: Delta): boolean => Object.hasOwn(deltas, type);

export function string(value: unknown, delta: Delta): string {
  if (typeof value !== "string")
    throw new Error(`The reply holds a ${delta.type} without its text.`);
  return value;
}
/** A delta that its block cannot hold. */
export const misfit = (delta: Delta, block: StartedBlock): Error =>
  new Error(`The reply sends ${delta.type} to a block of type ${block.type}.`);
