import { fieldsOf } from "@fullstop/core/adapter";
import type { BlockDelta } from "./events.ts";

export interface BlockReader {
  /** Set if the block is text. It then begins with its first piece, because it has no start. */
  readonly textType?: TextType;
  /** The service runs the tool of this block itself. */
  readonly isServerTool?: true;
  delta(delta: BlockDelta): void;
  /** Returns `true` if the block emitted text that no `provider-data` closed. */
  stop(): boolean;
}
export type TextType = "text" | "thinking";

type DeltaType = keyof BlockDelta;
const knownDeltas: Readonly<Record<DeltaType, true>> = {
  text: true,
  toolUse: true,
  reasoningContent: true,
  citation: true,
  toolResult: true,
  image: true,
};

/** The known members of a piece that hold something. New ones are ignored. */
export const typesOf = (delta: BlockDelta): readonly string[] =>
  Object.entries(delta).flatMap(([type, value]) =>
    Object.hasOwn(knownDeltas, type) && value !== undefined && value !== null && value !== ""
      ? [type]
      : [],
  );

/** A piece of an input in a form that is not known. Without it, the rest may still be JSON. */
export const holdsInput = (delta: unknown): boolean =>
  [delta, ...Object.values(fieldsOf(delta))].some((part) => fieldsOf(part)["input"] !== undefined);

/** @throws Error if a piece has a known member that its block cannot have. */
export function assertFits(delta: BlockDelta, allowed: readonly DeltaType[], block: string): void {
  const other = typesOf(delta).find((type) => !allowed.some((one) => one === type));
  if (other !== undefined) throw new Error(`The reply sends ${other} to a block of ${block}.`);
}

/** Gateways write `null` for an empty text. */
export function parseText(text: unknown, what: string): string {
  if (text === null) return "";
  if (typeof text !== "string") throw new Error(`The reply has ${what} without its text.`);
  return text;
}
