import { type Emit, stringifyJson } from "@fullstop/core/adapter";
import type { ToolDelta } from "./events.ts";
import { createObjectCheck } from "./object.ts";
import { addPiece, createPieces, type Pieces, restated } from "./restated.ts";

/** What hosts number their calls with. */
export type Index = number | string;

/** One input of a reply, while it arrives. */
export interface Slot {
  readonly key: number;
  readonly index: Index | undefined;
  readonly kind: "text" | undefined;
  /** It says another input once more, in the field of the API's first version. */
  readonly echo: boolean;
  /** How much prose came before it. */
  readonly prose: number;
  id: string | undefined;
  name: string | undefined;
  readonly pieces: Pieces;
  started: boolean;
  /** The text that it was settled with. */
  whole: string | undefined;
  seal: Readonly<Record<string, unknown>> | undefined;
  readonly isWholeObject: () => boolean;
}
/** What a piece says, without its blanks. */
export interface Piece {
  readonly index: Index | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
  readonly kind: "text" | undefined;
  readonly extra: unknown;
}

export function openSlot(
  { index, kind }: Pick<Piece, "index" | "kind">,
  about: Pick<Slot, "key" | "echo" | "prose">,
): Slot {
  const pieces = createPieces();
  return {
    ...{
      ...about,
      index,
      kind,
      id: undefined,
      name: undefined,
      pieces,
      started: false,
      whole: undefined,
      seal: undefined,
    },
    isWholeObject: createObjectCheck(pieces.list),
  };
}

export const isBlank = ({ id, name, text, extra }: Piece): boolean =>
  id === undefined && name === undefined && text === "" && extra === undefined;

export function readPiece({
  index,
  id,
  function: called,
  custom,
  extra_content: extra,
}: ToolDelta): Piece {
  const isCustom = custom !== undefined && custom !== null;
  return {
    index: typeof index === "number" || typeof index === "string" ? index : undefined,
    id: said(id),
    name: said(isCustom ? custom.name : called?.name),
    text: written(isCustom ? custom.input : called?.arguments),
    kind: isCustom ? "text" : undefined,
    extra: extra ?? undefined,
  };
}

const said = (text: string | null | undefined): string | undefined =>
  typeof text === "string" && text.trim() !== "" ? text : undefined;

/** Some hosts send the arguments as JSON instead of a text that holds it. */
function written(text: unknown): string {
  if (typeof text === "string") return text;
  return text === undefined || text === null ? "" : stringifyJson(text);
}

export function addToSlot(slot: Slot, { id, name, text, extra }: Piece, emit: Emit): void {
  const isNews =
    (slot.id === undefined && id !== undefined) || (slot.name === undefined && name !== undefined);
  slot.id ??= id;
  slot.name ??= name;
  if (isNews || !slot.started) start(slot, text, emit);
  if (text !== "" && text !== slot.whole) {
    addPiece(slot.pieces, text);
    emit({ type: "tool-input-delta", key: slot.key, text });
  }
  if (extra !== undefined) sealSlot(slot, { extra_content: extra }, emit);
}

/** An id alone does not begin an input while more may come, and an input whose text is settled takes no late name. */
function start(slot: Slot, text: string, emit: Emit): void {
  if (slot.whole === undefined && (slot.name !== undefined || text !== "")) begin(slot, emit);
}

function begin(slot: Slot, emit: Emit): void {
  const { key, id, name, kind, echo } = slot;
  const isFirst = !slot.started;
  slot.started = true;
  emit({ type: "tool-input-start", key, id, name, kind, ...(echo && { echo }) });
  if (isFirst && slot.seal !== undefined) emit({ type: "provider-data", key, data: slot.seal });
}

export function sealSlot(slot: Slot, data: Readonly<Record<string, unknown>>, emit: Emit): void {
  slot.seal = { ...slot.seal, ...data };
  if (slot.started) emit({ type: "provider-data", key: slot.key, data: slot.seal });
}

/** No more is to come: an input that was said several times over gets the text that counts, and a call of which only the id came is not lost. */
export function settleSlot(slot: Slot, restatesArguments: boolean, emit: Emit): void {
  if (!slot.started && slot.id !== undefined) begin(slot, emit);
  if (slot.kind === "text" || slot.whole !== undefined) return;
  slot.whole = restated(slot.pieces, restatesArguments);
  if (slot.whole !== undefined) emit({ type: "tool-input-end", key: slot.key, text: slot.whole });
}
